import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createSession, tokenInFragment } from '../src/session.js'

function createStore(kept: Record<string, string> = {}) {
  const values = new Map(Object.entries(kept))
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      void values.set(key, value)
    },
    removeItem: (key: string) => {
      void values.delete(key)
    }
  }
}

const KEY = 'filewright-token'

/** A service that knows one token, until it is told otherwise. */
async function startService(t: Test, status = 200) {
  const service = { status, baseUrl: '' }
  const answer = (response: ServerResponse, status: number): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-engine': 'test' })
    response.end(JSON.stringify(status === 200 ? { projects: [] } : { error: 'Not now' }))
  }
  const server = createServer((request, response) => {
    answer(response, request.headers.authorization === 'Bearer good' ? service.status : 401)
  }).listen(0)
  await once(server, 'listening')
  t.teardown(() => server.close())
  service.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}

t.test('an address with a token signs in, any other does not', async (t) => {
  t.equal(tokenInFragment('#token=a%2Fb'), 'a/b')
  t.equal(tokenInFragment('#/files/token=a'), null)
  t.equal(tokenInFragment('#token=%'), null)
})

t.test('a token that is accepted is kept for the tab, or for the device if that is asked for', async (t) => {
  const { baseUrl } = await startService(t)
  const [tab, device] = [createStore(), createStore()]
  const session = createSession({ baseUrl, tab, device })

  await session.signIn('good', { keep: false })
  t.equal(session.state.value.kind, 'signed-in')
  t.equal(session.answer.value?.headers.get('x-engine'), 'test')
  t.strictSame([tab.values.get(KEY), device.values.get(KEY)], ['good', undefined])
  await session.signIn('good', { keep: true })
  t.strictSame([tab.values.get(KEY), device.values.get(KEY)], [undefined, 'good'])

  session.signOut()
  t.strictSame(session.state.value, { kind: 'signed-out', isRefused: false })
  t.equal(device.values.size, 0)
})

t.test('a kept token signs in by itself', async (t) => {
  const { baseUrl } = await startService(t)
  const session = createSession({ baseUrl, tab: createStore(), device: createStore({ [KEY]: 'good' }) })

  await session.retry()

  t.equal(session.state.value.kind, 'signed-in')
})

t.test('a token that is refused, or was none, is forgotten', async (t) => {
  const { baseUrl } = await startService(t)
  for (const token of ['wrong', 'späße und mehr']) {
    const tab = createStore()
    const session = createSession({ baseUrl, tab, device: createStore() })

    await session.signIn(token, { keep: false })

    t.strictSame(session.state.value, { kind: 'signed-out', isRefused: true })
    t.equal(tab.values.size, 0)
  }
})

t.test('a token that is revoked later ends the session', async (t) => {
  const service = await startService(t)
  const session = createSession({ baseUrl: service.baseUrl, tab: createStore(), device: createStore() })
  await session.signIn('good', { keep: false })
  const state = session.state.value

  service.status = 401
  if (state.kind === 'signed-in') await state.api.projects({ retries: 0 }).catch(() => {})

  t.strictSame(session.state.value, { kind: 'signed-out', isRefused: true })
})

t.test('a service that is away costs nobody the token', async (t) => {
  const service = await startService(t, 503)
  const tab = createStore()
  const session = createSession({ baseUrl: service.baseUrl, tab, device: createStore() })

  await session.signIn('good', { keep: false })
  t.strictSame(session.state.value, { kind: 'away', sentence: 'Not now' })
  t.equal(tab.values.get(KEY), 'good')
  service.status = 200
  await session.retry()

  t.equal(session.state.value.kind, 'signed-in')
})

t.test('a service that is not reached is said to be away', async (t) => {
  const session = createSession({ baseUrl: 'http://127.0.0.1:1', tab: createStore(), device: createStore() })

  await session.signIn('good', { keep: false })

  t.strictSame(session.state.value, { kind: 'away', sentence: '' })
})
