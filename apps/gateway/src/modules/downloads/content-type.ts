import type { ReadyFileRecord } from '@filewright/db'
import { UNKNOWN_CHARSET } from '@filewright/file-types'

type TypedFile = Pick<ReadyFileRecord, 'type' | 'charset'>

/**
 * Types that a page may load and execute or apply: scripts and workers (the JavaScript types of the WHATWG
 * MIME Sniffing Standard, and types that tools treat as JavaScript), style sheets, and XSLT.
 */
const ACTIVE = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/x-ecmascript',
  'application/x-javascript',
  'text/ecmascript',
  'text/javascript',
  'text/javascript1.0',
  'text/javascript1.1',
  'text/javascript1.2',
  'text/javascript1.3',
  'text/javascript1.4',
  'text/javascript1.5',
  'text/jscript',
  'text/livescript',
  'text/x-ecmascript',
  'text/x-javascript',
  'text/jsx',
  'application/node',
  'text/css',
  'application/xslt+xml',
  'text/xsl'
])

/**
 * Text is stored unchanged. A wrong charset does more harm than none, so text without a detected charset gets
 * none. Files from before charset detection have null, and are nearly always UTF-8.
 */
export function contentTypeOf({ type, charset }: TypedFile): string {
  if (!type.startsWith('text/') || charset === UNKNOWN_CHARSET) return type
  return `${type}; charset=${charset ?? 'utf-8'}`
}

/**
 * For addresses that need no token, which any page can load. Other pages on the same origin are trusted
 * there: with `nosniff`, a browser does not execute or apply plain text.
 */
export function inertContentTypeOf({ type, charset }: TypedFile): string {
  return contentTypeOf({ type: ACTIVE.has(type.toLowerCase()) ? 'text/plain' : type, charset })
}
