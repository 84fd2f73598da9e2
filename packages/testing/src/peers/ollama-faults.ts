import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answer,
  piecesOf,
  type Exchange,
  type Interceptor,
  type OllamaRequest
} from '@filewright/sandbox-model'

/** The fault of one response. `afterTokens` tokens of the right response come before it; default 0. */
export type Fault =
  | { kind: 'none' }
  /** The right response, but late. */
  | { kind: 'slow'; firstTokenMs?: number; perTokenMs?: number }
  /** Nothing more, and the connection stays open. */
  | { kind: 'frozen'; afterTokens?: number }
  /** Endless tokens, ignoring `num_predict`. */
  | { kind: 'endless'; token?: string }
  | { kind: 'invalid-json'; afterTokens?: number }
  /** Valid on the wire, but the text violates `format`. */
  | { kind: 'schema-breaking'; text?: string }
  /** The connection ends in the middle of the stream. */
  | { kind: 'cut'; how: 'fin' | 'rst'; afterTokens?: number }
  | { kind: 'status'; status: number; message?: string }
  /** 404 for every model, or only for the named one. */
  | { kind: 'wrong-model'; model?: string }
  | { kind: 'error-line'; message?: string; afterTokens?: number }
  /** In one endless line, or in lines. Default 100 MB in lines. */
  | { kind: 'huge'; bytes?: number; shape?: 'line' | 'lines' }
  | { kind: 'no-counts' }
  /** Truncated at a number of tokens, and says so. */
  | { kind: 'length'; afterTokens?: number }
  /** 200 with a web page. */
  | { kind: 'html' }
  /** 200 with nothing. */
  | { kind: 'empty' }

/**
 * The first call gets the first fault; calls after the last are answered properly. Or a function that decides
 * per call.
 */
export type FaultScript = readonly Fault[] | ((request: OllamaRequest, index: number) => Fault | undefined)

type Play<K extends Fault['kind']> = (exchange: Exchange, fault: Extract<Fault, { kind: K }>) => Promise<void>

const CHUNK_BYTES = 64 * 1024

async function begin({ reply, text }: Exchange, afterTokens = 0): Promise<void> {
  const pieces = piecesOf(await text())
  for (let index = 0; index < afterTokens; index++) await reply.token(pieces[index] ?? 'x')
}

async function clientGone({ reply, response }: Exchange): Promise<void> {
  if (!reply.signal.aborted) await once(response, 'close')
}

async function flood(exchange: Exchange, token: string, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes && !exchange.reply.signal.aborted; sent += token.length) {
    await exchange.reply.token(token)
    // A stream that never fills would keep the event loop from noticing a disconnect.
    await new Promise(setImmediate)
  }
}

const plays: { [K in Fault['kind']]: Play<K> } = {
  none: async ({ reply, request, text }) => await answer(reply, await text(), request),

  slow: async ({ reply, request, text }, { firstTokenMs = 0, perTokenMs = 0 }) => {
    await sleep(firstTokenMs, undefined, { signal: reply.signal }).catch(() => {})
    const slowly = async (token: string): Promise<void> => {
      await sleep(perTokenMs, undefined, { signal: reply.signal }).catch(() => {})
      await reply.token(token)
    }
    await answer({ ...reply, token: slowly }, await text(), request)
  },

  frozen: async (exchange, { afterTokens }) => {
    await begin(exchange, afterTokens)
    await clientGone(exchange)
  },

  endless: async (exchange, { token = 'and on ' }) => await flood(exchange, token, Infinity),

  'invalid-json': async (exchange, { afterTokens }) => {
    await begin(exchange, afterTokens)
    await exchange.reply.raw('{"model":"x","message":{"role":"assistant","content":"torn\n')
    exchange.reply.done('stop')
  },

  'schema-breaking': async (
    { reply, request },
    { text = '{"findings":[{"line":-1,"anchor":7}],"extra":tr' }
  ) => await answer(reply, text, request),

  cut: async (exchange, { how, afterTokens = 1 }) => {
    await begin(exchange, afterTokens)
    exchange.cut(how)
    await clientGone(exchange)
  },

  status: async ({ response }, { status, message = 'something went wrong' }) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: message }))
  },

  'wrong-model': async (exchange, { model }) => {
    const { request, response } = exchange
    if (model !== undefined && model !== request.model) return await plays.none(exchange, { kind: 'none' })
    response
      .writeHead(404, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: `model '${request.model}' not found` }))
  },

  'error-line': async (
    exchange,
    { message = 'an error was encountered while running the model', afterTokens = 1 }
  ) => {
    await begin(exchange, afterTokens)
    await exchange.reply.raw(`${JSON.stringify({ error: message })}\n`)
    exchange.response.end()
  },

  huge: async (exchange, { bytes = 100 * 1024 * 1024, shape = 'lines' }) => {
    const { reply, response } = exchange
    if (shape === 'lines') {
      await flood(exchange, 'x'.repeat(CHUNK_BYTES), bytes)
      return reply.done('stop')
    }
    const chunk = Buffer.alloc(CHUNK_BYTES, 'x')
    await reply.raw('{"model":"x","message":{"role":"assistant","content":"')
    for (let sent = 0; sent < bytes && !reply.signal.aborted; sent += chunk.length) await reply.raw(chunk)
    response.end('"},"done":false}\n')
  },

  'no-counts': async ({ reply, request, text }) => {
    const done: typeof reply.done = (reason) =>
      reply.done(reason, { prompt_eval_count: undefined, eval_count: undefined })
    await answer({ ...reply, done }, await text(), request)
  },

  length: async (exchange, { afterTokens = 5 }) => {
    await begin(exchange, afterTokens)
    exchange.reply.done('length')
  },

  html: async ({ response }) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html>\n<title>Welcome</title>\n<p>It works.\n')
  },

  empty: async ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end()
  }
}

export function createFaultInterceptor(script: FaultScript): Interceptor {
  let index = 0
  return async (exchange) => {
    const number = index++
    const fault = typeof script === 'function' ? script(exchange.request, number) : script[number]
    if (fault === undefined) return false
    await (plays[fault.kind] as Play<Fault['kind']>)(exchange, fault as never)
    return true
  }
}

const faults: ReadonlyArray<(below: (limit: number) => number) => Fault> = [
  () => ({ kind: 'none' }),
  (below) => ({ kind: 'slow', firstTokenMs: below(100), perTokenMs: below(10) }),
  (below) => ({ kind: 'frozen', afterTokens: below(6) }),
  () => ({ kind: 'endless' }),
  (below) => ({ kind: 'invalid-json', afterTokens: below(6) }),
  () => ({ kind: 'schema-breaking' }),
  (below) => ({ kind: 'cut', how: below(2) === 0 ? 'fin' : 'rst', afterTokens: below(6) }),
  (below) => ({ kind: 'status', status: [400, 404, 429, 500, 502, 503][below(6)] ?? 500 }),
  () => ({ kind: 'wrong-model' }),
  (below) => ({ kind: 'error-line', afterTokens: below(6) }),
  (below) => ({ kind: 'huge', shape: below(2) === 0 ? 'line' : 'lines' }),
  () => ({ kind: 'no-counts' }),
  (below) => ({ kind: 'length', afterTokens: below(20) }),
  () => ({ kind: 'html' }),
  () => ({ kind: 'empty' })
]

/** Any fault, from numbers in [0, 1) that a seed can replay. */
export function randomFault(random: () => number): Fault {
  const below = (limit: number): number => Math.floor(random() * limit)
  const make = faults[below(faults.length)] ?? faults[0]
  return make === undefined ? { kind: 'none' } : make(below)
}
