import type { ChatMessage, ChatOptions, ChatResult, TokenUsage } from '../model-client.js'
import { isModelError, ModelError } from '../model-error.js'
import { estimatePromptTokens } from '../token-budget.js'
import type { Call } from './call.js'

/** One chunk of a streamed response, in Ollama's format; other runtimes are converted to it. */
export interface ChatChunk {
  message?: { content?: unknown }
  done: boolean
  done_reason?: string | undefined
  eval_count?: number | undefined
  prompt_eval_count?: number | undefined
}

export interface ReadChatOptions {
  call: Call
  model: string
  messages: readonly ChatMessage[]
  maxOutputTokens: number
  maxOutputBytes: number
  onText: ChatOptions['onText']
  /** The prefill: how the model was told that its response starts. */
  prefill?: string | undefined
}

const FENCE = '```'

/** A line is a token or more, so a runtime that keeps its limit never reaches this. */
const maxLinesFor = (maxOutputTokens: number): number => maxOutputTokens * 2 + 256

/** A runtime's own count, if it is plausible; otherwise our own. */
function countOf(value: unknown, own: number, most: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : own
}

/** Our estimate errs upwards; a chat template and another tokenizer may still add to it. */
const mostPromptTokens = (estimate: number): number => estimate * 4 + 4_096

function usageOf(promptTokens: number, outputTokens: number): TokenUsage {
  return { promptTokens, outputTokens, tokensUsed: promptTokens + outputTokens }
}

/** Collects a streamed response, passing it on as it arrives and no faster than it is consumed. */
export async function readChat(
  chunks: AsyncIterable<ChatChunk>,
  options: ReadChatOptions
): Promise<ChatResult> {
  const { call, model, messages, maxOutputTokens, maxOutputBytes, onText, prefill = '' } = options
  let text = ''
  let bytes = 0
  let lines = 0
  // Ollama streams one token per line, so this count is used when it sends none.
  let pieces = 0

  // The start of the response, until it shows whether the model repeated the prefill.
  let beginning = ''
  let isBegun = prefill === ''

  async function take(delta: string, isSandbox: boolean, isLast = false): Promise<void> {
    if (isBegun) {
      if (delta !== '') await hand(delta, isSandbox)
      return
    }
    beginning += delta
    const written = beginning.trimStart()
    if (written.length < FENCE.length && !isLast) return
    isBegun = true
    await hand(written.startsWith(FENCE) ? beginning : prefill + beginning, isSandbox)
  }

  async function hand(delta: string, isSandbox: boolean): Promise<void> {
    bytes += Buffer.byteLength(delta)
    if (bytes > maxOutputBytes) {
      throw new ModelError('too-large', `the model wrote more than ${maxOutputBytes} bytes`)
    }
    text += delta
    pieces++
    const delivered = onText?.(delta, isSandbox)
    if (delivered !== undefined) await call.untilAborted(Promise.resolve(delivered))
  }

  try {
    for await (const chunk of chunks) {
      if (++lines > maxLinesFor(maxOutputTokens)) {
        throw new ModelError('too-large', `the model went on after ${maxOutputTokens} tokens`)
      }
      const delta: unknown = chunk.message?.content ?? ''
      if (typeof delta !== 'string') throw new ModelError('protocol', "the model's text is not text")
      const isSandbox = (chunk as { sandbox?: unknown }).sandbox === true
      if (delta !== '' || chunk.done) await take(delta, isSandbox, chunk.done)
      if (!chunk.done) continue

      const estimate = estimatePromptTokens(messages)
      const outputTokens = countOf(chunk.eval_count, pieces, maxLinesFor(maxOutputTokens))
      const promptTokens = countOf(chunk.prompt_eval_count, estimate, mostPromptTokens(estimate))
      // Older runtimes send no reason; then a full output is the sign.
      const cut =
        chunk.done_reason === undefined ? outputTokens >= maxOutputTokens : chunk.done_reason === 'length'
      return {
        text,
        model,
        isSandbox,
        ...usageOf(promptTokens, outputTokens),
        finish: cut ? 'length' : 'stop'
      }
    }
    throw new ModelError('cut-off', "the model's answer has no end")
  } catch (error) {
    const failure = toFailure(error)
    if (isModelError(failure) && lines > 0) failure.usage = usageOf(estimatePromptTokens(messages), pieces)
    throw failure
  }
}

/** The client throws a plain error only for a stream that ends without its last line. */
function toFailure(error: unknown): unknown {
  return error instanceof Error && error.message.startsWith('Did not receive done')
    ? new ModelError('cut-off', "the model's answer has no end", { cause: error })
    : error
}
