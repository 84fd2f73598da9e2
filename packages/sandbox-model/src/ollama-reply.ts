import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { countTokens, piecesOf, type OllamaRequest } from './ollama-protocol.js'

export interface Pace {
  /** Before the first token: loading and reading the prompt. */
  firstTokenMs: number
  perTokenMs: number
}

export interface Reply {
  /** Aborts when the client has disconnected. */
  signal: AbortSignal
  /** One token, at the set pace; waits while the client reads slowly. */
  token: (text: string) => Promise<void>
  /** The last line, with counts and reason. */
  done: (reason: 'stop' | 'length' | 'load', extra?: Readonly<Record<string, unknown>>) => void
  /** Bytes that violate the protocol. */
  raw: (bytes: string | Buffer) => Promise<void>
}

/** One chat or generate call, for tests that answer it in unusual ways. */
export interface Exchange {
  request: OllamaRequest
  reply: Reply
  response: ServerResponse
  /** The server's regular response. */
  text: () => Promise<string>
  /** Closes the connection from the server's side. */
  cut: (how: 'fin' | 'rst') => void
}

/** Sees a call before it is answered; returns true if it has handled it. */
export type Interceptor = (exchange: Exchange) => Promise<boolean> | boolean

export interface ReplyOptions {
  response: ServerResponse
  /** `openai`: chat completions, which Ollama supports as well. */
  endpoint: 'chat' | 'generate' | 'openai'
  request: OllamaRequest
  pace: Pace
  /** Marks every line of the response as the sandbox's. */
  isSandbox: boolean
}

/** The streamed or complete response to one chat or generate request. */
export function createReply({ response, endpoint, request, pace, isSandbox }: ReplyOptions): Reply {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const { signal } = gone
  const startedAt = process.hrtime.bigint()
  const nanoseconds = (): number => Number(process.hrtime.bigint() - startedAt)
  let whole = ''
  let tokens = 0

  const isOpenAi = endpoint === 'openai'
  const event = (value: object): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: request.model, ...value })}\n\n`

  const body = (text: string): object =>
    endpoint === 'chat' ? { message: { role: 'assistant', content: text } } : { response: text }
  const frame = (text: string, done: boolean): object => ({
    model: request.model,
    created_at: new Date().toISOString(),
    ...body(text),
    done,
    ...(isSandbox ? { sandbox: true } : {})
  })

  function begin(): void {
    if (!response.headersSent) {
      response.writeHead(200, {
        'content-type': isOpenAi
          ? 'text/event-stream'
          : request.stream
            ? 'application/x-ndjson'
            : 'application/json; charset=utf-8'
      })
    }
  }

  async function raw(bytes: string | Buffer): Promise<void> {
    if (signal.aborted) return
    begin()
    if (
      !response.write(
        isOpenAi && typeof bytes === 'string' && bytes.startsWith('{') ? `data: ${bytes}` : bytes
      )
    ) {
      await once(response, 'drain', { signal }).catch(() => {})
    }
  }

  async function token(text: string): Promise<void> {
    const delayMs = tokens === 0 ? pace.firstTokenMs + pace.perTokenMs : pace.perTokenMs
    if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    tokens++
    if (isOpenAi) await raw(event({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] }))
    else if (request.stream) await raw(`${JSON.stringify(frame(text, false))}\n`)
    else whole += text
  }

  function done(reason: string, extra: Readonly<Record<string, unknown>> = {}): void {
    if (signal.aborted) return
    begin()
    const promptTokens = countTokens(request.messages)
    if (isOpenAi) {
      const usage =
        'eval_count' in extra
          ? {}
          : {
              usage: {
                prompt_tokens: promptTokens,
                completion_tokens: tokens,
                total_tokens: promptTokens + tokens
              }
            }
      response.end(
        `${event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })}${event({ choices: [], ...usage })}data: [DONE]\n\n`
      )
      return
    }
    response.end(
      `${JSON.stringify({
        ...frame(whole, true),
        done_reason: reason,
        total_duration: nanoseconds(),
        load_duration: 0,
        // An over-long prompt is truncated silently, as by the real server.
        prompt_eval_count: Math.min(promptTokens, request.options.num_ctx ?? 4_096),
        prompt_eval_duration: 0,
        eval_count: tokens,
        eval_duration: nanoseconds(),
        ...extra
      })}\n`
    )
  }

  return { signal, token, done, raw }
}

/** A complete response: the text in tokens, truncated at `num_predict`. */
export async function answer(reply: Reply, text: string, request: OllamaRequest): Promise<void> {
  const pieces = piecesOf(text)
  const limit = request.options.num_predict ?? -1
  const shown = limit >= 0 ? pieces.slice(0, limit) : pieces
  for (const piece of shown) {
    await reply.token(piece)
    if (reply.signal.aborted) return
  }
  reply.done(shown.length < pieces.length ? 'length' : 'stop')
}
