import { parentPort } from 'node:worker_threads'
import { PdfRefusal } from './limits.js'
import type { Reply, Request } from './messages.js'
import { findNames } from './names.js'
import type { EmbeddedFile } from './read-files.js'
import { TELLING_NAMES } from './telling-names.js'

// The library warns about unusual numbers; a hostile file would fill the log with warnings.
console.warn = () => {}

parentPort?.on('message', ({ pdf, limits }: Request) => {
  void read(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength), limits).then((reply) => {
    if (!reply.ok) return parentPort?.postMessage(reply)
    const files = reply.files.map(ownBytes)
    parentPort?.postMessage(
      { ...reply, files },
      files.map(({ bytes }) => bytes.buffer as ArrayBuffer)
    )
  })
})

async function read(pdf: Buffer, limits: Request['limits']): Promise<Reply> {
  try {
    const names = findNames(pdf, TELLING_NAMES)
    if (names.length === 0) return { ok: true, encrypted: 'no', files: [] }
    // Loaded for the first PDF that needs it, because loading takes half a second.
    const { findEmbeddedFiles } = await import('./find-embedded-files.js')
    return { ok: true, ...(await findEmbeddedFiles(pdf, names, limits)) }
  } catch (error) {
    return { ok: false, reason: error instanceof PdfRefusal ? error.reason : 'PdfTooComplex' }
  }
}

/** Copies the bytes into a buffer of its own, because transferring a slice would transfer the whole PDF. */
function ownBytes(file: EmbeddedFile): EmbeddedFile {
  return { ...file, bytes: Uint8Array.from(file.bytes) }
}
