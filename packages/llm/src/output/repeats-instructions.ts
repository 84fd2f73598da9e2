import type { Prompt } from '../prompts/prompt.js'

/** A text that shares this much, word for word, with what only the model was told has it from there. */
const WINDOW_CHARS = 40
/** Every copy of a window and a step, 60 characters or more, holds one whole window. */
const STEP_CHARS = 20
/** A prompt that was asked for may share phrases with ours, but not a paragraph. */
const PARAGRAPH_CHARS = 240
const MARK = /<<<[a-z]+ ([0-9a-f]{16})/

const plain = (text: string): string => text.replace(/\s+/g, ' ')

const PROMPT_WANTED = /\b(?:system |assistant |llm |ai |chat)?(?:prompts?|instructions?)\b/i
const OURS_WANTED =
  /\b(?:your|above|previous|preceding|hidden|reveal|repeat|verbatim|ignore|these|initial)\b/i

/** Whether a request asks for a prompt of its own, and not for ours. */
export function wantsPromptText(request: string): boolean {
  return PROMPT_WANTED.test(request) && !OURS_WANTED.test(request)
}

/**
 * Whether a model's text gives away its instructions or the mark that bounds the data, as an order hidden in
 * that data may ask it to. What the user wrote may be repeated, whatever it is. With `mayBePrompt` phrases
 * may be shared as well.
 */
export function repeatsInstructions(
  text: string,
  { messages }: Pick<Prompt, 'messages'>,
  { mayBePrompt = false } = {}
): boolean {
  const system = plain(
    messages
      .filter(({ role }) => role === 'system')
      .map(({ content }) => content)
      .join(' ')
  )
  const given = plain(
    messages
      .filter(({ role }) => role !== 'system')
      .map(({ content }) => content)
      .join(' ')
  )
  const written = plain(text)
  const mark = MARK.exec(given)?.[1]
  if (mark !== undefined && written.includes(mark)) return true
  const windowChars = mayBePrompt ? PARAGRAPH_CHARS : WINDOW_CHARS
  for (let at = 0; at + windowChars <= system.length; at += STEP_CHARS) {
    const window = system.slice(at, at + windowChars)
    if (written.includes(window) && !given.includes(window)) return true
  }
  return false
}
