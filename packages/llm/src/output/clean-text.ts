/** Reasoning that some models write before the answer. Without an end tag, all of it is reasoning. */
const THINKING = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/i

/** A template that opens the reasoning itself leaves only its end tag in the response. */
const ENDED_THINKING = /^(?:(?!<think)[^])*?\n?<\/think(?:ing)?>[ \t]*(?=\n|$)/i

/** Tokens of a chat template, which a runtime with the wrong template lets through. */
const TEMPLATE_MARKS = [
  '<|im_start|>assistant',
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<|eot_id|>',
  '<|end_of_text|>',
  '<|assistant|>',
  '<|end|>',
  '<|return|>',
  '<s>',
  '</s>',
  '[INST]',
  '[/INST]'
]
/** Where a model continued with the next turn of an invented conversation. */
const NEXT_TURN = /<\|(?:im_end|eot_id|endoftext|end)\|>\s{0,8}<\|(?:im_start|start_header_id|user)\|>/

/** The reasoning of models that use channels comes before it. */
const FINAL_CHANNEL = '<|channel|>final<|message|>'

/** A model's text without wrapping that is never part of a response. */
export function plainAnswer(text: string): string {
  let plain = withoutThinking(text)
  const final = plain.lastIndexOf(FINAL_CHANNEL)
  if (final !== -1) plain = plain.slice(final + FINAL_CHANNEL.length)
  const turn = plain.search(NEXT_TURN)
  if (turn !== -1) plain = plain.slice(0, turn)
  if (!plain.includes('<') && !plain.includes('[')) return plain
  for (let mark: string | undefined = ''; mark !== undefined; ) {
    const ending = plain.trimEnd()
    mark = TEMPLATE_MARKS.find((each) => ending.endsWith(each))
    if (mark !== undefined) plain = ending.slice(0, -mark.length)
  }
  const opening = TEMPLATE_MARKS.find((each) => plain.trimStart().startsWith(each))
  return opening === undefined ? plain : plain.trimStart().slice(opening.length)
}

/** A model's text without the reasoning before it. */
export function withoutThinking(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(THINKING, '')
    .replace(ENDED_THINKING, '')
}

// Control characters, direction overrides and invisible characters.
const UNSEEN = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]+/gu // eslint-disable-line no-control-regex

// With the u flag a pair is one character, so this matches only lone surrogates.
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
