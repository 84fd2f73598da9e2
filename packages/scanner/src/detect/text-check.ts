import { isUtf8 } from 'node:buffer'
import { countControls, type ControlCounts } from './control-characters.js'

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | '8-bit'

export interface TextCheck {
  update: (chunk: Buffer) => void
  /** What the bytes so far are as text, or null when they are no text. */
  finish: () => TextEncoding | null
}

/** NUL and the stray control characters, and the code points that no character has. */
// eslint-disable-next-line no-control-regex
const NOT_IN_UTF_16_TEXT = /[\0-\x06\x0e-\x19\x1c-\x1f\ufffe\uffff]/

/** How many bytes at the end begin a UTF-8 sequence that goes on after them. */
function unfinishedBytes (bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

/** Bundlers leave raw control characters in string literals, a few in a megabyte; in binary data every tenth byte is one. */
const BYTES_PER_STRAY_CONTROL = 100

/** UTF-8 is hard to meet by chance and may hold some control characters. 8-bit text has no such proof and must be without. */
function createByteTextCheck (): TextCheck {
  const controls: ControlCounts = { nul: false, old: 0, stray: 0 }
  let size = 0
  let utf8 = true
  let unfinished: Buffer = Buffer.alloc(0)

  const isPlain = (): boolean => !controls.nul && controls.old === 0 && controls.stray === 0

  return {
    update (chunk) {
      if (controls.nul || (!utf8 && !isPlain())) return
      size += chunk.length
      countControls(chunk, controls)
      if (!utf8 || controls.nul) return
      const bytes = unfinished.length === 0 ? chunk : Buffer.concat([unfinished, chunk])
      const end = bytes.length - unfinishedBytes(bytes)
      utf8 = isUtf8(bytes.subarray(0, end))
      // A copy, because the stream may use the chunk's memory again.
      unfinished = Buffer.from(bytes.subarray(end))
    },
    finish () {
      if (utf8 && unfinished.length === 0 && !controls.nul) {
        return controls.stray * BYTES_PER_STRAY_CONTROL <= size ? 'utf-8' : null
      }
      return isPlain() ? '8-bit' : null
    }
  }
}

function createUtf16Check (encoding: 'utf-16le' | 'utf-16be'): TextCheck {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let valid = true

  function check (decode: () => string): void {
    try {
      valid &&= !NOT_IN_UTF_16_TEXT.test(decode())
    } catch {
      valid = false
    }
  }

  return {
    update (chunk) {
      if (valid) check(() => decoder.decode(chunk, { stream: true }))
    },
    finish () {
      if (valid) check(() => decoder.decode())
      return valid ? encoding : null
    }
  }
}

/** Judges a stream of bytes, all of them, since a binary may begin like a text. UTF-16 is taken for text only with its byte order mark. */
export function createTextCheck (): TextCheck {
  let first: Buffer = Buffer.alloc(0)
  let check: TextCheck | null = null

  function chosenBy (bytes: Buffer): TextCheck {
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return createUtf16Check('utf-16le')
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return createUtf16Check('utf-16be')
    return createByteTextCheck()
  }

  return {
    update (chunk) {
      if (check !== null) return check.update(chunk)
      first = Buffer.concat([first, chunk])
      if (first.length < 2) return
      check = chosenBy(first)
      check.update(first)
    },
    finish () {
      if (check === null) {
        check = chosenBy(first)
        check.update(first)
      }
      return check.finish()
    }
  }
}
