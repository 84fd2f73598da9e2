import type { Prompt } from '../prompts/prompt.js'

/**
 * A text that shares a window with the system prompt, word for word, was copied from it. Windows start a step
 * apart, so every copy of 60 characters or more contains a whole one.
 */
const ANY_TEXT = { windowChars: 40, stepChars: 20 }
/** A requested prompt may share phrases with ours, but not a sentence. */
const PROMPT_TEXT = { windowChars: 56, stepChars: 5 }
const MARK = /<<<[a-z]+ ([0-9a-f]{16})/

const plain = (text: string): string => text.replace(/\s+/g, ' ')

const PROMPT_WANTED = /\b(?:system |assistant |llm |ai |chat)?(?:prompts?|instructions?)\b/i
const OURS_WANTED =
  /\b(?:your|above|previous|preceding|hidden|reveal|repeat|verbatim|ignore|these|initial)\b/i

/** Whether the request asks the model to write a prompt. */
export function wantsPromptText(request: string): boolean {
  return PROMPT_WANTED.test(request) && !OURS_WANTED.test(request)
}

/**
 * Whether a model's text reveals its instructions or the boundary of the data, as an injected instruction may
 * request. The user's own text may be repeated. With `mayBePrompt`, phrases may be shared as well.
 */
export function repeatsInstructions(
  text: string,
  { messages }: Pick<Prompt, 'messages'>,
  { mayBePrompt = false } = {}
): boolean {
  const given = plain(
    messages
      .filter(({ role }) => role !== 'system')
      .map(({ content }) => content)
      .join(' ')
  )
  const written = plain(text)
  const mark = MARK.exec(given)?.[1]
  if (mark !== undefined && written.includes(mark)) return true
  const { windowChars, stepChars } = mayBePrompt ? PROMPT_TEXT : ANY_TEXT
  if (written.length < windowChars) return false
  const system = plain(
    messages
      .filter(({ role }) => role === 'system')
      .map(({ content }) => content)
      .join(' ')
  )
  for (let at = 0; at + windowChars <= system.length; at += stepChars) {
    const window = system.slice(at, at + windowChars)
    if (written.includes(window) && !given.includes(window)) return true
  }
  return false
}
