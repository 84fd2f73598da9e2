import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { hashToken } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import { createEventsService } from '../../../src/modules/events/events.service.js'
import type { Principal } from '../../../src/modules/tokens/principal.js'
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

const principalOf = (tokenId: string): Principal => ({
  tokenId,
  tokenName: tokenId,
  isOperator: false,
  projects: '*',
  expiresAt: null,
  quota: { maxFiles: null, maxBytes: null }
})

t.test('a stream resumes after the last event id, and contains only one project', async (t) => {
  const gateway = await startTestGateway(t)
  const authorization = `Bearer ${await gateway.token('streamed')}`
  const read = async (headers = {}): Promise<string> => {
    await gateway.eventsVisible()
    const { body } = await gateway.app.inject({
      url: '/api/events?project_id=streamed&follow=false',
      headers: { authorization, ...headers }
    })
    return body
  }
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

t.test('a resumed stream says when events may be missing', async (t) => {
  const gateway = await startTestGateway(t)
  const authorization = `Bearer ${await gateway.token('gaps')}`
  const resume = async (id: string): Promise<{ gap: unknown; body: string }> => {
    await gateway.eventsVisible()
    const { headers, body } = await gateway.app.inject({
      url: '/api/events?project_id=gaps&follow=false',
      headers: { authorization, 'last-event-id': id }
    })
    return { gap: headers['x-events-gap'], body }
  }
  const first = await gateway.store({ project: 'gaps' })
  const { body } = await resume('evt_0_0')
  const [{ id: early } = { id: '' }] = eventsOf(body)
  t.strictSame((await resume(early)).gap, undefined)

  const future = await resume('evt_zzzzzzzz_1')
  t.match(future.gap, /^unknown; /)
  t.match(eventsOf(future.body), [{ data: { data: { file_id: first } } }])
  await gateway.store({ project: 'gaps' })
  while ((await gateway.database.events.removeOld({ days: -1, limit: 1_000 })) > 0);
  const last = await gateway.store({ project: 'gaps' })
  const expired = await resume(early)
  t.match(expired.gap, /^expired; /)
  t.match(
    eventsOf(expired.body).map(({ data }) => data.data.file_id),
    [last]
  )
  t.strictSame((await resume('evt_0_0')).gap, undefined)
  t.strictSame((await resume(eventsOf(expired.body)[0]?.id ?? '')).gap, undefined)
})

t.test('the position of a stream moves past events of other projects', async (t) => {
  const gateway = await startTestGateway(t)
  await gateway.store({ project: 'loud' })
  await gateway.eventsVisible()
  const { txid, id } = await gateway.database.events.lastPosition()

  const reads: string[] = []
  const { readProjectsAfter } = gateway.database.events
  gateway.database.events.readProjectsAfter = async (options, tokenId) => {
    reads.push(`${options.after.txid} ${options.after.id}`)
    return await readProjectsAfter(options, tokenId)
  }
  t.teardown(() => {
    gateway.database.events.readProjectsAfter = readProjectsAfter
  })
  const stopping = new AbortController()
  const principal = principalOf('x')
  const stream = await gateway.events.stream(principal, {
    projectId: 'quiet',
    after: { txid: '0', id: '0' },
    follow: true,
    signal: stopping.signal,
    renewPrincipal: async () => principal
  })
  const reading = (async () => {
    for await (const { events } of stream.batches) t.strictSame(events, [])
  })()
  await poll(() => reads.length > 0)
  await gateway.store({ project: 'loud' })
  await poll(() => reads.includes(`${txid} ${id}`), { timeoutMs: 60_000 })
  stopping.abort()
  await reading
})

t.test('200 idle streams share their queries for new events', async (t) => {
  const [streams, pollMs] = [200, 200]
  const gateway = await startTestGateway(t)
  await gateway.store({ project: 'loud' })
  await gateway.eventsVisible()
  const { events } = gateway.database
  const counts = { positions: 0, reads: 0, turns: 0 }
  const service = createEventsService({
    events: {
      resume: events.resume,
      lastPosition: async () => {
        counts.positions++
        return await events.lastPosition()
      },
      readProjectsAfter: async (...args) => {
        counts.reads++
        return await events.readProjectsAfter(...args)
      }
    },
    pollMs
  })
  const startedAt = performance.now()
  const received: string[][] = await Promise.all(
    Array.from({ length: streams }, async (_, at) => {
      const principal = principalOf(`idle-${at}`)
      const { batches } = await service.stream(principal, {
        projectId: 'quiet',
        after: { txid: '0', id: '0' },
        follow: true,
        signal: new AbortController().signal,
        renewPrincipal: async () => {
          counts.turns++
          return principal
        }
      })
      const ids: string[] = []
      void (async () => {
        for await (const batch of batches) ids.push(...batch.events.map(({ fileId }) => String(fileId)))
      })()
      return ids
    })
  )

  await poll(() => counts.turns >= 5 * streams, { what: 'five turns of each', timeoutMs: 60_000 })
  t.equal(counts.reads, streams, 'each reads once, at its start')
  const shared = counts.positions - streams
  t.ok(shared > 0 && shared <= (performance.now() - startedAt) / pollMs + 1, `${shared} queries in common`)

  const id = await gateway.store({ project: 'quiet' })
  await poll(() => received.every((ids) => ids.length > 0), { what: 'the event', timeoutMs: 60_000 })
  t.strictSame([...new Set(received.flat())], [id])
  service.stop()
})

t.test('a stream ends when its token is revoked or loses the project', async (t) => {
  const lost = new Set<string>()
  const gateway = await startTestGateway(t, {
    wrapTokens: (tokens) => ({
      authenticate: async (token) => {
        const principal = await tokens.authenticate(token)
        return lost.has(token) ? { ...principal, projects: new Set(['other']) } : principal
      }
    })
  })
  await gateway.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = gateway.app.server.address() as AddressInfo
  const follow = async (token: string): Promise<IncomingMessage> => {
    const request = get({
      port,
      host: '127.0.0.1',
      path: '/api/events?project_id=shared',
      headers: { authorization: `Bearer ${token}` }
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    t.equal(response.statusCode, 200)
    response.resume()
    t.teardown(() => response.destroy())
    return response
  }
  const [revoked, moved, kept] = [
    await gateway.token('shared'),
    await gateway.token('shared'),
    await gateway.token('shared')
  ]
  const [first, second, third] = [await follow(revoked), await follow(moved), await follow(kept)]
  // The streams are disconnected, so that the client reconnects and gets the reason.
  const ended = [first, second].map(async (stream) => await t.rejects(once(stream, 'end')))

  const record = await gateway.database.tokens.findByHash(hashToken(revoked))
  await gateway.database.tokens.revoke(record?.id ?? '', new Date())
  lost.add(moved)

  await Promise.all(ended)
  t.equal(third.readableEnded, false, 'another token goes on')
  const again = { url: '/api/events?project_id=shared', headers: { authorization: `Bearer ${revoked}` } }
  t.equal((await gateway.app.inject(again)).statusCode, 401)
})

t.test(
  'a stream sends later events, a token can have few streams, and all end with the process',
  async (t) => {
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
    streams.forEach((stream, i) =>
      stream.setEncoding('utf8').on('data', (text: string) => {
        received[i] += text
      })
    )
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
  }
)
