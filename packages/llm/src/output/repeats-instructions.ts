import type { Prompt } from '../prompts/prompt.js'

/** A text that shares this much, word for word, with what only the model was told has it from there. */
const WINDOW_CHARS = 40
/** Every copy of a window and a step, 60 characters or more, holds one whole window. */
const STEP_CHARS = 20
const MARK = /<<<[a-z]+ ([0-9a-f]{16})/

const plain = (text: string): string => text.replace(/\s+/g, ' ')

/**
 * Whether a model's text gives away its instructions or the mark that bounds the data, as an order hidden in
 * that data may ask it to. What the user wrote may be repeated, whatever it is.
 */
export function repeatsInstructions(text: string, { messages }: Pick<Prompt, 'messages'>): boolean {
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
  for (let at = 0; at + WINDOW_CHARS <= system.length; at += STEP_CHARS) {
    const window = system.slice(at, at + WINDOW_CHARS)
    if (written.includes(window) && !given.includes(window)) return true
  }
  return false
}
