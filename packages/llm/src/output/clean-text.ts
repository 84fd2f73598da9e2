/** Reasoning that some models write out before the answer. Without an end, all of it is reasoning. */
const THINKING = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/i

/** A model's text with the wrapping that is never part of an answer taken off. */
export function withoutThinking(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(THINKING, '')
}

// Control characters, and those that turn the direction of text around or cannot be seen.
const UNSEEN = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]+/gu // eslint-disable-line no-control-regex

// With the u flag a pair is one character, so this meets halves only.
const LONE_SURROGATE = /[\uD800-\uDFFF]/gu

/** One line of plain text, at most `maxChars` long. */
export function plainSentence(text: string, maxChars: number): string {
  const plain = text
    .replace(LONE_SURROGATE, '')
    .replace(UNSEEN, ' ')
    .replace(/^[\s>*#-]+/, '')
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain.length <= maxChars) return plain
  const cut = plain.slice(0, maxChars - 1).replace(LONE_SURROGATE, '')
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxChars / 2)).trimEnd()}…`
}
