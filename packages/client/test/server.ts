import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { Filewright, type FilewrightOptions } from '../src/index.js'

export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export type Answer = (response: ServerResponse, seen: Seen) => void

export const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

/** A stored file as the service describes it. */
export const storedFile = {
  id: 'x',
  name: 'a.txt',
  size: 5,
  type: 'text/plain',
  url: 'http://127.0.0.1/cdn/files/x',
  download_url: 'http://127.0.0.1/files/x/download',
  created_at: '2026-01-01T00:00:00.000Z',
  folder: '',
  description: null,
  sha256: '0'.repeat(64),
  scanned_at: '2026-01-01T00:00:00.000Z',
  scanner: 'ClamAV 1.4'
}

/** Closes the connection without a response. */
export const hangUp: Answer = (response) => {
  response.socket?.destroy()
}

/**
 * A server that sends these responses in turn, the last one forever, and a client for it with short delays.
 */
export async function scripted(t: Test, answers: Answer[], options: Partial<FilewrightOptions> = {}) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() }
      seen.push(one)
      const answer = answers[Math.min(seen.length, answers.length) - 1]
      answer?.(response, one)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const client = new Filewright({
    baseUrl: `http://127.0.0.1:${port}/`,
    token: 'secret',
    retryDelayMs: 1,
    ...options
  })
  return { client, seen, port, server }
}
