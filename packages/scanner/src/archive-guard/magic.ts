import { isCpio } from './cpio-guard.js'
import { mayCarryArchive } from './embedded-archive.js'
import { isTarHeader } from './tar-guard.js'
import { unscannableFormat } from './unscannable-formats.js'

/** Enough of a file to tell a tar by its first header. */
export const HEAD_BYTES = 512

const startsWith = (head: Buffer, hex: string): boolean => head.subarray(0, hex.length / 2).toString('hex') === hex

export type Format = 'zip' | 'spanned-zip' | 'tar' | 'gzip' | 'bzip2' | 'xz' | 'cpio' | 'carrier' | 'other'

export function formatOf (head: Buffer): Format {
  if (startsWith(head, '504b0304') || startsWith(head, '504b0506')) return 'zip'
  // "PK\7\8" and "PK00" open a part of an archive in several parts.
  if (startsWith(head, '504b0708') || startsWith(head, '504b3030')) return 'spanned-zip'
  if (startsWith(head, '1f8b')) return 'gzip'
  if (startsWith(head, '425a68')) return 'bzip2'
  if (startsWith(head, 'fd377a585a00')) return 'xz'
  if (isCpio(head)) return 'cpio'
  if (isTarHeader(head)) return 'tar'
  return mayCarryArchive(head) ? 'carrier' : 'other'
}

/** Whether the guard has anything to say about a file that begins so. */
export function isGuarded (head: Buffer): boolean {
  return formatOf(head) !== 'other' || unscannableFormat(head) !== null
}

/** gzip, bzip2, xz and OLE. */
const HOLDING_FILES_AS_THEY_ARE = ['1f8b', '425a68', 'fd377a585a00', 'd0cf11e0a1b11ae1']

/** Whether a sound ZIP may lie in this file byte for byte: a small one at the end of a cpio, an incompressible one in a gzip. */
export function mayHoldZip (head: Buffer): boolean {
  return HOLDING_FILES_AS_THEY_ARE.some((hex) => startsWith(head, hex)) || isCpio(head) || isTarHeader(head)
}
