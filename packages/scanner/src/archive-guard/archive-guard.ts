import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ScanOptions } from '../scanner.js'
import { createBudget, MAX_UNPACKED_BYTES, type Budget } from './budget.js'
import { guardBzip2 } from './bzip2-guard.js'
import { createForwardReader, type ForwardReader } from './forward-reader.js'
import { heldContent, isZlibError, Refusal, type Content, type GuardedSource, type GuardResult } from './guard-result.js'
import { formatOf, HEAD_BYTES, isGuarded, mayHoldZip } from './magic.js'
import { sequential, type MemberReader } from './sequential-reader.js'
import { guardTar } from './tar-guard.js'
import { unscannableFormat } from './unscannable-formats.js'
import { endsInZip } from './zip-directory.js'
import { guardZip } from './zip-guard.js'

/**
 * Refuses archives that clamd would call clean without having seen all that an unpacker would find. Follows ZIP, tar and gzip into
 * one another. Reads only what it needs, and holds no more than 64 MiB of nested archives at a time, all scans of the process
 * together. Says nothing about files that are no archives. Errors of the source pass through.
 */
export async function guardArchive (source: GuardedSource, { signal }: ScanOptions = {}): Promise<GuardResult> {
  const budget = createBudget(signal)
  try {
    await refuseAppendedZip(source, signal)
    await createContentGuard(budget, signal)(source)
    return { ok: true }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.reason }
    throw error
  } finally {
    budget.close()
  }
}

/** clamd sees such an archive only if its sizes stand before its data; unpackers look from the end. */
async function refuseAppendedZip ({ sizeBytes, open, bytes }: GuardedSource, signal: AbortSignal | undefined): Promise<void> {
  const reader = createForwardReader({ sizeBytes, open, bytes, signal })
  try {
    const head = await reader.read(0, HEAD_BYTES)
    if (['zip', 'spanned-zip'].includes(formatOf(head)) || unscannableFormat(head) !== null) return
    if (await endsInZip(reader, sizeBytes, { toTheByte: mayHoldZip(head) })) throw new Refusal('ZipAppended')
  } finally {
    reader.close()
  }
}

function createContentGuard (budget: Budget, signal: AbortSignal | undefined): (content: Content) => Promise<void> {
  async function guardContent (content: Content): Promise<void> {
    const reader = createForwardReader({ ...content, signal })
    try {
      const head = await reader.read(0, HEAD_BYTES)
      const unscannable = unscannableFormat(head)
      if (unscannable !== null) throw new Refusal(unscannable)
      switch (formatOf(head)) {
        case 'zip': return await (content.sequentialOnly === true ? guardHeldZip(reader) : guardZip(content, { signal, budget, guardContent }))
        case 'spanned-zip': throw new Refusal('ZipSpanned')
        case 'tar': return await guardTar(sequential(reader), guardTarMember)
        case 'bzip2': return await guardBzip2(sequential(reader))
        case 'gzip': return await guardGzip(content)
      }
    } finally {
      reader.close()
    }
  }

  async function guardHeldZip (reader: ForwardReader): Promise<void> {
    await budget.waitForRoom()
    // One more than may be held, to tell an archive that just fits from one that does not.
    const bytes = await reader.read(0, budget.availableBytes() + 1)
    await budget.hold(bytes.length, async () => { await guardZip(heldContent(bytes), { signal, budget, guardContent }) })
  }

  async function guardTarMember (member: MemberReader): Promise<void> {
    const head = await member.peek(HEAD_BYTES)
    if (!isGuarded(head)) return
    // Layers of container images are large tars in a tar, and need no memory.
    if (formatOf(head) === 'tar') return await budget.descend(0, async () => { await guardTar(member, guardTarMember) })
    await budget.descend(member.sizeBytes, async () => { await guardContent(heldContent(await member.read(member.sizeBytes))) })
  }

  async function guardGzip (content: Content): Promise<void> {
    const open = async (): Promise<Readable> => {
      const compressed = await content.open()
      const gunzip = createGunzip()
      // Not pipeline(): it reports the end of our own early leaving as an error.
      compressed.on('error', (error) => { gunzip.destroy(error) })
      gunzip.on('close', () => { compressed.destroy() })
      return compressed.pipe(gunzip)
    }
    try {
      await budget.descend(0, async () => {
        await guardContent({ sizeBytes: MAX_UNPACKED_BYTES, open, sequentialOnly: true, onRead: budget.unpack })
      })
    } catch (error) {
      // tar keeps what it unpacked before the error, and not all of that has been seen here.
      throw isZlibError(error) ? new Refusal('GzipBroken') : error
    }
  }

  return guardContent
}
