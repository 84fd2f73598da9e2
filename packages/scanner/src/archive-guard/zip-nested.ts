import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { AppError } from '@filewright/runtime'
import { openAbortable } from '../open-abortable.js'
import { isZlibError, Refusal, type GuardedSource } from './guard-result.js'
import type { ZipEntry } from './zip-directory.js'

export const STORED = 0
export const DEFLATED = 8

/** clamd's MaxScanSize: what it would not look at as a whole is not sent at all. */
const MAX_UNPACKED_BYTES = 400 * 1024 * 1024
/** Nested archives held in memory at one time, all levels together. */
const MAX_HELD_BYTES = 64 * 1024 * 1024
/** Also clamd's MaxRecursion. */
const MAX_DEPTH = 16

export interface ZipBudget {
  /** Notes how much an entry says it unpacks to. */
  unpack: (sizeBytes: number) => void
  /** Runs the work one level deeper with that much memory in use. */
  descend: (heldBytes: number, work: () => Promise<void>) => Promise<void>
}

export function createZipBudget (): ZipBudget {
  let unpackedBytes = 0
  let heldBytes = 0
  let depth = 0
  return {
    unpack: (sizeBytes) => {
      unpackedBytes += sizeBytes
      if (unpackedBytes > MAX_UNPACKED_BYTES) throw new Refusal('ZipTooLarge')
    },
    descend: async (bytes, work) => {
      if (heldBytes + bytes > MAX_HELD_BYTES || depth >= MAX_DEPTH) throw new Refusal('ZipNestedTooDeep')
      heldBytes += bytes
      depth++
      try {
        await work()
      } finally {
        heldBytes -= bytes
        depth--
      }
    }
  }
}

export interface NestedZip {
  /** The archive around it. */
  source: GuardedSource
  entry: ZipEntry
  dataOffset: number
  budget: ZipBudget
  signal?: AbortSignal | undefined
}

/** Hands the archive inside an archive to `work`: a stored one in place, a deflated one from memory. */
export async function openNested (nested: NestedZip, work: (inner: GuardedSource) => Promise<void>): Promise<void> {
  const { source, entry, dataOffset, budget } = nested
  if (entry.method === STORED) {
    const open: GuardedSource['open'] = async ({ start, end } = { start: 0, end: entry.sizeBytes - 1 }) => {
      return await source.open({ start: dataOffset + start, end: dataOffset + end })
    }
    return await budget.descend(0, async () => { await work({ sizeBytes: entry.sizeBytes, open }) })
  }
  await budget.descend(entry.sizeBytes, async () => {
    const bytes = await inflateEntry(nested)
    await work({
      sizeBytes: bytes.length,
      open: async ({ start, end } = { start: 0, end: bytes.length - 1 }) => Readable.from([bytes.subarray(start, end + 1)])
    })
  })
}

async function inflateEntry ({ source, entry, dataOffset, signal }: NestedZip): Promise<Buffer> {
  const bytes = Buffer.alloc(entry.sizeBytes)
  let filled = 0
  const fill = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      if (filled + chunk.length > bytes.length) throw new Refusal('ZipMismatch')
      filled += chunk.copy(bytes, filled)
    }
  }
  try {
    const range = { start: dataOffset, end: dataOffset + entry.compressedBytes - 1 }
    const compressed = await openAbortable(async () => await source.open(range), signal)
    await pipeline(compressed, createInflateRaw(), fill, signal === undefined ? {} : { signal })
  } catch (error) {
    if (signal?.aborted === true) throw new AppError('CANCELLED', 'the scan was cancelled')
    throw isZlibError(error) ? new Refusal('ZipBroken') : error
  }
  if (filled !== bytes.length) throw new Refusal('ZipMismatch')
  return bytes
}
