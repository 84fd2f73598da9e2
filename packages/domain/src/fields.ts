import { fieldPatterns, limits } from '@filewright/contracts'
import { InvalidFieldError } from '@filewright/runtime'

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
/** Characters that change the reading order: "gpj.exe" displays as "exe.jpg". */
const BIDI_OVERRIDE = /[\u202a-\u202e\u2066-\u2069]/
/** U+FFFD replaces bytes that were not UTF-8, so the original text is lost. */
const REPLACEMENT = '\ufffd'
const TEXT = new RegExp(fieldPatterns.text, 'u')

function checkText(field: string, text: string): void {
  if (!text.isWellFormed() || text.includes(REPLACEMENT)) {
    throw new InvalidFieldError(field, 'must be valid Unicode')
  }
  if (CONTROL.test(text)) throw new InvalidFieldError(field, 'must not contain control characters')
}

function checkPrintable(field: string, text: string, maxChars: number): void {
  checkText(field, text)
  if ([...text].length > maxChars) {
    throw new InvalidFieldError(field, `must be at most ${maxChars} characters long`)
  }
  if (BIDI_OVERRIDE.test(text) || /[\p{Zl}\p{Zp}\p{Cf}]/u.test(text)) {
    throw new InvalidFieldError(field, 'must be printable')
  }
}

/** 1–128 printable characters without slashes. */
export function parseProjectId(value: string | undefined): string {
  const field = 'project_id'
  if (value === undefined || value === '') throw new InvalidFieldError(field, 'is required')
  checkPrintable(field, value, limits.projectIdChars)
  if (/[/\\]/.test(value)) throw new InvalidFieldError(field, 'must not contain slashes')
  return value
}

/** A token's name, which operators see in lists. */
export function parseTokenName(value: string): string {
  checkPrintable('name', value, limits.tokenNameChars)
  return value
}

/** `a/b`; leading and trailing slashes are ignored; the root is empty. */
export function parseFolder(value: string | undefined): string {
  const field = 'folder'
  if (value === undefined) return ''
  checkText(field, value)
  if (BIDI_OVERRIDE.test(value)) {
    throw new InvalidFieldError(field, 'must not contain text direction overrides')
  }
  if (value.includes('\\')) throw new InvalidFieldError(field, 'must not contain backslashes')
  const folder = value.normalize('NFC').replace(/^\/+|\/+$/g, '')
  if (Buffer.byteLength(folder) > limits.folderBytes) {
    throw new InvalidFieldError(field, `must be at most ${limits.folderBytes} bytes long`)
  }
  for (const segment of folder === '' ? [] : folder.split('/')) {
    if (segment === '') throw new InvalidFieldError(field, 'must not contain empty segments')
    if (segment === '.' || segment === '..') {
      throw new InvalidFieldError(field, "must not contain '.' or '..'")
    }
  }
  return folder
}

/** The uploaded name in NFC, its last path component. */
export function parseFileName(value: string, field = 'file name'): string {
  checkText(field, value)
  if (BIDI_OVERRIDE.test(value)) {
    throw new InvalidFieldError(field, 'must not contain text direction overrides')
  }
  const name = value.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  if (name === '' || name === '.' || name === '..') throw new InvalidFieldError(field, 'must not be empty')
  if (Buffer.byteLength(name) > limits.fileNameBytes) {
    throw new InvalidFieldError(field, `must be at most ${limits.fileNameBytes} bytes long`)
  }
  return name
}

/** Anything that PostgreSQL can store. */
export function parseText(field: string, value: string, maxChars: number): string {
  if (!TEXT.test(value)) throw new InvalidFieldError(field, 'must be valid text')
  if ([...value].length > maxChars) {
    throw new InvalidFieldError(field, `must be at most ${maxChars} characters long`)
  }
  return value
}

export function parseDescription(value: string | undefined): string | null {
  return value === undefined ? null : parseText('description', value, limits.descriptionChars)
}
