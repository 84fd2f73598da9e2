import { createOleReader, type OleDirectory } from './ole-reader.js'

/** ISO 9660 is recognizable at byte 32,769, and a ZIP's directory usually fits into 64 KiB. */
const HEAD_BYTES = 64 * 1024
const TAIL_BYTES = 64 * 1024

/** What detection keeps of a file. Head and tail overlap in a small one. */
export interface Sample {
  size: number
  head: Buffer
  tail: Buffer
  /** The directory of an OLE file, which may be anywhere; null in other files. */
  oleDirectory: OleDirectory | null
}

export interface Sampler {
  update: (chunk: Buffer) => void
  finish: () => Sample
}

export function createSampler(): Sampler {
  // Both grow with the file: large buffers for every small upload keep the garbage collector busy.
  let head: Buffer = Buffer.alloc(0)
  let ring: Buffer | undefined
  let size = 0
  const ole = createOleReader()

  function keepHead(chunk: Buffer): void {
    if (size >= HEAD_BYTES) return
    const needed = Math.min(HEAD_BYTES, size + chunk.length)
    if (head.length < needed) {
      const larger = Buffer.allocUnsafe(size === 0 ? needed : HEAD_BYTES)
      head.copy(larger, 0, 0, size)
      head = larger
    }
    chunk.copy(head, size)
  }

  function keepTail(chunk: Buffer): void {
    // Until then the head contains all of it.
    if (size + chunk.length <= TAIL_BYTES) return
    if (ring === undefined) {
      ring = Buffer.allocUnsafe(TAIL_BYTES)
      head.copy(ring, 0, 0, size)
    }
    const kept = chunk.subarray(Math.max(0, chunk.length - TAIL_BYTES))
    const at = (size + chunk.length - kept.length) % TAIL_BYTES
    const untilEdge = kept.copy(ring, at)
    kept.copy(ring, 0, untilEdge)
  }

  return {
    update(chunk) {
      keepHead(chunk)
      keepTail(chunk)
      ole.update(chunk)
      size += chunk.length
    },
    finish() {
      const edge = size % TAIL_BYTES
      const tail =
        ring === undefined
          ? head.subarray(0, size)
          : Buffer.concat([ring.subarray(edge), ring.subarray(0, edge)])
      return { size, head: head.subarray(0, Math.min(size, HEAD_BYTES)), tail, oleDirectory: ole.finish() }
    }
  }
}
