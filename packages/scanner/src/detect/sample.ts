import { oleDirectoryOffset } from './ole-type.js'

/** ISO 9660 shows itself at byte 32,769, and a ZIP's list of entries mostly fits into 64 KiB. */
const HEAD_BYTES = 64 * 1024
const TAIL_BYTES = 64 * 1024
/** The entries that tell a Word document from an installer are the first of the directory: 32 entries of 128 bytes. */
const OLE_DIRECTORY_BYTES = 4096
const OLE_HEADER_BYTES = 512

/** What detection keeps of a file. Head and tail overlap in a small one. */
export interface Sample {
  size: number
  head: Buffer
  tail: Buffer
  /** The beginning of an OLE file's directory, which may lie anywhere in it; empty in other files. */
  oleDirectory: Buffer
}

export interface Sampler {
  update: (chunk: Buffer) => void
  finish: () => Sample
}

export function createSampler (): Sampler {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  const ring = Buffer.allocUnsafe(TAIL_BYTES)
  let size = 0
  let directoryAt: number | null = null
  let directory: Buffer = Buffer.alloc(0)

  function keepTail (chunk: Buffer): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - TAIL_BYTES))
    const at = (size + chunk.length - kept.length) % TAIL_BYTES
    const untilEdge = kept.copy(ring, at)
    kept.copy(ring, 0, untilEdge)
  }

  function keepOleDirectory (chunk: Buffer): void {
    if (directoryAt === null && size < OLE_HEADER_BYTES && size + chunk.length >= OLE_HEADER_BYTES) {
      directoryAt = oleDirectoryOffset(head)
    }
    if (directoryAt === null || directory.length === OLE_DIRECTORY_BYTES) return
    const from = directoryAt + directory.length - size
    if (from >= chunk.length) return
    directory = Buffer.concat([directory, chunk.subarray(from, from + OLE_DIRECTORY_BYTES - directory.length)])
  }

  return {
    update (chunk) {
      if (size < HEAD_BYTES) chunk.copy(head, size)
      keepTail(chunk)
      keepOleDirectory(chunk)
      size += chunk.length
    },
    finish () {
      const edge = size % TAIL_BYTES
      const tail = size < TAIL_BYTES ? ring.subarray(0, size) : Buffer.concat([ring.subarray(edge), ring.subarray(0, edge)])
      return { size, head: head.subarray(0, Math.min(size, HEAD_BYTES)), tail, oleDirectory: directory }
    }
  }
}
