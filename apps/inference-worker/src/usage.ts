import {
  estimatePromptTokens,
  isModelError,
  type ChatRequest,
  type ChatResult,
  type ModelClient
} from '@filewright/llm'
import type { Engine, InferenceProgress } from '@filewright/queue'

export type Report = (progress: InferenceProgress) => Promise<void>

export interface MeterOptions {
  /** The client streams the response. */
  stream?: boolean
  /** Characters that the reader has before this text. */
  at?: number
  /** Holds back the text while this returns true; `release` shows it after all. */
  hold?: (text: string) => boolean
}

/** Everything that one job spends on models, over all its calls. */
export interface Meter {
  chat: (request: ChatRequest, signal: AbortSignal, options?: MeterOptions) => Promise<ChatResult>
  /** Shows everything that was held back. */
  release: () => Promise<void>
  /** How much of the response the reader has seen. */
  shownChars: () => number
  tokensUsed: () => number
  modelUsed: () => string | undefined
  isSandbox: () => boolean
}

/** The same request at temperature 0 with the same seed would get the same response. */
export const ANOTHER_TRY = { temperature: 0.4, seed: 2 }

/** Batches: frequent enough to follow, rare enough that a fast model does not flood Redis. */
const REPORT_EVERY_MS = 60
/**
 * Without a reader only the token count is sent, so that an abandoned request still shows its cost. A
 * response that is complete before that needs none.
 */
const FIRST_COUNT_MS = 25
const COUNT_EVERY_MS = 1_000

export interface MeterDeps {
  model: Pick<ModelClient, 'chat'>
  report: Report
  requestId?: string
  /** Of the job, starting at 1. */
  attempt?: number
  /** For requests without one. Default 0. */
  temperature?: number
}

export function createMeter(deps: MeterDeps): Meter {
  const { model, report, requestId, attempt = 1, temperature = 0 } = deps
  let spent = 0
  let shown = 0
  let release: () => Promise<void> = async () => {}
  let modelUsed: string | undefined
  let isSandbox = false

  async function chat(
    asked: ChatRequest,
    signal: AbortSignal,
    { stream = false, at = 0, hold }: MeterOptions = {}
  ): Promise<ChatResult> {
    // A retried job already failed with the unchanged request.
    const request = { temperature, ...(attempt === 1 ? {} : ANOTHER_TRY), ...asked }
    // Our own count, until the model reports its own.
    let spending = estimatePromptTokens(request.messages)
    let unsent = ''
    let isHeld = hold !== undefined
    let sentChars = at
    // The first chunk is reported at once, so that the reader sees the start.
    let lastReport = 0
    let counting: NodeJS.Timeout | undefined

    const flush = async (): Promise<void> => {
      const progress = {
        text: unsent,
        at: sentChars,
        tokensUsed: spent + spending,
        ...(isSandbox ? { engine: 'sandbox' as const } : {})
      }
      sentChars += unsent.length
      shown = Math.max(shown, sentChars)
      unsent = ''
      lastReport = Date.now()
      await report(progress)
    }
    // Not awaited.
    const count = (): void => {
      void flush()
      counting = setTimeout(count, COUNT_EVERY_MS)
    }
    // Awaited, so that the model is read no faster than Redis accepts the text.
    const onText = async (delta: string, fromSandbox: boolean): Promise<void> => {
      isSandbox = fromSandbox
      spending++
      if (!stream) {
        counting ??= setTimeout(count, FIRST_COUNT_MS)
        return
      }
      unsent += delta
      isHeld &&= hold?.(unsent) === true
      if (!isHeld && Date.now() - lastReport >= REPORT_EVERY_MS) await flush()
    }

    try {
      const result = await model.chat(request, { signal, onText, requestId })
      release = async () => {
        if (unsent !== '') await flush()
      }
      if (!isHeld) await release()
      spent += result.tokensUsed
      spending = 0
      modelUsed = result.model
      isSandbox = result.isSandbox
      return result
    } catch (error) {
      if (isModelError(error)) spent += error.usage?.tokensUsed ?? 0
      throw error
    } finally {
      clearTimeout(counting)
    }
  }

  return {
    chat,
    release: async () => {
      await release()
    },
    shownChars: () => shown,
    tokensUsed: () => spent,
    modelUsed: () => modelUsed,
    isSandbox: () => isSandbox
  }
}

/** The part of an outcome that names the engine and its cost. */
export function usageOf(
  meter: Meter,
  asked: Engine
): { engine: Engine; tokensUsed: number; modelUsed?: string } {
  const modelUsed = meter.modelUsed()
  const engine = asked !== 'static' && meter.isSandbox() ? 'sandbox' : asked
  return { engine, tokensUsed: meter.tokensUsed(), ...(modelUsed === undefined ? {} : { modelUsed }) }
}
