import { readEmbeddedFiles, type EmbeddedFile } from '../documents/pdf-embedded-files.js'
import { OutOfTime } from '../out-of-time.js'
import type { ScanMeter } from '../scan-meter.js'
import type { Budget } from './budget.js'
import { refuseEmbeddedArchive } from './embedded-archive.js'
import { createForwardReader } from './forward-reader.js'
import { heldContent, type Guards } from './guard-result.js'
import { Refusal } from './refusals.js'
import { memberOf, sequential } from './sequential-reader.js'
import { findAppendedZip } from './zip-directory.js'

const MAX_FILES = 10_000
const MAX_EMBEDDED_BYTES = 256 * 1024 * 1024

export interface PdfGuardDeps {
  budget: Budget
  guards: Pick<Guards, 'member'>
  meter: ScanMeter
  lane: string | undefined
  signal: AbortSignal | undefined
}

/**
 * Scans the files embedded in a PDF, because the scanner does not find all of them. Refuses an archive
 * elsewhere in the PDF, which can only be there to hide.
 */
export async function guardPdf(
  pdf: Buffer,
  { budget, guards, meter, lane, signal }: PdfGuardDeps
): Promise<void> {
  const contents = await readEmbeddedFiles(pdf, {
    maxBytes: Math.min(MAX_EMBEDDED_BYTES, budget.unpackableBytes()),
    maxFiles: MAX_FILES,
    timeoutMs: Math.max(0, budget.msLeft()),
    meter,
    lane,
    signal
  }).catch((error: unknown) => {
    throw error instanceof OutOfTime ? budget.timeError() : error
  })
  if (!contents.ok) throw new Refusal(contents.reason)
  for (const { bytes } of contents.files) {
    budget.countEntry()
    budget.unpack(bytes.length)
    await guards.member(memberOf(sequential(createForwardReader(heldContent(bytes))), bytes.length), {
      unseen: true
    })
  }
  await refuseHiddenArchive(withoutFiles(pdf, contents.files), signal)
}

async function refuseHiddenArchive(pdf: Buffer, signal: AbortSignal | undefined): Promise<void> {
  const reader = createForwardReader({ ...heldContent(pdf), signal })
  try {
    if ((await findAppendedZip(reader, pdf.length, { toTheByte: false })) !== null) {
      throw new Refusal('ZipAppended')
    }
    await refuseEmbeddedArchive(sequential(reader))
  } finally {
    reader.close()
  }
}

/** Returns the PDF with spaces in place of the extracted files. Archives among these were opened already. */
function withoutFiles(pdf: Buffer, files: EmbeddedFile[]): Buffer {
  const ranges = files.flatMap(({ range }) => (range === undefined ? [] : [range]))
  if (ranges.length === 0) return pdf
  const rest = Buffer.from(pdf)
  for (const { start, end } of ranges) rest.fill(0x20, start, end + 1)
  return rest
}
