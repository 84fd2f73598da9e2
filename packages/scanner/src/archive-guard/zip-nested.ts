import type { Budget } from './budget.js'
import { createForwardReader } from './forward-reader.js'
import { heldContent, Refusal, type GuardedSource, type Guards } from './guard-result.js'
import { inflated } from './inflate.js'
import { memberOf, readerOf, restOf, sequential } from './sequential-reader.js'
import type { ZipEntry } from './zip-directory.js'

export const STORED = 0
export const DEFLATED = 8

export interface NestedFile {
  /** The archive around it. */
  source: GuardedSource
  entry: ZipEntry
  dataOffset: number
  isZip: boolean
  budget: Budget
  signal?: AbortSignal | undefined
}

/** Hands the archive inside an archive to its guard: a stored one in place, a deflated ZIP from memory, all else as it unpacks. */
export async function openNested (nested: NestedFile, guards: Guards): Promise<void> {
  const { entry, isZip, budget } = nested
  const data = dataOf(nested)
  if (entry.method === STORED) return await budget.descend(0, async () => { await guards.content(data) })
  await budget.descend(isZip ? entry.sizeBytes : 0, async () => { await guardPacked(nested, data, guards) })
}

function dataOf ({ source, entry, dataOffset }: NestedFile): GuardedSource {
  return {
    sizeBytes: entry.compressedBytes,
    open: async ({ start, end } = { start: 0, end: entry.compressedBytes - 1 }) => {
      return await source.open({ start: dataOffset + start, end: dataOffset + end })
    },
    ...(source.bytes === undefined ? {} : { bytes: source.bytes.subarray(dataOffset, dataOffset + entry.compressedBytes) })
  }
}

async function guardPacked ({ entry, isZip, signal }: NestedFile, data: GuardedSource, guards: Guards): Promise<void> {
  const reader = createForwardReader({ ...data, signal })
  const chunks = inflated(sequential(reader))
  let unpackedBytes = 0
  try {
    const unpacked = readerOf(chunks, (bytes) => {
      unpackedBytes += bytes
      if (unpackedBytes > entry.sizeBytes) throw new Refusal('ZipMismatch')
    })
    if (isZip) await guards.content(heldContent(await unpacked.read(entry.sizeBytes)))
    else await guards.stream(memberOf(unpacked, entry.sizeBytes))
    for await (const rest of restOf(unpacked)) void rest
    if (unpackedBytes !== entry.sizeBytes) throw new Refusal('ZipMismatch')
  } finally {
    await chunks.return()
    reader.close()
  }
}
