import { BIDI_OVERRIDE } from './characters.js'

/** What a terminal obeys, all but tab and newline, and what makes a text read otherwise than it is. */
const UNSAFE = new RegExp(
  `[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${BIDI_OVERRIDE}\\ud800-\\udfff]`,
  'gu'
)

/**
 * Text for a terminal. Whoever wrote it cannot clear the screen, change the title or hide a part of the line:
 * each such character is shown as U+FFFD.
 */
export const safeText = (text: string): string => text.replace(/\r(?=\n|$)/g, '').replace(UNSAFE, '\ufffd')

/** The same JSON value, written without such characters; `JSON.stringify` escapes only some of them. */
export const safeJson = (json: string): string =>
  json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
