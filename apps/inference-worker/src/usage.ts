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
  /** The client reads along. */
  stream?: boolean
  /** Characters that the reader has before this text. */
  at?: number
  /** Nothing is shown while this says so of what was written so far; `release` shows it after all. */
  hold?: (text: string) => boolean
}

/** Everything one job spends on models, over all its calls. */
export interface Meter {
  chat: (request: ChatRequest, signal: AbortSignal, options?: MeterOptions) => Promise<ChatResult>
  /** Shows what was held back to its end. */
  release: () => Promise<void>
  /** How much of the answer a reader has seen. */
  shownChars: () => number
  tokensUsed: () => number
  modelUsed: () => string | undefined
  isSandbox: () => boolean
}

/** The same request at temperature 0 with the same seed would be answered in the same way. */
export const ANOTHER_TRY = { temperature: 0.4, seed: 2 }

/** Batches: often enough to read along, seldom enough that a fast model does not flood Redis. */
const REPORT_EVERY_MS = 60
/**
 * Without a reader only the count travels, so that a request given up still shows what it cost. An answer
 * that is complete before needs none.
 */
const FIRST_COUNT_MS = 25
const COUNT_EVERY_MS = 1_000

export interface MeterDeps {
  model: Pick<ModelClient, 'chat'>
  report: Report
  requestId?: string
  /** Of the job, from 1. */
  attempt?: number
  /** Of requests that name none. Default 0. */
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
    // A job that is tried again failed with the request as it was.
    const request = { temperature, ...(attempt === 1 ? {} : ANOTHER_TRY), ...asked }
    // By our own count, until the model gives its own.
    let spending = estimatePromptTokens(request.messages)
    let unsent = ''
    let isHeld = hold !== undefined
    let sentChars = at
    // The first piece is reported at once: a reader sees that it begins.
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
    // Nobody waits for it.
    const count = (): void => {
      void flush()
      counting = setTimeout(count, COUNT_EVERY_MS)
    }
    // Awaited by the client, so the model is read no faster than Redis takes what a reader is to see.
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

/** The part of an outcome that says who answered and what it cost. */
export function usageOf(
  meter: Meter,
  asked: Engine
): { engine: Engine; tokensUsed: number; modelUsed?: string } {
  const modelUsed = meter.modelUsed()
  const engine = asked !== 'static' && meter.isSandbox() ? 'sandbox' : asked
  return { engine, tokensUsed: meter.tokensUsed(), ...(modelUsed === undefined ? {} : { modelUsed }) }
}
