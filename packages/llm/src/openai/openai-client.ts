import type { Readable } from 'node:stream'
import { request as send } from 'undici'
import type { ModelId } from '@filewright/contracts'
import { AppError, type Logger } from '@filewright/runtime'
import type { ChatOptions, ChatRequest, ChatResult, ModelClient, ProbeResult } from '../model-client.js'
import { isModelError, ModelError } from '../model-error.js'
import type { ModelMapping, OllamaTimeouts } from '../ollama/ollama-client.js'
import { fitsContext } from '../token-budget.js'
import { createCall, type Call } from '../transport/call.js'
import {
  connectionFailure,
  createConnections,
  MAX_ERROR_BYTES,
  MAX_WHOLE_BYTES,
  readUpTo
} from '../transport/connections.js'
import { isRecord } from '../transport/lines.js'
import { readChat, type ChatChunk } from '../transport/read-chat.js'
import { messageIn, responseFailure } from '../transport/response-failure.js'
import { completionBody, rejectedField, type OptionalField } from './completion-body.js'
import { lastChunk, readCompletion, sseChunks } from './sse-chunks.js'

export interface OpenAiClientOptions {
  /** Address up to and with the version, such as `http://127.0.0.1:8000/v1`. */
  baseUrl: string
  /** Sent as a bearer token; local servers usually need none. */
  apiKey?: string | undefined
  models: Readonly<Record<ModelId, ModelMapping>>
  timeouts: OllamaTimeouts
  maxOutputBytes: number
  /** Maximum context of any model. Default 32,768. */
  contextCap?: number
  /** Output tokens of a request without its own limit. Default 4,096. */
  defaultOutputTokens?: number
  /** The runtime continues a final assistant message. Default false. */
  prefill?: boolean
  logger: Logger
}

const PROBE_MS = 2_000
const JSON_BYTES_PER_BYTE = 6
const FRAME_BYTES = 64 * 1024

function addressOf(baseUrl: string): string {
  const text = /^https?:\/\//i.test(baseUrl) ? baseUrl : `http://${baseUrl}`
  if (!URL.canParse(text)) throw new AppError('CONFIG_INVALID', 'OPENAI_BASE_URL is not an address')
  return text.replace(/\/+$/, '')
}

/** Client for servers with OpenAI's chat completions: vLLM, llama.cpp, LM Studio, hosted ones. */
export function createOpenAiClient(options: OpenAiClientOptions): ModelClient {
  const {
    apiKey,
    models,
    timeouts,
    maxOutputBytes,
    contextCap = 32_768,
    defaultOutputTokens = 4_096,
    prefill = false,
    logger
  } = options
  const { connectMs, firstTokenMs, idleMs, totalMs } = timeouts
  const base = addressOf(options.baseUrl)
  const connections = createConnections({ connectMs })
  const authorization = apiKey === undefined || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }
  /** Fields that this server has rejected. */
  const rejected = new Set<OptionalField>()
  let closing: Promise<void> | undefined

  async function post(
    body: object,
    call: Call
  ): Promise<{ status: number; isWhole: boolean; response: Readable }> {
    try {
      const {
        statusCode,
        headers,
        body: response
      } = await send(`${base}/chat/completions`, {
        dispatcher: connections,
        signal: call.signal,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...authorization },
        body: JSON.stringify(body)
      })
      return {
        status: statusCode,
        isWhole: /\bjson\b/i.test(String(headers['content-type'] ?? '')),
        response
      }
    } catch (error) {
      throw connectionFailure(error, call.signal)
    }
  }

  /** A server that ignores `stream` sends everything at once. */
  async function* wholeAnswer(response: Readable): AsyncGenerator<ChatChunk> {
    const text = (await readUpTo(response, MAX_WHOLE_BYTES)).toString('utf8')
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new ModelError('protocol', "the model's answer is not JSON")
    }
    if (!isRecord(value) || !Array.isArray(value['choices'])) {
      throw new ModelError('protocol', "the model's answer is no completion")
    }
    const read = readCompletion(value, 'message')
    yield { message: { content: read.text }, done: false }
    yield lastChunk(read.reason ?? 'stop', read.usage)
  }

  async function* guarded(chunks: AsyncIterable<ChatChunk>, { signal }: Call): AsyncGenerator<ChatChunk> {
    try {
      yield* chunks
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw error instanceof ModelError
        ? error
        : new ModelError('cut-off', 'the model runtime closed the connection in mid-answer', { cause: error })
    }
  }

  async function ask(
    model: string,
    request: ChatRequest,
    { onText }: ChatOptions,
    call: Call
  ): Promise<ChatResult> {
    const maxOutputTokens = request.maxOutputTokens ?? defaultOutputTokens
    call.expectWithin(firstTokenMs, 'first token')
    for (;;) {
      const { status, isWhole, response } = await post(
        completionBody(model, request, { maxOutputTokens, rejected, prefill }),
        call
      )
      if (status !== 200) {
        const body = (
          await readUpTo(response, MAX_ERROR_BYTES).catch((error: unknown) => {
            throw connectionFailure(error, call.signal)
          })
        ).toString('utf8')
        const field = status === 400 || status === 422 ? rejectedField(messageIn(body), rejected) : undefined
        if (field === undefined) throw responseFailure(status, body)
        logger.info({ field }, 'the model runtime rejected a field, retrying without it')
        rejected.add(field)
        continue
      }
      const clock = {
        onLine: () => {
          call.arrived()
        },
        onWait: () => {
          call.expectWithin(idleMs, 'next token')
        }
      }
      const chunks = isWhole
        ? wholeAnswer(response)
        : sseChunks(response, { ...clock, maxLineBytes: maxOutputBytes * JSON_BYTES_PER_BYTE + FRAME_BYTES })
      try {
        return await readChat(guarded(chunks, call), {
          call,
          model,
          messages: request.messages,
          maxOutputTokens,
          maxOutputBytes,
          onText,
          prefill: prefill ? request.prefill : undefined
        })
      } finally {
        if (!response.readableEnded) response.destroy()
      }
    }
  }

  async function chat(request: ChatRequest, chatOptions: ChatOptions): Promise<ChatResult> {
    const { model, fallback } = models[request.model]
    if (
      !fitsContext(
        request.messages,
        request.model,
        request.maxOutputTokens ?? defaultOutputTokens,
        contextCap
      )
    ) {
      const reason = `the request does not fit the context of ${request.model}`
      throw new AppError('INVALID_AI_REQUEST', reason, { rejection: { code: 'too-long', reason } })
    }
    const call = createCall({ signal: chatOptions.signal, totalMs })
    try {
      call.signal.throwIfAborted()
      return await ask(model, request, chatOptions, call)
    } catch (error) {
      const replaceable = isModelError(error, 'missing') || isModelError(error, 'unloadable')
      if (!replaceable || fallback === undefined || fallback === model) throw error
      logger.warn(
        { requestId: chatOptions.requestId, model, fallback, reason: error.reason },
        'model cannot be used, asking its fallback'
      )
      return await ask(fallback, request, chatOptions, call)
    } finally {
      call.close()
    }
  }

  async function probe(signal?: AbortSignal): Promise<ProbeResult> {
    const call = createCall({ signal, totalMs: PROBE_MS })
    try {
      const { statusCode, body } = await send(`${base}/models`, {
        dispatcher: connections,
        signal: call.signal,
        headers: authorization
      })
      const text = (await readUpTo(body, MAX_WHOLE_BYTES)).toString('utf8')
      // Some servers have no model list. Then it is only known that they respond.
      if (statusCode === 404 || statusCode === 405) return { version: 'OpenAI API', missing: [] }
      if (statusCode !== 200) throw responseFailure(statusCode, text)
      const { data } = JSON.parse(text) as { data?: unknown }
      if (!Array.isArray(data)) {
        throw new ModelError('protocol', "what answers at OPENAI_BASE_URL does not speak OpenAI's API")
      }
      const names = new Set(data.filter(isRecord).map(({ id }) => id))
      const wanted = Object.values(models).flatMap(({ model, fallback }) =>
        fallback === undefined ? [model] : [model, fallback]
      )
      return { version: 'OpenAI API', missing: [...new Set(wanted)].filter((name) => !names.has(name)) }
    } catch (error) {
      if (error instanceof SyntaxError) {
        throw new ModelError('protocol', "what answers at OPENAI_BASE_URL does not speak OpenAI's API", {
          cause: error
        })
      }
      throw connectionFailure(error, call.signal)
    } finally {
      call.close()
    }
  }

  return {
    chat,
    probe,
    pull: async (model) => {
      throw new ModelError('refused', `${model} cannot be pulled through OpenAI's API`)
    },
    close: async () => {
      await (closing ??= connections.close())
    }
  }
}
