import { Ollama } from 'ollama'
import type { ModelId } from '@filewright/contracts'
import { AppError, type Logger } from '@filewright/runtime'
import type {
  ChatOptions,
  ChatRequest,
  ChatResult,
  ModelClient,
  ProbeResult,
  PullProgress
} from '../model-client.js'
import { isModelError, ModelError } from '../model-error.js'
import { messagesFor } from '../messages-for.js'
import { contextTokensOf, fitsContext } from '../token-budget.js'
import { createCall, type Call } from '../transport/call.js'
import { createConnections } from '../transport/connections.js'
import { readChat } from '../transport/read-chat.js'
import { createCallFetch } from './call-fetch.js'

export interface ModelMapping {
  model: string
  /** Used when the runtime lacks `model` or cannot load it. */
  fallback?: string
}

export interface OllamaTimeouts {
  connectMs: number
  firstTokenMs: number
  idleMs: number
  totalMs: number
}

export interface OllamaClientOptions {
  host: string
  models: Readonly<Record<ModelId, ModelMapping>>
  timeouts: OllamaTimeouts
  maxOutputBytes: number
  /** Maximum context for any model. Default 32,768. */
  contextCap?: number
  /** Output tokens of a request without its own limit. Default 4,096. */
  defaultOutputTokens?: number
  /** The runtime continues a final assistant message. Default false. */
  prefill?: boolean
  logger: Logger
}

const PROBE_MS = 2_000
/** Verifying a model of many gigabytes takes a while without output. */
const PULL_IDLE_MS = 120_000
const PULL_LINE_BYTES = 64 * 1024
/** A byte of text takes at most six in JSON (\u0000), and a line has its envelope. */
const JSON_BYTES_PER_BYTE = 6
const FRAME_BYTES = 64 * 1024

/** `llama3` and `llama3:latest` are the same model to the runtime. */
function canonical(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).includes(':') ? name : `${name}:latest`
}

export function createOllamaClient(options: OllamaClientOptions): ModelClient {
  const {
    host,
    models,
    timeouts,
    maxOutputBytes,
    contextCap = 32_768,
    defaultOutputTokens = 4_096,
    prefill = false,
    logger
  } = options
  const { connectMs, firstTokenMs, idleMs, totalMs } = timeouts
  try {
    // eslint-disable-next-line no-new -- only to have the address checked now and not with the first job
    new Ollama({ host })
  } catch (error) {
    throw new AppError('CONFIG_INVALID', 'OLLAMA_HOST is not an address', { cause: error })
  }

  const connections = createConnections({ connectMs })
  let closing: Promise<void> | undefined

  async function ask(
    model: string,
    request: ChatRequest,
    { onText }: ChatOptions,
    call: Call
  ): Promise<ChatResult> {
    const maxOutputTokens = request.maxOutputTokens ?? defaultOutputTokens
    const fetch = createCallFetch({
      call,
      connections,
      body: { kind: 'lines', idleMs, maxLineBytes: maxOutputBytes * JSON_BYTES_PER_BYTE + FRAME_BYTES }
    })
    call.expectWithin(firstTokenMs, 'first token')
    const chunks = await new Ollama({ host, fetch }).chat({
      model,
      messages: messagesFor(request, prefill),
      stream: true,
      // Reasoning models would spend the output on it. Others ignore the option.
      think: false,
      ...(request.format === undefined ? {} : { format: request.format }),
      options: {
        // The same for every request to a model: Ollama reloads the model whenever it changes.
        num_ctx: contextTokensOf(request.model, contextCap),
        num_predict: maxOutputTokens,
        temperature: request.temperature ?? 0,
        seed: request.seed ?? 1,
        ...(request.stop === undefined ? {} : { stop: [...request.stop] })
      }
    })
    return await readChat(chunks, {
      call,
      model,
      messages: request.messages,
      maxOutputTokens,
      maxOutputBytes,
      onText,
      prefill: prefill ? request.prefill : undefined
    })
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
    const withCall = async (name: string, call: Call): Promise<ChatResult> => {
      try {
        return await ask(name, request, chatOptions, call)
      } catch (error) {
        if (!call.signal.aborted || isModelError(error)) throw error
        throw call.signal.reason
      }
    }
    const call = createCall({ signal: chatOptions.signal, totalMs })
    try {
      return await withCall(model, call)
    } catch (error) {
      const replaceable = isModelError(error, 'missing') || isModelError(error, 'unloadable')
      if (!replaceable || fallback === undefined || canonical(fallback) === canonical(model)) throw error
      logger.warn(
        { requestId: chatOptions.requestId, model, fallback, reason: error.reason },
        'model cannot be used, asking its fallback'
      )
      return await withCall(fallback, call)
    } finally {
      call.close()
    }
  }

  async function probe(signal?: AbortSignal): Promise<ProbeResult> {
    const call = createCall({ signal, totalMs: PROBE_MS })
    try {
      const ollama = new Ollama({
        host,
        fetch: createCallFetch({ call, connections, body: { kind: 'whole' } })
      })
      const [{ version }, { models: present }] = await Promise.all([ollama.version(), ollama.list()])
      const names = new Set(present.map(({ name }) => canonical(name)))
      const wanted = Object.values(models).flatMap(({ model, fallback }) =>
        fallback === undefined ? [model] : [model, fallback]
      )
      return { version, missing: [...new Set(wanted)].filter((name) => !names.has(canonical(name))) }
    } catch (error) {
      if (isModelError(error)) throw error
      throw new ModelError('protocol', 'what answers at OLLAMA_HOST is not Ollama', { cause: error })
    } finally {
      call.close()
    }
  }

  async function pull(
    model: string,
    onProgress: (progress: PullProgress) => void,
    signal: AbortSignal
  ): Promise<void> {
    const call = createCall({ signal })
    try {
      call.expectWithin(PULL_IDLE_MS, 'progress of a pull')
      const fetch = createCallFetch({
        call,
        connections,
        body: { kind: 'lines', idleMs: PULL_IDLE_MS, maxLineBytes: PULL_LINE_BYTES }
      })
      for await (const { status, completed, total } of await new Ollama({ host, fetch }).pull({
        model,
        stream: true
      })) {
        onProgress({
          status,
          ...(completed === undefined ? {} : { completedBytes: completed }),
          ...(total === undefined ? {} : { totalBytes: total })
        })
      }
    } catch (error) {
      if (isModelError(error)) throw error
      throw new ModelError('cut-off', `the pull of ${model} ended early`, { cause: error })
    } finally {
      call.close()
    }
  }

  return {
    chat,
    probe,
    pull,
    close: async () => {
      await (closing ??= connections.close())
    }
  }
}
