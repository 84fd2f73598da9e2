import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { sha256 } from '../helpers.js'

export const CONTENT = Buffer.from('hello')
export const FILE_ID = 'A'.repeat(22)

const file = {
  id: FILE_ID,
  name: 'a.txt',
  size: CONTENT.length,
  type: 'text/plain',
  created_at: '2026-01-01T00:00:00.000Z',
  folder: '',
  description: 'why',
  sha256: sha256(CONTENT),
  scanned_at: '2026-01-01T00:00:00.000Z',
  scanner: 'ClamAV 1'
}
const stored = { ...file, url: 'http://127.0.0.1/cdn/x', download_url: 'http://127.0.0.1/files/x/download' }
const sarif = {
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'F',
          version: '1',
          rules: [{ id: 'r', help: { text: 'do' }, properties: { tags: ['bugs'] } }]
        }
      },
      artifacts: [
        {
          location: { uri: 'code' },
          properties: { score: 50, suggestions: ['s'], engine: 'static', analyzers: 'all' }
        }
      ],
      results: [
        {
          ruleId: 'r',
          ruleIndex: 0,
          level: 'warning',
          message: { text: 'careful' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'code' }, region: { startLine: 1 } } }]
        }
      ]
    }
  ]
}

/** The responses of an honest server, by requested path. */
export const honest = {
  '/api/projects': { projects: [{ id: 'p', files: 1, bytes: 5 }] },
  '/api/folders': { folders: [] as object[] },
  '/api/files': { files: [file], pagination: { page: 1, limit: 100, total: 1 } },
  '/api/files/:id': { file: stored },
  '/api/files/upload': { file: stored },
  '/api/trash': {
    files: [
      {
        id: FILE_ID,
        name: 'a.txt',
        size: 5,
        type: 'text/plain',
        created_at: '2026-01-01T00:00:00.000Z',
        folder: 'f',
        deleted_at: '2026-01-02T00:00:00.000Z',
        expires_at: '2026-01-09T00:00:00.000Z'
      }
    ],
    pagination: { page: 1, limit: 100, total: 1 }
  },
  '/api/files/:id/receipt': {
    payloadType: 'application/vnd.in-toto+json',
    payload: 'e30=',
    signatures: [{ keyid: 'A'.repeat(43), sig: 'AAAA' }]
  },
  '/api/recalls': {
    recalls: [
      {
        id: FILE_ID,
        project_id: 'p',
        name: 'a.txt',
        folder: '',
        size: CONTENT.length,
        sha256: sha256(CONTENT),
        signature: 'New.Virus',
        withdrawn_at: '2026-01-02T00:00:00.000Z',
        downloaded_at: '2026-01-01T00:00:00.000Z',
        downloaders: 1
      }
    ]
  },
  '/api/ai/models': { models: [{ id: 'alpha-4o', name: 'Alpha', capabilities: ['code'], max_tokens: 1000 }] },
  '/api/ai/analyze': sarif,
  '/api/ai/analyze/json': {
    analysis: [{ type: 'warning', message: 'careful', line: 1 }],
    score: 50,
    suggestions: ['s']
  },
  '/api/ai/analyze/batch': sarif,
  '/api/ai/optimize': {
    optimized_code: 'let a = 2\n',
    changes: [{ type: 'refactor', description: 'better', line: 1 }],
    improvements: ['better']
  },
  '/api/ai/generate': {
    id: FILE_ID,
    content: 'let a = 3\n',
    type: 'code',
    model: 'alpha-4o',
    tokens_used: 3,
    created_at: '2026-01-01T00:00:00.000Z'
  }
} as const

export type Path = keyof typeof honest

export interface Hostile {
  url: string
  /** The next responses, instead of the honest ones. */
  say: (answers: Partial<Record<Path, unknown>>) => void
  /** Every request fails with this status, body and headers. */
  fail: (status: number, body: unknown, headers?: Record<string, string>) => void
  download: (headers: Record<string, string>) => void
  /** The content of every file from now on. */
  hold: (content: Buffer) => void
}

function pathOf(url: string, accept: string): Path {
  const path = url.split('?')[0] ?? ''
  if (path === '/api/ai/analyze' && !accept.includes('sarif')) return '/api/ai/analyze/json'
  if (path.endsWith('/receipt')) return '/api/files/:id/receipt'
  return path in honest ? (path as Path) : '/api/files/:id'
}

/** A real server on loopback that sends scripted responses. */
export async function hostileServer(t: Test): Promise<Hostile> {
  let answers: Partial<Record<Path, unknown>> = {}
  let failure: { status: number; body: unknown; headers: Record<string, string> } | null = null
  let downloaded: Record<string, string> = {}
  let held: Buffer = CONTENT
  const server = createServer((request, response) => {
    request.resume()
    const { url = '', headers } = request
    const send = (status: number, body: unknown, more: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))
    }
    if (failure !== null) {
      send(failure.status, failure.body, failure.headers)
      return
    }
    if (url.endsWith('/download')) {
      const all = { etag: `"${sha256(held)}"`, 'content-length': String(held.length), ...downloaded }
      response.writeHead(200, all).end(held)
      return
    }
    if (request.method === 'DELETE') {
      send(200, { message: 'File deleted' })
      return
    }
    const path = pathOf(url, String(headers.accept))
    const folder = new URLSearchParams(url.split('?')[1]).get('folder') ?? ''
    // Prevents infinitely nested folders.
    const isDeep = path === '/api/folders' && folder.includes('/')
    const body = isDeep ? honest[path] : (answers[path] ?? honest[path])
    if (String(headers.accept).includes('event-stream')) {
      const { content } = body as { content: unknown }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        `event: token\ndata: ${JSON.stringify({ text: content })}\n\nevent: result\ndata: ${JSON.stringify(body)}\n\n`
      )
      return
    }
    send(200, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    say: (next) => {
      answers = next
      failure = null
      downloaded = {}
    },
    fail: (status, body, headers = {}) => {
      failure = { status, body, headers }
    },
    download: (headers) => {
      downloaded = headers
    },
    hold: (content) => {
      held = content
    }
  }
}

type Step = string | number

/** Every path in a value to a string, a number, an array or an object. */
export function placesIn(value: unknown, path: Step[] = []): Step[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...path, key]))]
}

/** The same value with one path replaced. */
export function replaced(value: unknown, [step, ...rest]: Step[], by: unknown): unknown {
  if (step === undefined) return by
  const copy: Record<Step, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) }
  copy[step] = replaced(copy[step], rest, by)
  return copy
}

export const valueAt = (value: unknown, path: Step[]): unknown =>
  path.reduce<unknown>((inner, step) => (inner as Record<Step, unknown>)[step], value)
