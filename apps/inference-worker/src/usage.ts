import {
  estimatePromptTokens,
  isModelError,
  type ChatRequest,
  type ChatResult,
  type ModelClient
} from '@filewright/llm'
import type { Engine, InferenceProgress } from '@filewright/queue'

export type Report = (progress: InferenceProgress) => Promise<void>

/** Everything one job spends on models, over all its calls. */
export interface Meter {
  chat: (request: ChatRequest, signal: AbortSignal, options?: { stream: boolean }) => Promise<ChatResult>
  tokensUsed: () => number
  modelUsed: () => string | undefined
  isSandbox: () => boolean
}

/** Batches: often enough to read along, seldom enough that a fast model does not flood Redis. */
const REPORT_EVERY_MS = 60
/**
 * Without a reader only the count travels, so that a request given up still shows what it cost. An answer
 * that is complete before needs none.
 */
const FIRST_COUNT_MS = 25
const COUNT_EVERY_MS = 1_000

export function createMeter(model: Pick<ModelClient, 'chat'>, report: Report, requestId?: string): Meter {
  let spent = 0
  let modelUsed: string | undefined
  let isSandbox = false

  async function chat(
    request: ChatRequest,
    signal: AbortSignal,
    { stream } = { stream: false }
  ): Promise<ChatResult> {
    const promptTokens = estimatePromptTokens(request.messages)
    let unsent = ''
    let sentChars = 0
    let pieces = 0
    // The first piece is reported at once: a reader sees that it begins.
    let lastReport = 0
    let counting: NodeJS.Timeout | undefined

    const flush = async (): Promise<void> => {
      const progress = {
        text: unsent,
        at: sentChars,
        tokensUsed: spent + promptTokens + pieces,
        ...(isSandbox ? { engine: 'sandbox' as const } : {})
      }
      sentChars += unsent.length
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
      pieces++
      if (!stream) {
        counting ??= setTimeout(count, FIRST_COUNT_MS)
        return
      }
      unsent += delta
      if (Date.now() - lastReport >= REPORT_EVERY_MS) await flush()
    }

    try {
      const result = await model.chat(request, { signal, onText, requestId })
      if (unsent !== '') await flush()
      spent += result.tokensUsed
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

  return { chat, tokensUsed: () => spent, modelUsed: () => modelUsed, isSandbox: () => isSandbox }
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
