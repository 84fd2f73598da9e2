import { createScanMeter, type ScanMeter } from '../scan-meter.js'
import type { ScanOptions } from '../scanner.js'
import { gunzipped, zlibUnpacked } from './inflate.js'
import { createBudget, type Budget } from './budget.js'
import { guardCpio } from './cpio-guard.js'
import { expectGzip } from './declared-size.js'
import { refuseEmbeddedArchive } from './embedded-archive.js'
import { formatOf, HEAD_BYTES, mayHoldZip } from './formats.js'
import { createForwardReader } from './forward-reader.js'
import {
  heldContent,
  type GuardedSource,
  type GuardResult,
  type Guards,
  type ScanContent
} from './guard-result.js'
import { createInspector, type Inspector } from './inspector.js'
import { createUnpackGuard } from './packed-guard.js'
import { guardPdf } from './pdf-guard.js'
import { Refusal, tolerateDamage } from './refusals.js'
import { largeRoom, RoomTooSmall, smallRoom, type Room } from './rooms.js'
import { memberOf, readerOf, restOf, sequential, type MemberReader } from './sequential-reader.js'
import { guardTar } from './tar-guard.js'
import { mayHaveLzmaStrips } from './tiff.js'
import { guardLzmaTiff } from './tiff-guard.js'
import { findAppendedZip, hasZipEnd } from './zip-directory.js'
import { guardZip } from './zip-guard.js'
import { salvageZip } from './zip-salvage.js'

export interface GuardOptions extends ScanOptions {
  /** Scans the files inside the archive that clamd does not find by itself. */
  scanContent: ScanContent
  /** Records the cost of the scan. */
  meter?: ScanMeter
}

/**
 * Makes sure that clamd sees every file that any unpacker would extract. Files that clamd cannot extract are
 * unpacked here and sent to clamd one by one. An archive that two unpackers would read differently is
 * refused. Archives are followed into one another, whatever their format. All scans of the process together
 * hold at most 72 MiB of nested archives. Files that are not archives pass unchanged. Errors of the source
 * and of the scanner are rethrown.
 */
export async function guardArchive(source: GuardedSource, options: GuardOptions): Promise<GuardResult> {
  const { meter = createScanMeter() } = options
  if (isPlain(source)) return { ok: true }
  try {
    try {
      await guardIn(smallRoom, source, { ...options, meter })
    } catch (error) {
      if (!(error instanceof RoomTooSmall)) throw error
      // Restarts from the beginning: keeping the unpacked files would use memory while the scan waits.
      await guardIn(largeRoom, source, { ...options, meter })
    }
    return { ok: true }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.reason, sentence: error.sentence }
    throw error
  }
}

/** True for nearly all small files: they have no format that the guard opens and no ZIP at the end. */
function isPlain({ bytes }: GuardedSource): boolean {
  return bytes !== undefined && formatOf(bytes.subarray(0, HEAD_BYTES)).kind === 'other' && !hasZipEnd(bytes)
}

async function guardIn(
  room: Room,
  source: GuardedSource,
  options: GuardOptions & { meter: ScanMeter }
): Promise<void> {
  const { scanContent, ...rest } = options
  const { signal } = rest
  const budget = createBudget({ sizeBytes: source.sizeBytes, room, ...rest })
  const inspector = createInspector(scanContent)

  async function guard(): Promise<void> {
    const guards = createGuards({ ...rest, budget, inspector })
    await guardAppendedZip(source, { guards, signal })
    await guards.content(source)
    await inspector.finish()
  }

  // The wait may be long, and clamd would time out if it had received only part of a file.
  await (room.isLast ? budget.withRoom(guard) : guard())
}

/**
 * clamd finds such an archive only if the sizes come before the data; unpackers search from the end. In a
 * format that 7-Zip opens, the ZIP may also be the last stored member. It is then scanned as a separate file.
 */
async function guardAppendedZip(source: GuardedSource, { guards, signal }: AppendedZipDeps): Promise<void> {
  const { sizeBytes, open, bytes } = source
  const reader = createForwardReader({ sizeBytes, open, bytes, signal })
  try {
    const head = await reader.read(0, HEAD_BYTES)
    const { kind } = formatOf(head)
    // The PDF guard handles archives embedded in a PDF.
    if (kind === 'zip' || kind === 'spanned-zip' || kind === 'pdf') return
    const start = await findAppendedZip(reader, sizeBytes, { toTheByte: mayHoldZip(head) })
    if (start === null) return
    if (kind !== 'packed' || start === 0) throw new Refusal('ZipAppended')
    await guards.member(memberOf(sequential(reader, start), sizeBytes - start), { unseen: true })
  } finally {
    reader.close()
  }
}

interface AppendedZipDeps {
  guards: Pick<Guards, 'member'>
  signal: AbortSignal | undefined
}

interface GuardsDeps {
  budget: Budget
  inspector: Inspector
  meter: ScanMeter
  lane?: string | undefined
  signal?: AbortSignal | undefined
}

function createGuards({ budget, inspector, meter, lane, signal }: GuardsDeps): Guards {
  const guards: Guards = {
    content: guardContent,
    stream: guardStream,
    member: guardMember,
    unpack: createUnpackGuard({
      budget,
      signal,
      onFile: async (content, unseen) => await guardMember(memberOf(content, Infinity), { unseen })
    })
  }

  async function guardContent(content: GuardedSource): Promise<void> {
    const reader = createForwardReader({ ...content, signal })
    try {
      const stream = memberOf(sequential(reader), content.sizeBytes)
      const { kind } = formatOf(await stream.peek(HEAD_BYTES))
      if (kind === 'gzip' && budget.depth() === 0) await expectGzip(content, { budget, signal })
      await (kind === 'zip' ? guardWholeZip(content) : guardStream(stream))
    } finally {
      reader.close()
    }
  }

  async function guardStream(stream: MemberReader): Promise<void> {
    const format = formatOf(await stream.peek(HEAD_BYTES))
    switch (format.kind) {
      case 'zip':
        return await withHeld(stream, async (bytes) => await guardWholeZip(heldContent(bytes)))
      case 'spanned-zip':
        if (budget.depth() === 0) throw new Refusal('ZipSpanned')
        return await withHeld(stream, async (bytes) => await salvageZip(bytes, { budget, guards }))
      case 'tar':
        return await guardTar(stream, { budget, guards })
      case 'cpio':
        return await guardCpio(stream, { budget, guards })
      case 'pdf':
        return await withHeld(
          stream,
          async (bytes) => await guardPdf(bytes, { budget, guards, meter, lane, signal })
        )
      case 'picture':
        if (!mayHaveLzmaStrips(await stream.peek(HEAD_BYTES))) return await refuseEmbeddedArchive(stream)
        return await withHeld(stream, async (bytes) => await guardLzmaTiff(bytes, guards))
      case 'gzip':
        return await guardGzip(stream)
      case 'zlib':
        return await guardZlib(stream)
      case 'packed':
        return await withHeld(stream, async (bytes) => await guards.unpack(bytes, format.format))
      case 'other':
      // Nothing to unpack: clamd scans the bytes as they are.
    }
  }

  /**
   * A damaged ZIP inside an archive is accepted, but files that a lenient unpacker could still extract are
   * scanned.
   */
  async function guardWholeZip(content: GuardedSource): Promise<void> {
    try {
      await guardZip(content, { signal, budget, guards })
    } catch (error) {
      const isDamagedZip =
        error instanceof Refusal && error.kind === 'damaged' && error.reason.startsWith('Zip')
      if (!isDamagedZip || budget.depth() === 0) throw error
      await withHeldSource(content, async (bytes) => await salvageZip(bytes, { budget, guards }))
    }
  }

  async function withHeldSource(
    content: GuardedSource,
    work: (bytes: Buffer) => Promise<void>
  ): Promise<void> {
    const { bytes } = content
    if (bytes !== undefined) return await work(bytes)
    const reader = createForwardReader({ ...content, signal })
    try {
      await withHeld(memberOf(sequential(reader), content.sizeBytes), work)
    } finally {
      reader.close()
    }
  }

  async function guardMember(member: MemberReader, { unseen }: { unseen: boolean }): Promise<void> {
    if (unseen) return await inspector.inspect(member, guardNested)
    await guardNested(member)
  }

  async function guardNested(content: MemberReader): Promise<void> {
    if (formatOf(await content.peek(HEAD_BYTES)).kind === 'other') return
    await tolerateDamage(async () => {
      await budget.descend(0, async () => await guardStream(content))
    })
  }

  /** For formats that need random access, so the content must be in memory. */
  async function withHeld(stream: MemberReader, work: (bytes: Buffer) => Promise<void>): Promise<void> {
    if (Number.isFinite(stream.sizeBytes)) {
      return await budget.hold(stream.sizeBytes, async () => await work(await stream.read(stream.sizeBytes)))
    }
    await budget.withRoom(async () => {
      // One byte more than the limit, to distinguish an archive that just fits from a larger one.
      const bytes = await stream.read(budget.availableBytes() + 1)
      await budget.hold(bytes.length, async () => await work(bytes))
    })
  }

  /** Always reads to the end: damage may only show there. */
  async function guardGzip(stream: MemberReader): Promise<void> {
    let isWhole = false
    async function* unpacking(): AsyncGenerator<Buffer, void, undefined> {
      yield* gunzipped(stream, budget.countEntry)
      isWhole = true
    }
    const chunks = unpacking()
    try {
      await budget.descend(0, async () => {
        const unpacked = readerOf(chunks, budget.unpack)
        await tolerateDamage(async () => await guardStream(memberOf(unpacked, Infinity)))
        for await (const rest of restOf(unpacked)) void rest
      })
    } finally {
      await chunks.return()
    }
    if (!isWhole) throw new Refusal('GzipBroken')
  }

  /**
   * clamd does not open zlib streams. Two bytes are a weak signature, so data that does not inflate is
   * treated as another format.
   */
  async function guardZlib(stream: MemberReader): Promise<void> {
    const chunks = zlibUnpacked(stream)
    try {
      await tolerateDamage(
        async () => await guardMember(memberOf(readerOf(chunks, budget.unpack), Infinity), { unseen: true })
      )
    } finally {
      await chunks.return()
    }
  }

  return guards
}
