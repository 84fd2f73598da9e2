import { unpackArchive, type UnpackProblem } from '../unpack/seven-zip.js'
import { declaredBytes } from './declared-size.js'
import { hasEncryptedHeader } from './encrypted-header.js'
import type { Guards } from './guard-result.js'
import { guardLzip } from './lzip-guard.js'
import { Refusal } from './refusals.js'
import { readerOf, restOf } from './sequential-reader.js'
import { hasLargestXzDictionary, isSeenWhole } from './single-stream.js'
import { errorOf, isRoomLimit, type UnpackGuardDeps } from './unpacking.js'
import { isXzSquashfs, stopsAtError } from './unsafe-archives.js'

const USUAL_LZMA = Buffer.from('5d0000', 'hex')
const hasUsualLzmaHeader = (bytes: Buffer): boolean => bytes.subarray(0, USUAL_LZMA.length).equals(USUAL_LZMA)

/** Unpacks archives that the scanner does not open, and passes on each file. */
export function createUnpackGuard(deps: UnpackGuardDeps): Guards['unpack'] {
  const { budget, signal, onFile } = deps

  async function unpack(archive: Buffer, format: string, unseen: boolean): Promise<UnpackProblem | null> {
    return await unpackArchive({
      archive,
      format,
      timeoutMs: budget.msLeft(),
      maxMemoryBytes: budget.unpackerBytes(),
      stopsAtError: stopsAtError(format),
      signal,
      onFile: async ({ chunks }) => {
        budget.countEntry()
        const content = readerOf(chunks, budget.unpack)
        await onFile(content, unseen)
        // 7-Zip unpacks the rest anyway, so unread bytes count as well.
        for await (const rest of restOf(content)) void rest
      }
    })
  }

  return async (archive, format, { hidden = false } = {}) => {
    if (hasEncryptedHeader(archive, format)) throw new Refusal('ArchiveEncrypted')
    if (isXzSquashfs(archive, format)) throw new Refusal('SquashfsXz')
    budget.expect(await declaredBytes(archive, format))
    if (format === 'lzip') return await guardLzip(archive, deps)
    await budget.withUnpacker(async () => {
      const isSeen = !hidden && (await isSeenWhole(archive, format))
      let problem = await unpack(archive, format, !isSeen)
      // The archive's own description is false, so it is unknown how much of it clamd sees.
      if (isSeen && problem !== null && !isRoomLimit(problem)) problem = await unpack(archive, format, true)
      if (problem === 'damaged' && (await hasLargestXzDictionary(archive, format))) problem = 'memory'
      // Bare LZMA has no signature, so data that does not unpack has another format.
      if (problem === 'damaged' && format === 'lzma' && !hasUsualLzmaHeader(archive)) return
      if (problem !== null) throw errorOf(problem, budget)
    })
  }
}
