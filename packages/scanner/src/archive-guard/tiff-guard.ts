import { refuseEmbeddedArchive } from './embedded-archive.js'
import type { Guards } from './guard-result.js'
import { Refusal } from './refusals.js'
import { readerOf } from './sequential-reader.js'
import { lzmaStrips, startsXz } from './tiff.js'

/**
 * Checks an image whose strips are xz files. The strips that the TIFF lists are unpacked and scanned
 * together: concatenated xz files are one xz file. Any other archive in the image is there to hide.
 */
export async function guardLzmaTiff(tiff: Buffer, guards: Pick<Guards, 'unpack'>): Promise<void> {
  const strips = lzmaStrips(tiff)
  // 7-Zip would skip bytes in front of an xz file.
  if (strips?.every(({ offset }) => startsXz(tiff, offset)) !== true) throw new Refusal('ArchiveEmbedded')
  const named = new Set(strips.map(({ offset }) => offset))
  await refuseEmbeddedArchive(
    readerOf(each(tiff), () => {}),
    (offset) => named.has(offset)
  )
  if (strips.length === 0) return
  const xz = Buffer.concat(strips.map(({ offset, sizeBytes }) => tiff.subarray(offset, offset + sizeBytes)))
  try {
    await guards.unpack(xz, 'xz', { hidden: true })
  } catch (error) {
    // The tags list part of an xz file, or more than one. The other bytes were not scanned.
    if (error instanceof Refusal && error.kind === 'damaged') throw new Refusal('ArchiveEmbedded')
    throw error
  }
}

async function* each(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield bytes
}
