import type { ScanOptions } from '../scanner.js'
import { createBudget, type Budget } from './budget.js'
import { guardCpio } from './cpio-guard.js'
import { refuseEmbeddedArchive } from './embedded-archive.js'
import { createForwardReader } from './forward-reader.js'
import { heldContent, Refusal, type GuardedSource, type GuardResult, type Guards } from './guard-result.js'
import { formatOf, HEAD_BYTES, isGuarded, mayHoldZip } from './magic.js'
import { memberOf, readerOf, restOf, sequential, type MemberReader } from './sequential-reader.js'
import { guardTar } from './tar-guard.js'
import { hasUnscannableName, unscannableFormat } from './unscannable-formats.js'
import { bunzipped } from './unpack/bunzip2.js'
import { gunzipped } from './unpack/inflate.js'
import { unxzed } from './unpack/unxz.js'
import { endsInZip } from './zip-directory.js'
import { guardZip } from './zip-guard.js'

/**
 * Refuses archives that clamd would call clean without having seen all that an unpacker would find. Follows ZIP, tar, cpio, gzip, bzip2 and xz into
 * one another. Reads only what it needs, and holds no more than 64 MiB of nested archives at a time, all scans of the process
 * together. Says nothing about files that are no archives. Errors of the source pass through.
 */
export async function guardArchive (source: GuardedSource, { signal }: ScanOptions = {}): Promise<GuardResult> {
  const budget = createBudget(signal)
  try {
    await refuseAppendedZip(source, signal)
    await createGuards(budget, signal).content(source)
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

function createGuards (budget: Budget, signal: AbortSignal | undefined): Guards {
  const guards: Guards = { content: guardContent, stream: guardStream }

  async function guardContent (content: GuardedSource): Promise<void> {
    const reader = createForwardReader({ ...content, signal })
    try {
      const stream = memberOf(sequential(reader), content.sizeBytes)
      const isZip = formatOf(await stream.peek(HEAD_BYTES)) === 'zip'
      await (isZip ? guardZip(content, { signal, budget, guards }) : guardStream(stream))
    } finally {
      reader.close()
    }
  }

  async function guardStream (stream: MemberReader): Promise<void> {
    const head = await stream.peek(HEAD_BYTES)
    const unscannable = unscannableFormat(head)
    if (unscannable !== null) throw new Refusal(unscannable)
    switch (formatOf(head)) {
      case 'zip': return await guardHeldZip(stream)
      case 'spanned-zip': throw new Refusal('ZipSpanned')
      case 'tar': return await guardTar(stream, guardMember)
      case 'cpio': return await guardCpio(stream, guardMember)
      case 'bzip2': return await guardUnpacked(bunzipped(stream))
      case 'carrier': return await refuseEmbeddedArchive(stream)
      case 'xz': return await guardUnpacked(unxzed(stream, budget.reserve()))
      case 'gzip': return await guardUnpacked(gunzipped(stream))
    }
  }

  async function guardMember (member: MemberReader, names: string[]): Promise<void> {
    if (names.some(hasUnscannableName)) throw new Refusal('NestedArchive')
    if (!isGuarded(await member.peek(HEAD_BYTES))) return
    await budget.descend(0, async () => { await guardStream(member) })
  }

  async function guardHeldZip (stream: MemberReader): Promise<void> {
    const guardHeld = async (bytes: Buffer): Promise<void> => { await guardZip(heldContent(bytes), { signal, budget, guards }) }
    if (Number.isFinite(stream.sizeBytes)) {
      return await budget.hold(stream.sizeBytes, async () => { await guardHeld(await stream.read(stream.sizeBytes)) })
    }
    await budget.waitForRoom()
    // One more than may be held, to tell an archive that just fits from one that does not.
    const bytes = await stream.read(budget.availableBytes() + 1)
    await budget.hold(bytes.length, async () => { await guardHeld(bytes) })
  }

  /** To the very end, whatever it is: only there it shows whether it is sound. */
  async function guardUnpacked (chunks: AsyncGenerator<Buffer, void, undefined>): Promise<void> {
    try {
      await budget.descend(0, async () => {
        const unpacked = readerOf(chunks, budget.unpack)
        await guardStream(memberOf(unpacked, Infinity))
        for await (const rest of restOf(unpacked)) void rest
      })
    } finally {
      await chunks.return()
    }
  }

  return guards
}
