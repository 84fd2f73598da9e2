import { BIDI_OVERRIDE, CONTROL, NO_UNICODE } from './characters.js'
import { fileKinds } from './file-kinds.js'

// The rules for request fields in JSON Schema form. The gateway checks a project and a folder rule by rule,
// for a message that names the violated one; a test proves that it accepts what these patterns allow.

const NAME = `[^/\\\\${CONTROL}${NO_UNICODE}${BIDI_OVERRIDE}]+`
const NO_DOTS = '(?!\\.{1,2}(?:/|$))'

const TOKEN = '[A-Za-z0-9][A-Za-z0-9!#$&^_.+\\-]{0,126}'
const anyCase = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)

export const fieldPatterns = {
  projectId: `^[^/\\\\${CONTROL}${NO_UNICODE}\\p{Zl}\\p{Zp}\\p{Cf}]*$`,
  /** An upload also accepts a path and keeps only its last component. */
  fileName: `^${NO_DOTS}${NAME}$`,
  folder: `^/*(?:${NO_DOTS}${NAME}(?:/${NO_DOTS}${NAME})*)?/*$`,
  /** NUL is the only character that PostgreSQL cannot store. */
  text: '^[^\\u0000\\ud800-\\udfff]*$',
  /** Cursor of a file list: base64url. */
  cursor: '^[A-Za-z0-9_-]*$',
  /** An empty string matches every type. */
  typeFilter: `^(?:${fileKinds.map(anyCase).join('|')}|${TOKEN}/(?:\\*|${TOKEN}))?$`
}
