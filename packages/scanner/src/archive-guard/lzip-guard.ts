import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { linkSignals } from '@filewright/runtime'
import { unpackArchive, type UnpackProblem } from '../unpack/seven-zip.js'
import { refuseEmbeddedArchive } from './embedded-archive.js'
import { lzipParts, type LzipMember } from './lzip.js'
import { Refusal } from './refusals.js'
import { readerOf } from './sequential-reader.js'
import { errorOf, type UnpackGuardDeps } from './unpacking.js'

/**
 * Passes on the output of all members as one file, as lzip does: a tar written by plzip spans several
 * members. clamd does not open lzip.
 */
export async function guardLzip(lzip: Buffer, { budget, signal, onFile }: UnpackGuardDeps): Promise<void> {
  const { members, trailing } = lzipParts(lzip)
  if (trailing.length > 0) {
    await refuseEmbeddedArchive(readerOf(each(trailing), () => {}))
    await onFile(
      readerOf(each(trailing), () => {}),
      true
    )
  }
  const refusals: Error[] = []

  // Does not throw: the consumer could mistake the error for harmless damage to the content.
  async function* unpacked(): AsyncGenerator<Buffer, void, undefined> {
    for (const member of members) {
      budget.countEntry()
      const problem = yield* unpackedMember(member, { budget, signal })
      if (problem === null) continue
      const isUnclear = problem === 'damaged' && member.mayHideMember
      refusals.push(isUnclear ? new Refusal('LzipMembers') : errorOf(problem, budget))
      return
    }
  }

  await budget.withUnpacker(async () => {
    const chunks = unpacked()
    try {
      await onFile(readerOf(chunks, budget.unpack), true)
    } finally {
      await chunks.return()
    }
  })
  const [refusal] = refusals
  if (refusal !== undefined) throw refusal
}

async function* each(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield bytes
}

interface MemberOptions {
  budget: UnpackGuardDeps['budget']
  signal: AbortSignal | undefined
}

async function* unpackedMember(
  { lzma }: LzipMember,
  { budget, signal }: MemberOptions
): AsyncGenerator<Buffer, UnpackProblem | null, undefined> {
  const through = new PassThrough()
  const reading = linkSignals(signal)
  const unpacking = unpackArchive({
    archive: lzma(),
    format: 'lzma',
    timeoutMs: budget.msLeft(),
    maxMemoryBytes: budget.unpackerBytes(),
    signal: reading.signal,
    onFile: async ({ chunks }) => await pipeline(chunks, through, { end: false })
  })
  unpacking.then(
    () => {
      through.end()
    },
    (error: Error) => {
      through.destroy(error)
    }
  )
  try {
    for await (const chunk of through) yield chunk as Buffer
    return await unpacking
  } finally {
    reading.abort()
    await unpacking.catch(() => {})
  }
}
