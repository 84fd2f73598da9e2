import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { createLogger } from '@filewright/runtime'
import { poll, startOllamaServer, type OllamaServer, type OllamaServerOptions } from '@filewright/testing'
import {
  createOllamaClient,
  isModelError,
  type ChatRequest,
  type ModelClient,
  type ModelError,
  type OllamaClientOptions
} from '../../src/index.js'

export const never: AbortSignal = new AbortController().signal

/** For tests in which no deadline may expire, however busy the machine is. */
export const patient = { connectMs: 60_000, firstTokenMs: 60_000, idleMs: 60_000, totalMs: 120_000 }
/** For a runtime that never answers. */
export const impatient = { connectMs: 500, firstTokenMs: 500, idleMs: 500, totalMs: 60_000 }

export const request: ChatRequest = {
  model: 'alpha-4o-mini',
  messages: [{ role: 'user', content: 'Say something.' }]
}

export function clientFor(host: string, options: Partial<OllamaClientOptions> = {}): ModelClient {
  const mapping = { model: 'small:1b' }
  return createOllamaClient({
    host,
    models: { 'alpha-4o-mini': mapping, 'alpha-4o': mapping, 'beta-3': mapping, gamma: mapping },
    timeouts: patient,
    maxOutputBytes: 256 * 1024,
    logger: createLogger({ name: 'test', level: 'silent' }),
    ...options
  })
}

/** A fake server that is closed at the end, and must have no connection left by then. */
export async function setup(
  t: Test,
  server: OllamaServerOptions = {},
  client: Partial<OllamaClientOptions> = {}
): Promise<{ peer: OllamaServer; client: ModelClient }> {
  const peer = await startOllamaServer({
    models: ['small:1b'],
    respond: () => 'One two three four five.',
    ...server
  })
  const model = clientFor(peer.url, client)
  t.teardown(async () => {
    try {
      await model.close()
      await poll(() => peer.openConnections() === 0, { what: 'the end of all connections' })
    } finally {
      await peer.close()
    }
  })
  return { peer, client: model }
}

/** A server with scripted responses. */
export async function rawServer(
  t: Test,
  answer: (response: ServerResponse, body: string) => void
): Promise<string> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming
      .on('data', (piece: Buffer) => {
        chunks.push(piece)
      })
      .once('end', () => {
        answer(response, Buffer.concat(chunks).toString('utf8'))
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function failureOf(work: Promise<unknown>): Promise<ModelError> {
  try {
    await work
  } catch (error) {
    if (isModelError(error)) return error
    throw error
  }
  throw new Error('it did not fail')
}

export function chunk(content: string, rest: object = { done: false }): string {
  return `${JSON.stringify({ model: 'm', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content }, ...rest })}\n`
}
