import { BIDI_OVERRIDE } from './characters.js'

/** Terminal control characters except tab and newline, and characters that change how text reads. */
const UNSAFE = new RegExp(
  `[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${BIDI_OVERRIDE}\\ud800-\\udfff]`,
  'gu'
)

/**
 * Text for a terminal. Its author cannot clear the screen, change the title or hide part of a line: each such
 * character is shown as U+FFFD.
 */
export const safeText = (text: string): string => text.replace(/\r(?=\n|$)/g, '').replace(UNSAFE, '\ufffd')

/** The same JSON value without such characters; `JSON.stringify` escapes only some of them. */
export const safeJson = (json: string): string =>
  json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
