import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { watchRequests } from '../../src/http/requests-under-way.js'

t.test('waits for the requests in flight, answered or aborted, and for no later ones', async (t) => {
  const waiting: ServerResponse[] = []
  const server = createServer((_request, response) => {
    waiting.push(response)
  })
  const requests = watchRequests(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Resolves once the server has the request. */
  const ask = async (signal?: AbortSignal): Promise<{ answer: Promise<unknown> }> => {
    const arrived = once(server, 'request')
    const answer = fetch(url, signal === undefined ? {} : { signal }).catch(() => null)
    await arrived
    return { answer }
  }
  await requests.ended()

  const leaving = new AbortController()
  const first = await ask()
  const second = await ask(leaving.signal)
  let isOver = false
  const ended = requests.ended().then(() => {
    isOver = true
  })
  await ask()

  waiting[0]?.end('done')
  await first.answer
  t.equal(isOver, false, 'the second is under way')
  leaving.abort()
  await second.answer
  await ended
  t.equal(waiting[2]?.writableEnded, false, 'the third still waits')
})
