import { modelOf, type ModelId } from '@filewright/contracts'
import type { ChatMessage } from './model-client.js'

/** Role markers and separators that a chat template puts around each message, and around the whole. */
const TOKENS_PER_MESSAGE = 8

const isLower = (code: number): boolean => code >= 97 && code <= 122
const isUpper = (code: number): boolean => code >= 65 && code <= 90
const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13

/**
 * An upper estimate of the tokens of a text without the model's own tokenizer: a word costs one token per
 * three letters of one case, a digit or a sign one each, a run of blanks one (a single space goes with the
 * word after it), and anything outside ASCII one per two UTF-8 bytes. Meant to err upwards for byte-pair
 * tokenizers: too high refuses a request that would just have fitted, too low lets the runtime cut the prompt
 * without a word.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let index = 0
  while (index < text.length) {
    const code = text.charCodeAt(index)
    const start = index
    if (isLower(code) || isUpper(code)) {
      index++
      // One capital belongs to the small letters after it.
      const second = text.charCodeAt(index)
      const sameCase = isUpper(code) && isUpper(second) ? isUpper : isLower
      while (index < text.length && sameCase(text.charCodeAt(index))) index++
      tokens += Math.ceil((index - start) / 3)
    } else if (isBlank(code)) {
      while (index < text.length && isBlank(text.charCodeAt(index))) index++
      // Long indentation is merged in pieces of a limited length.
      if (index - start > 1 || code !== 32) tokens += Math.ceil((index - start) / 16)
    } else if (code < 128) {
      index++
      tokens++
    } else {
      let bytes = 0
      while (index < text.length && text.charCodeAt(index) >= 128) {
        bytes += text.charCodeAt(index) < 0x800 ? 2 : 3
        index++
      }
      tokens += Math.ceil(bytes / 2)
    }
  }
  return tokens
}

/** A prompt is estimated once, though its limits, its meter and its bill all ask for it. */
const estimates = new WeakMap<readonly ChatMessage[], number>()

export function estimatePromptTokens(messages: readonly ChatMessage[]): number {
  let tokens = estimates.get(messages)
  if (tokens === undefined) {
    tokens = messages.reduce(
      (sum, { content }) => sum + estimateTokens(content) + TOKENS_PER_MESSAGE,
      TOKENS_PER_MESSAGE
    )
    estimates.set(messages, tokens)
  }
  return tokens
}

/**
 * The context a call really gets: what the catalogue promises, capped by what the operator's machine can
 * hold.
 */
export function contextTokensOf(model: ModelId, contextCap: number): number {
  return Math.min(modelOf(model).max_tokens, contextCap)
}

/**
 * Whether prompt and output fit together. An over-long prompt would otherwise be cut silently by the runtime.
 */
export function fitsContext(
  messages: readonly ChatMessage[],
  model: ModelId,
  maxOutputTokens: number,
  contextCap: number
): boolean {
  return estimatePromptTokens(messages) + maxOutputTokens <= contextTokensOf(model, contextCap)
}
