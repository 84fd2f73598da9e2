import { inflated } from './inflate.js'
import type { Budget } from './budget.js'
import { createForwardReader, type ForwardReader } from './forward-reader.js'
import { heldContent, type GuardedSource, type Guards } from './guard-result.js'
import { Refusal, tolerateDamage } from './refusals.js'
import { memberOf, readerOf, restOf, sequential, type MemberReader } from './sequential-reader.js'
import type { ZipEntry } from './zip-directory.js'

export const STORED = 0
export const DEFLATED = 8

export interface NestedFile {
  /** The archive that contains the file. */
  source: GuardedSource
  /**
   * A shared reader of that archive. Opening the source for each of thousands of files would cost thousands
   * of requests to a store.
   */
  reader: ForwardReader
  entry: ZipEntry
  dataOffset: number
  isZip: boolean
  budget: Budget
  signal?: AbortSignal | undefined
}

/**
 * Passes the file inside an archive to its guard: a stored ZIP in place, a packed ZIP from memory, any other
 * file as a stream.
 */
export async function openNested(nested: NestedFile, guards: Guards): Promise<void> {
  const { reader, entry, dataOffset, isZip, budget, signal } = nested
  if (!isZip) {
    const packed = memberOf(sequential(reader, dataOffset), entry.compressedBytes)
    return await budget.descend(0, async () => await guardUnpacking(nested, packed, guards))
  }
  const data = dataOf(nested)
  if (entry.method === STORED) {
    return await budget.descend(0, async () => {
      await tolerateDamage(async () => await guards.content(data))
    })
  }
  await budget.descend(entry.sizeBytes, async () => {
    const own = createForwardReader({ ...data, signal })
    try {
      await guardUnpacking(nested, memberOf(sequential(own), entry.compressedBytes), guards)
    } finally {
      own.close()
    }
  })
}

function dataOf({ source, entry, dataOffset }: NestedFile): GuardedSource {
  return {
    sizeBytes: entry.compressedBytes,
    open: async ({ start, end } = { start: 0, end: entry.compressedBytes - 1 }) => {
      return await source.open({ start: dataOffset + start, end: dataOffset + end })
    },
    ...(source.bytes === undefined
      ? {}
      : { bytes: source.bytes.subarray(dataOffset, dataOffset + entry.compressedBytes) })
  }
}

async function guardUnpacking(
  { entry, isZip }: NestedFile,
  data: MemberReader,
  guards: Guards
): Promise<void> {
  if (entry.method === STORED) {
    return await tolerateDamage(async () => await guards.stream(data))
  }
  const chunks = inflated(data)
  let unpackedBytes = 0
  try {
    const unpacked = readerOf(chunks, (bytes) => {
      unpackedBytes += bytes
      if (unpackedBytes > entry.sizeBytes) throw new Refusal('ZipMismatch')
    })
    await tolerateDamage(async () => {
      if (isZip) await guards.content(heldContent(await unpacked.read(entry.sizeBytes)))
      else await guards.stream(memberOf(unpacked, entry.sizeBytes))
    })
    for await (const rest of restOf(unpacked)) void rest
    if (unpackedBytes !== entry.sizeBytes) throw new Refusal('ZipBroken')
  } finally {
    await chunks.return()
  }
}
