import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { AppError } from '@filewright/runtime'
import { openAbortable } from '../open-abortable.js'
import type { Budget } from './budget.js'
import { heldContent, isZlibError, Refusal, type Content, type GuardContent, type GuardedSource } from './guard-result.js'
import type { ZipEntry } from './zip-directory.js'

export const STORED = 0
export const DEFLATED = 8

export interface NestedArchive {
  /** The archive around it. */
  source: GuardedSource
  entry: ZipEntry
  dataOffset: number
  isZip: boolean
  budget: Budget
  signal?: AbortSignal | undefined
}

/** Hands the archive inside an archive to its guard: a stored one in place, a deflated ZIP from memory, all else as it unpacks. */
export async function openNested (nested: NestedArchive, guardContent: GuardContent): Promise<void> {
  const { source, entry, dataOffset, isZip, budget } = nested
  if (entry.method === STORED) {
    const open: GuardedSource['open'] = async ({ start, end } = { start: 0, end: entry.sizeBytes - 1 }) => {
      return await source.open({ start: dataOffset + start, end: dataOffset + end })
    }
    return await budget.descend(0, async () => { await guardContent({ sizeBytes: entry.sizeBytes, open }) })
  }
  if (isZip) return await budget.descend(entry.sizeBytes, async () => { await guardContent(heldContent(await inflateEntry(nested))) })
  try {
    await budget.descend(0, async () => { await guardContent(inflating(nested)) })
  } catch (error) {
    throw isZlibError(error) ? new Refusal('ZipBroken') : error
  }
}

function inflating ({ source, entry, dataOffset }: NestedArchive): Content {
  const open = async (): Promise<Readable> => {
    const compressed = await source.open({ start: dataOffset, end: dataOffset + entry.compressedBytes - 1 })
    const inflate = createInflateRaw()
    compressed.on('error', (error) => { inflate.destroy(error) })
    inflate.on('close', () => { compressed.destroy() })
    return compressed.pipe(inflate)
  }
  return { sizeBytes: entry.sizeBytes, open, sequentialOnly: true }
}

async function inflateEntry ({ source, entry, dataOffset, signal }: NestedArchive): Promise<Buffer> {
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
