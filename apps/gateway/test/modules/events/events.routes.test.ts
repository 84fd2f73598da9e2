import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { poll } from '@filewright/testing'
import { startTestGateway } from '../../helpers/test-gateway.js'

t.setTimeout(300_000)

interface SentEvent {
  id: string
  type: string
  data: { data: { file_id: string } }
}

function eventsOf(text: string): SentEvent[] {
  return [...text.matchAll(/^id: (\S+)\nevent: (\S+)\ndata: (.*)\n\n/gm)].map(
    ([, id = '', type = '', data = '']) => ({
      id,
      type,
      data: JSON.parse(data)
    })
  )
}

t.test('a stream resumes after the last event id, and contains only one project', async (t) => {
  const gateway = await startTestGateway(t)
  const authorization = `Bearer ${await gateway.token('streamed')}`
  const read = async (headers = {}): Promise<string> =>
    (
      await gateway.app.inject({
        url: '/api/events?project_id=streamed&follow=false',
        headers: { authorization, ...headers }
      })
    ).body
  const start = /^id: (evt_\w+)\n\n$/.exec(await read())?.[1] ?? ''
  const first = await gateway.store({ project: 'streamed' })
  await gateway.store({ project: 'another' })
  const second = await gateway.store({ project: 'streamed' })

  const all = eventsOf(await read({ 'last-event-id': start }))
  t.strictSame(
    all.map(({ data }) => data.data.file_id),
    [first, second]
  )
  t.strictSame(eventsOf(await read({ 'last-event-id': all[0]?.id })), all.slice(1))
  t.strictSame(eventsOf(await read()), [], 'from now on')
})

t.test('an invalid request gets an error that names the wrong field', async (t) => {
  const gateway = await startTestGateway(t)
  const authorization = `Bearer ${await gateway.token('mine')}`
  for (const [url, headers, status, error] of [
    ['/api/events', {}, 400, 'project_id is required'],
    ['/api/events?project_id=mine', { 'last-event-id': '5' }, 400, "Last-Event-ID must be an event's id"],
    ['/api/events?project_id=mine&follow=yes', {}, 400, 'follow must be true or false'],
    ['/api/events?project_id=other', {}, 403, 'Forbidden']
  ] as const) {
    const answer = await gateway.app.inject({ url, headers: { authorization, ...headers } })
    t.equal(answer.statusCode, status)
    t.strictSame(answer.json(), { error })
  }
})

t.test('a stream brings later events, one token has few of them, and all end with the process', async (t) => {
  const gateway = await startTestGateway(t)
  await gateway.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = gateway.app.server.address() as AddressInfo
  const authorization = `Bearer ${await gateway.token('followed')}`
  const open = async (): Promise<IncomingMessage> => {
    const request = get({
      port,
      host: '127.0.0.1',
      path: '/api/events?project_id=followed',
      headers: { authorization }
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response
  }
  const streams = await Promise.all(Array.from({ length: 8 }, open))
  const received = streams.map(() => '')
  streams.forEach((stream, i) => {
    stream.setEncoding('utf8').on('data', (text: string) => {
      received[i] += text
    })
  })
  await poll(() => received.every((text) => text.startsWith('id: ')))
  const refused = await open()
  t.equal(refused.statusCode, 429)
  refused.resume()

  const id = await gateway.store({ project: 'followed' })
  await poll(() => received.every((text) => eventsOf(text).some(({ data }) => data.data.file_id === id)))
  streams[0]?.destroy()
  await poll(async () => {
    const again = await open()
    const isOpen = again.statusCode === 200
    again.destroy()
    return isOpen
  })

  const ended = streams.slice(1).map(async (stream) => await once(stream, 'end'))
  gateway.events.stop()
  await Promise.all(ended)
  t.pass('the streams have ended')
})
