import { modelOf, type ModelId } from '@filewright/contracts'
import type { ChatMessage } from './model-client.js'

/** Role markers and separators that a chat template adds around each message, and around the whole. */
const TOKENS_PER_MESSAGE = 8

const isLower = (code: number): boolean => code >= 97 && code <= 122
const isUpper = (code: number): boolean => code >= 65 && code <= 90
const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13

/**
 * An upper estimate of a text's tokens without the model's own tokenizer: a word costs one token per three
 * letters of one case, a digit or a symbol one each, a run of spaces one (a single space belongs to the next
 * word), and anything outside ASCII one per two UTF-8 bytes. It errs upwards for byte-pair tokenizers: an
 * estimate that is too high refuses a request that would just have fitted, but one that is too low lets the
 * runtime truncate the prompt silently.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let index = 0
  while (index < text.length) {
    const code = text.charCodeAt(index)
    const start = index
    if (isLower(code) || isUpper(code)) {
      index++
      // One capital letter belongs to the lower-case letters after it.
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

/** A prompt is estimated once, although its limits, meter and cost all need it. */
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

/** The actual context of a call: the catalogue's value, limited by the operator's machine. */
export function contextTokensOf(model: ModelId, contextCap: number): number {
  return Math.min(modelOf(model).max_tokens, contextCap)
}

/**
 * Whether prompt and output fit together. The runtime would otherwise truncate an over-long prompt silently.
 */
export function fitsContext(
  messages: readonly ChatMessage[],
  model: ModelId,
  maxOutputTokens: number,
  contextCap: number
): boolean {
  return estimatePromptTokens(messages) + maxOutputTokens <= contextTokensOf(model, contextCap)
}
