import type { ScanMeter } from '../scan-meter.js'
import type { ByteRange } from '../scanner.js'
import type { PdfLimits, PdfRefusalReason } from './pdf/limits.js'
import { createPdfWorkerPool } from './pdf/worker-pool.js'

export interface PdfOptions extends PdfLimits {
  /** Whose it is: lanes take turns. */
  lane?: string | undefined
  /** Learns how long the PDF waited for a thread. */
  meter?: ScanMeter | undefined
  signal?: AbortSignal | undefined
  /** For one PDF, from the moment a thread has it. */
  timeoutMs: number
}

export interface EmbeddedFile {
  /**
   * Only for people to read. A damaged file comes twice under its name: unpacked as far as it goes, and as it
   * stands.
   */
  name: string
  bytes: Buffer
  /** Where it stands in the PDF; only if `bytes` account for every byte there. */
  range?: ByteRange
}

export type PdfContents =
  | { ok: true; encrypted: 'no' | 'empty-password'; files: EmbeddedFile[] }
  | { ok: false; reason: PdfRefusalReason }

/** Why a PDF was refused, in words for the client. */
export const pdfRefusalSentences: Readonly<Record<PdfRefusalReason, string>> = {
  PdfPassword: 'the PDF is protected by a password',
  PdfEncryption: 'the PDF is encrypted in a way that cannot be read',
  PdfTooLarge: 'the files embedded in the PDF are too large',
  PdfTooManyFiles: 'the PDF has too many embedded files',
  PdfTimeout: 'reading the files embedded in the PDF takes too long',
  PdfTooComplex: 'the PDF is too complex to be read'
}

/** A scan worker has other work for its cores. */
const pool = createPdfWorkerPool({ size: 2 })

/**
 * Every file that readers can take out of a PDF, however it is attached, unpacked and decrypted. Goes by the
 * bytes and not by the cross-reference table, so damaged PDFs are read, and older revisions too. Works in a
 * thread.
 * @throws AppError CANCELLED on abort.
 */
export async function readEmbeddedFiles(pdf: Buffer, options: PdfOptions): Promise<PdfContents> {
  const { maxBytes, maxFiles, ...limits } = options
  const reply = await pool.read({ pdf, limits: { maxBytes, maxFiles } }, limits)
  if (!reply.ok) return reply
  return { ...reply, files: reply.files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes.buffer) })) }
}
