import { createGunzip } from 'node:zlib'
import type { Readable } from 'node:stream'
import type { ScanOptions } from '../scanner.js'
import { createForwardReader, type ForwardReader } from './forward-reader.js'
import { isZlibError, Refusal, type GuardedSource, type GuardResult } from './guard-result.js'
import { guardBzip2 } from './bzip2-guard.js'
import { guardTar, isTarHeader, type SequentialReader } from './tar-guard.js'
import { unscannableFormat } from './unscannable-formats.js'
import { endsInZip } from './zip-directory.js'
import { guardZip } from './zip-guard.js'

const HEAD_BYTES = 512
/** clamd's MaxScanSize. */
const MAX_UNPACKED_BYTES = 400 * 1024 * 1024

/**
 * Refuses archives that clamd would call clean without having seen all that an unpacker would find. Reads only what it needs, and
 * unpacks no more than 64 MiB at a time. Says nothing about files that are no archives. Errors of the source pass through.
 */
export async function guardArchive (source: GuardedSource, { signal }: ScanOptions = {}): Promise<GuardResult> {
  const reader = createForwardReader({ sizeBytes: source.sizeBytes, open: source.open, signal })
  try {
    await guardByHead(source, reader, signal)
    return { ok: true }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.reason }
    throw error
  } finally {
    reader.close()
  }
}

async function guardByHead (source: GuardedSource, reader: ForwardReader, signal: AbortSignal | undefined): Promise<void> {
  const { sizeBytes } = source
  const head = await reader.read(0, HEAD_BYTES)
  const unscannable = unscannableFormat(head)
  if (unscannable !== null) throw new Refusal(unscannable)

  const startsWith = (hex: string): boolean => head.subarray(0, hex.length / 2).toString('hex') === hex
  if (startsWith('504b0304') || startsWith('504b0506')) return await guardZip(source, { signal })
  // "PK\7\8" and "PK00" open a part of an archive in several parts.
  if (startsWith('504b0708') || startsWith('504b3030')) throw new Refusal('ZipSpanned')
  if (isTarHeader(head)) return await guardTar(sequential(reader))

  const compressed = startsWith('1f8b') || startsWith('425a68') || startsWith('fd377a585a00')
  if (compressed && await endsInZip(reader, sizeBytes)) throw new Refusal('ZipAppended')
  if (startsWith('425a68')) return await guardBzip2(sequential(reader))
  if (startsWith('1f8b')) return await guardGzip(source, signal)
}

function sequential (reader: ForwardReader): SequentialReader {
  let position = 0
  return {
    read: async (length) => {
      const bytes = await reader.read(position, length)
      position += bytes.length
      return bytes
    },
    skip: async (length) => { position += length }
  }
}

/** A compressed tar is checked like a plain one, as far as clamd would unpack it; beyond, clamd refuses it by itself. */
async function guardGzip (source: GuardedSource, signal: AbortSignal | undefined): Promise<void> {
  const open = async (): Promise<Readable> => {
    const compressed = await source.open()
    const gunzip = createGunzip()
    // Not pipeline(): it reports the end of our own early leaving as an error.
    compressed.on('error', (error) => { gunzip.destroy(error) })
    gunzip.on('close', () => { compressed.destroy() })
    return compressed.pipe(gunzip)
  }
  const reader = createForwardReader({ sizeBytes: MAX_UNPACKED_BYTES, open, signal, sequentialOnly: true })
  try {
    if (isTarHeader(await reader.read(0, HEAD_BYTES))) await guardTar(sequential(reader))
  } catch (error) {
    // A broken gzip hides nothing: clamd and unpackers stop at the same byte.
    if (!isZlibError(error)) throw error
  } finally {
    reader.close()
  }
}
