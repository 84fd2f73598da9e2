import { isUtf8 } from 'node:buffer'
import { createCharsetSampler } from './charset-sample.js'
import { countControls, type ControlCounts } from './control-characters.js'
import type { TextCheck, TextVerdict } from './text-verdict.js'
import { createUtf16Check, createUtf32Check, guessUtf16 } from './utf-checks.js'

/** How many bytes at the end start an incomplete UTF-8 sequence. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

/**
 * Bundlers leave raw control characters in string literals, a few per megabyte; in binary data every tenth
 * byte is one.
 */
const BYTES_PER_STRAY_CONTROL = 100
/** For 8-bit text, whose encoding proves nothing: DOS drawings contain arrows, and printers used BEL. */
const BYTES_PER_OLD_CONTROL_IN_8_BIT = 50
const BYTES_PER_STRAY_CONTROL_IN_8_BIT = 500

const SUB = 0x1a

/** The run of SUB at the end, with which CP/M and DOS pad the last block of a text. */
function endingSubs(chunk: Buffer, before: number): number {
  let at = chunk.length
  while (at > 0 && chunk[at - 1] === SUB) at--
  return chunk.length - at + (at === 0 ? before : 0)
}

/**
 * Valid UTF-8 is unlikely by chance, so it may contain some control characters; 8-bit text may contain fewer.
 */
function createByteTextCheck(): TextCheck {
  const controls: ControlCounts = { nul: false, old: 0, shifts: 0, stray: 0 }
  const sampler = createCharsetSampler()
  let size = 0
  let subs = 0
  let utf8 = true
  let unfinished: Buffer = Buffer.alloc(0)

  /** `isAscii` text may contain SO and SI if an escape sequence declares what they switch to. */
  function utf8Verdict(isAscii: boolean): TextVerdict | null {
    const { stray, shifts } = controls
    if ((stray + shifts) * BYTES_PER_STRAY_CONTROL <= size) {
      return { encoding: isAscii ? '7-bit' : 'utf-8', charset: 'utf-8' }
    }
    const onlyShifts = isAscii && stray * BYTES_PER_STRAY_CONTROL <= size
    return onlyShifts ? { encoding: '7-bit', charset: null, doubtful: true } : null
  }

  function eightBitVerdict(sample: Buffer): TextVerdict | null {
    const [old, stray] = [controls.old - subs, controls.stray + controls.shifts]
    if (old * BYTES_PER_OLD_CONTROL_IN_8_BIT > size || stray * BYTES_PER_STRAY_CONTROL_IN_8_BIT > size) {
      return null
    }
    return { encoding: '8-bit', charset: null, sample, doubtful: old > 0 || stray > 0 }
  }

  return {
    update(chunk) {
      if (controls.nul) return
      size += chunk.length
      countControls(chunk, controls)
      if (controls.nul) return
      subs = endingSubs(chunk, subs)
      sampler.update(chunk)
      if (!utf8) return
      const bytes = unfinished.length === 0 ? chunk : Buffer.concat([unfinished, chunk])
      const end = bytes.length - unfinishedBytes(bytes)
      utf8 = isUtf8(bytes.subarray(0, end))
      // A copy, because the stream may reuse the chunk's memory.
      unfinished = Buffer.from(bytes.subarray(end))
    },
    finish() {
      if (controls.nul) return null
      const sample = sampler.finish()
      return utf8 && unfinished.length === 0 ? utf8Verdict(sample.length === 0) : eightBitVerdict(sample)
    }
  }
}

/** Enough to decide. */
const FIRST_BYTES = 512

function checkFor(first: Buffer): TextCheck {
  const mark = first.toString('hex', 0, 4)
  if (mark === 'fffe0000') return createUtf32Check('utf-32le')
  if (mark === '0000feff') return createUtf32Check('utf-32be')
  if (mark.startsWith('fffe')) return createUtf16Check('utf-16le', { marked: true })
  if (mark.startsWith('feff')) return createUtf16Check('utf-16be', { marked: true })
  const unmarked = guessUtf16(first)
  return unmarked === null ? createByteTextCheck() : createUtf16Check(unmarked, { marked: false })
}

/** Judges all bytes of a stream, because a binary may start like text. */
export function createTextCheck(): TextCheck {
  let first: Buffer = Buffer.alloc(0)
  let check: TextCheck | null = null

  function begin(): TextCheck {
    const begun = checkFor(first.subarray(0, FIRST_BYTES))
    begun.update(first)
    return begun
  }

  return {
    update(chunk) {
      if (check !== null) return check.update(chunk)
      // Usually the first chunk is long enough, and is not copied.
      first = first.length === 0 && chunk.length >= FIRST_BYTES ? chunk : Buffer.concat([first, chunk])
      if (first.length < FIRST_BYTES) return
      check = begin()
      first = Buffer.alloc(0)
    },
    finish: () => (check ?? begin()).finish()
  }
}
