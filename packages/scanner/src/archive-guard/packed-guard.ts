import { unpackArchive, type UnpackProblem } from '../unpack/seven-zip.js'
import { hasEncryptedHeader } from './encrypted-header.js'
import type { Guards } from './guard-result.js'
import { guardLzip } from './lzip-guard.js'
import { Refusal } from './refusals.js'
import { readerOf } from './sequential-reader.js'
import { hasLargestXzDictionary, isSeenWhole } from './single-stream.js'
import { refusalOf, type UnpackGuardDeps } from './unpacking.js'

const USUAL_LZMA = Buffer.from('5d0000', 'hex')
const hasUsualLzmaHeader = (bytes: Buffer): boolean => bytes.subarray(0, USUAL_LZMA.length).equals(USUAL_LZMA)

/** Unpacks what the scanner does not open, and passes on each file. */
export function createUnpackGuard (deps: UnpackGuardDeps): Guards['unpack'] {
  const { budget, signal, onFile } = deps

  async function unpack (archive: Buffer, format: string, unseen: boolean): Promise<UnpackProblem | null> {
    return await unpackArchive({
      archive,
      format,
      timeoutMs: budget.unpackMsLeft(),
      signal,
      onFile: async ({ chunks }) => {
        budget.countEntry()
        await onFile(readerOf(chunks, budget.unpack), unseen)
      }
    })
  }

  return async (archive, format, { hidden = false } = {}) => {
    if (format === 'lzip') return await guardLzip(archive, deps)
    if (hasEncryptedHeader(archive, format)) throw new Refusal('ArchiveEncrypted')
    await budget.withUnpacker(async () => {
      const isSeen = !hidden && isSeenWhole(archive, format)
      let problem = await unpack(archive, format, !isSeen)
      // What it says of itself is not so, and how much of it clamd gets to see is not known.
      if (isSeen && problem !== null) problem = await unpack(archive, format, true)
      if (problem === 'damaged' && hasLargestXzDictionary(archive, format)) problem = 'memory'
      // Bare LZMA has no signature: what does not unpack is something else.
      if (problem === 'damaged' && format === 'lzma' && !hasUsualLzmaHeader(archive)) return
      if (problem !== null) throw refusalOf(problem)
    })
  }
}
