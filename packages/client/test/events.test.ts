import t from 'tap'
import { eventsIn, type ServerEvent } from '../src/events.js'

async function eventsOf(...pieces: Uint8Array[]): Promise<ServerEvent[]> {
  const found: ServerEvent[] = []
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    }
  })
  for await (const event of eventsIn(body)) found.push(event)
  return found
}
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

t.test('an event is read whatever characters its data has', async (t) => {
  // JSON contains them unescaped, but JavaScript's patterns treat them as line ends.
  const data = { name: 'a\u2028b\u2029c\u0085d' }
  const text = `id: evt_1_1\nevent: file.created\ndata: ${JSON.stringify(data)}\n\n`
  t.strictSame(await eventsOf(bytesOf(text)), [{ id: 'evt_1_1', event: 'file.created', data }])
})

t.test('events are read across chunk boundaries, and an incomplete one is dropped', async (t) => {
  const bytes = bytesOf('event: delta\ndata: "ü"\n\nid: evt_1_2\n\nid: evt_1_3\nevent: de')
  t.strictSame(await eventsOf(...Array.from(bytes, (byte) => Uint8Array.of(byte))), [
    { event: 'delta', data: 'ü' },
    { id: 'evt_1_2', event: '', data: null }
  ])
})
