import t from 'tap'
import { ServiceError, UnauthorizedError, type ReceivedEvent } from '../src/index.js'
import { hangUp, json, scripted, type Answer } from './server.js'

const eventText = (id: string): string =>
  `id: ${id}\nevent: file.created\ndata: {"type":"file.created","timestamp":"2026-01-01T00:00:00.000Z","data":{}}\n\n`

const stream =
  (text: string, end: 'end' | 'cut' = 'end'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text, () => (end === 'end' ? response.end() : response.destroy()))
  }

async function idsOf(events: AsyncIterable<ReceivedEvent>, count: number): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of events) {
    ids.push(id)
    if (ids.length === count) break
  }
  return ids
}

t.test('a stream that was open is reopened after its last event, however often that fails', async (t) => {
  const away = [hangUp, ...Array<Answer>(8).fill(json(503, { error: 'starting' }))]
  const { client, seen } = await scripted(
    t,
    [
      stream('id: evt_1_0\n\n'),
      stream(eventText('evt_1_1') + eventText('evt_1_2').slice(0, -5), 'cut'),
      ...away,
      stream(eventText('evt_1_2'))
    ],
    { retries: 1 }
  )

  t.strictSame(await idsOf(client.events({ projectId: 'p' }), 2), ['evt_1_1', 'evt_1_2'])
  t.strictSame(
    seen.map(({ headers }) => headers['last-event-id']),
    [undefined, 'evt_1_0', ...away.map(() => 'evt_1_1'), 'evt_1_1']
  )
})

t.test('a stream that was never open fails like any other request', async (t) => {
  const { client, seen } = await scripted(t, [json(503, { error: 'down' })], { retries: 1 })

  await t.rejects(idsOf(client.events({ projectId: 'p' }), 1), ServiceError)
  t.equal(seen.length, 2)
})

t.test('a stream that is refused on reopening ends with the reason', async (t) => {
  const { client } = await scripted(t, [stream(eventText('evt_1_1')), json(401, { error: 'revoked' })])

  await t.rejects(idsOf(client.events({ projectId: 'p' }), 2), UnauthorizedError)
})
