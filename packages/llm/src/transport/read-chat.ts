import type { ChatMessage, ChatOptions, ChatResult, TokenUsage } from '../model-client.js'
import { isModelError, ModelError } from '../model-error.js'
import { estimatePromptTokens } from '../token-budget.js'
import type { Call } from './call.js'

/** One piece of a streamed answer, as Ollama writes it and as other runtimes are translated. */
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
}

/** A line is a token or more, so a runtime that keeps to its limit never comes near this. */
const maxLinesFor = (maxOutputTokens: number): number => maxOutputTokens * 2 + 256

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function usageOf(promptTokens: number, outputTokens: number): TokenUsage {
  return { promptTokens, outputTokens, tokensUsed: promptTokens + outputTokens }
}

/** Collects a streamed answer, handing it on as it comes and no faster than it is taken. */
export async function readChat(
  chunks: AsyncIterable<ChatChunk>,
  options: ReadChatOptions
): Promise<ChatResult> {
  const { call, model, messages, maxOutputTokens, maxOutputBytes, onText } = options
  let text = ''
  let bytes = 0
  let lines = 0
  // Ollama streams one token per line, so this is the count to go by when it gives none.
  let pieces = 0

  async function take(delta: string, isSandbox: boolean): Promise<void> {
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
      if (delta !== '') await take(delta, isSandbox)
      if (!chunk.done) continue

      const outputTokens = isCount(chunk.eval_count) ? chunk.eval_count : pieces
      const promptTokens = isCount(chunk.prompt_eval_count)
        ? chunk.prompt_eval_count
        : estimatePromptTokens(messages)
      // Older runtimes give no reason; then a full output is the sign.
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

/** The client has one plain error of its own: for a stream that ends without its last line. */
function toFailure(error: unknown): unknown {
  return error instanceof Error && error.message.startsWith('Did not receive done')
    ? new ModelError('cut-off', "the model's answer has no end", { cause: error })
    : error
}
