import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { ServiceResponse } from '@filewright/contracts'
import { createAddress } from '../../src/session/address.js'
import { createDraftStore } from '../../src/session/draft-store.js'

export function createStore() {
  const values = new Map<string, string>()
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      void values.set(key, value)
    },
    removeItem: (key: string) => {
      void values.delete(key)
    },
    key: (index: number) => [...values.keys()][index] ?? null,
    get length() {
      return values.size
    }
  }
}

/** The locks of all pages of a browser; a page's locks are released when it is closed. */
export function createLocks() {
  const held = new Map<string, string>()
  return {
    ofPage: (page: string) => ({
      request: (async (name: string) => {
        held.set(name, page)
      }) as unknown as LockManager['request'],
      query: async () => ({ held: [...held.keys()].map((name) => ({ name })) })
    }),
    close: (page: string) => {
      for (const [name, owner] of held) if (owner === page) held.delete(name)
    }
  }
}

let pages = 0

/** What a sign-in needs to keep drafts, without locks. */
export const createDraftParts = (tab = createStore(), device = createStore()) => ({
  drafts: createDraftStore({ tab, device, locks: undefined, pageId: `page-${++pages}` }),
  page: new EventTarget()
})

/** The history of one tab: entries with their state, and the current position. */
export function createWindow(hash = '') {
  const entries = [{ hash, state: null as unknown }]
  const listeners: Array<() => void> = []
  let at = 0
  const entry = () => entries[at] as (typeof entries)[number]
  const go = (to: number): void => {
    at = to
    for (const listener of listeners) listener()
  }
  const location = {
    get hash() {
      return entry().hash
    },
    set hash(to: string) {
      entries.splice(at + 1, entries.length, { hash: to, state: null })
      go(at + 1)
    }
  }
  return {
    entries,
    back: () => {
      go(at - 1)
    },
    location,
    history: {
      get state() {
        return entry().state
      },
      replaceState: (state: unknown, _title: string, to?: string | URL | null) => {
        entries[at] = { hash: String(to), state }
      }
    },
    addEventListener: (_type: string, listener: () => void) => {
      listeners.push(listener)
    }
  }
}

export const createTestAddress = (hash?: string) => createAddress(createWindow(hash))

export interface SeenRequest {
  path: string
  authorization: string
}

/**
 * A service that knows tokens by name and answers every request with 200, unless a test sets another status.
 */
const SERVICE: Omit<ServiceResponse, 'token'> = {
  status: 'ok',
  parts: [],
  limits: {
    requests_per_minute: 600,
    ai_requests_per_minute: 60,
    uploads_at_once: 8,
    file_bytes: 52_428_800
  },
  usage: { files: 0, bytes: 0, max_files: null, max_bytes: null }
}

export async function startService(t: Test) {
  const tokens = new Map([
    ['token-of-alice', 'alice'],
    ['token-of-bob', 'bob'],
    ['token-of-the-stack', 'local']
  ])
  const seen: SeenRequest[] = []
  const service = {
    baseUrl: '',
    tokens,
    seen,
    /** Instead of 200, for known tokens. */
    status: 200,
    /** Called before each response. */
    hold: async (_request: IncomingMessage): Promise<void> => {}
  }
  const answer = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-engine': 'test' })
    response.end(JSON.stringify(body))
  }
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization = '' } = request.headers
    seen.push({ path: request.url ?? '', authorization })
    request.resume()
    await service.hold(request)
    const name = tokens.get(authorization.replace('Bearer ', ''))
    if (name === undefined) answer(response, 401, { error: 'Unauthorized' })
    else if (service.status !== 200) answer(response, service.status, { error: 'Not now' })
    else if (request.url === '/api/projects') answer(response, 200, { projects: [] })
    else answer(response, 200, { ...SERVICE, token: { name, is_local: name === 'local' } })
  }
  const server = createServer((request, response) => {
    void serve(request, response)
  }).listen(0)
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  service.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}
