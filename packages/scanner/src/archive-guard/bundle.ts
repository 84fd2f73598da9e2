import type { ScanContent } from './guard-result.js'

const BLOCK_BYTES = 512
const MAX_BUNDLE_BYTES = 16 * 1024 * 1024

export interface Bundle {
  add: (bytes: Buffer) => Promise<void>
  flush: () => Promise<void>
}

/** Collects small files and scans them together, as one tar that clamd opens. */
export function createBundle(scan: ScanContent): Bundle {
  let blocks: Buffer[] = []
  let bundledBytes = 0

  async function flush(): Promise<void> {
    if (blocks.length === 0) return
    const tar = Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)])
    blocks = []
    bundledBytes = 0
    await scan(tar)
  }

  return {
    flush,
    add: async (bytes) => {
      const padding = Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES)
      blocks.push(headerOf(bytes.length), bytes, padding)
      bundledBytes += BLOCK_BYTES + bytes.length + padding.length
      if (bundledBytes >= MAX_BUNDLE_BYTES) await flush()
    }
  }
}

function headerOf(sizeBytes: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES)
  header.write('file', 0)
  header.write('0000644\0', 100)
  header.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
