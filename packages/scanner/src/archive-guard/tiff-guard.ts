import { refuseEmbeddedArchive } from './embedded-archive.js'
import type { Guards } from './guard-result.js'
import { Refusal } from './refusals.js'
import { readerOf } from './sequential-reader.js'
import { lzmaStrips, startsXz } from './tiff.js'

/**
 * Of a picture whose strips are xz files. Those that the picture itself names are unpacked and handed to the
 * scanner, all as one: xz files one after the other are one xz file. Any other archive is there to hide.
 */
export async function guardLzmaTiff(tiff: Buffer, guards: Pick<Guards, 'unpack'>): Promise<void> {
  const strips = lzmaStrips(tiff)
  // 7-Zip would pass over bytes in front of an xz file.
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
    // What the tags name is not all of an xz file, or more than one: what else is there, nobody has seen.
    if (error instanceof Refusal && error.kind === 'damaged') throw new Refusal('ArchiveEmbedded')
    throw error
  }
}

async function* each(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield bytes
}
