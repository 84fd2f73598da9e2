import { unpackArchive, type UnpackProblem } from '../unpack/seven-zip.js'
import type { Budget } from './budget.js'
import { declaredBytes } from './declared-size.js'
import { hasEncryptedHeader } from './encrypted-header.js'
import { lzipAsLzma } from './lzip.js'
import { Refusal, type RefusalReason } from './refusals.js'
import { readerOf, restOf, type SequentialReader } from './sequential-reader.js'
import { hasLargestXzDictionary, isSeenWhole } from './single-stream.js'

const reasonByProblem: Record<UnpackProblem, RefusalReason> = {
  encrypted: 'ArchiveEncrypted',
  damaged: 'ArchiveDamaged',
  unsupported: 'ArchiveUnsupported',
  memory: 'MemoryLimit',
  time: 'TimeLimit'
}

/** Whether more time or memory may help. */
const isOfRoom = (problem: UnpackProblem): boolean => problem === 'time' || problem === 'memory'

const USUAL_LZMA = Buffer.from('5d0000', 'hex')
const hasUsualLzmaHeader = (bytes: Buffer): boolean => bytes.subarray(0, USUAL_LZMA.length).equals(USUAL_LZMA)

export interface UnpackGuardDeps {
  budget: Budget
  signal: AbortSignal | undefined
  /** @param unseen whether the scanner does not find the file by itself */
  onFile: (content: SequentialReader, unseen: boolean) => Promise<void>
}

/** Unpacks what the scanner does not open, and passes on each file. */
export function createUnpackGuard ({ budget, signal, onFile }: UnpackGuardDeps): (archive: Buffer, format: string) => Promise<void> {
  async function unpack (archive: Buffer, format: string, unseen: boolean): Promise<UnpackProblem | null> {
    return await unpackArchive({
      archive,
      format,
      timeoutMs: budget.msLeft(),
      maxMemoryBytes: budget.unpackerBytes(),
      signal,
      onFile: async ({ chunks }) => {
        budget.countEntry()
        const content = readerOf(chunks, budget.unpack)
        await onFile(content, unseen)
        // It is unpacked anyway, and what nobody wants to read counts as well.
        for await (const rest of restOf(content)) void rest
      }
    })
  }

  return async (packed, knownFormat) => {
    const [archive, format] = knownFormat === 'lzip' ? [lzipAsLzma(packed), 'lzma'] : [packed, knownFormat]
    if (hasEncryptedHeader(archive, format)) throw new Refusal('ArchiveEncrypted')
    budget.expect(await declaredBytes(packed, knownFormat))
    await budget.withUnpacker(async () => {
      const isSeen = await isSeenWhole(archive, format)
      let problem = await unpack(archive, format, !isSeen)
      // What it says of itself is not so, and how much of it clamd gets to see is not known.
      if (isSeen && problem !== null && !isOfRoom(problem)) problem = await unpack(archive, format, true)
      if (problem === 'damaged' && await hasLargestXzDictionary(archive, format)) problem = 'memory'
      if (problem !== null && isOfRoom(problem)) throw budget.outgrown(reasonByProblem[problem])
      // Bare LZMA has no signature: what does not unpack is something else.
      if (problem === 'damaged' && knownFormat === 'lzma' && !hasUsualLzmaHeader(packed)) return
      if (problem !== null) throw new Refusal(reasonByProblem[problem])
    })
  }
}
