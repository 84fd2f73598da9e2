import type { ReadyFileRecord } from '@filewright/db'
import { UNKNOWN_CHARSET } from '@filewright/file-types'

type TypedFile = Pick<ReadyFileRecord, 'type' | 'charset'>

/**
 * Types that a page may load from an address and act upon: as a script or worker (the JavaScript types of
 * WHATWG's MIME Sniffing, and what tools take for JavaScript), as a style sheet, or as a transformation of
 * XML.
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
 * Text is stored as it came. A wrong charset does more harm than none, so text that none could be found for
 * is left to the reader. Files from before charsets were detected have null, and are nearly always UTF-8.
 */
export function contentTypeOf({ type, charset }: TypedFile): string {
  if (!type.startsWith('text/') || charset === UNKNOWN_CHARSET) return type
  return `${type}; charset=${charset ?? 'utf-8'}`
}

/**
 * For addresses that need no token, which any page can name. Other pages live on the same origin and trust
 * it: under `nosniff` a browser refuses to run or apply plain text.
 */
export function inertContentTypeOf({ type, charset }: TypedFile): string {
  return contentTypeOf({ type: ACTIVE.has(type.toLowerCase()) ? 'text/plain' : type, charset })
}
