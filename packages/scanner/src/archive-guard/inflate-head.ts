import { promisify } from 'node:util'
import { constants, inflateRaw, inflateRawSync, type InflateRaw, type ZlibOptions } from 'node:zlib'
import { isZlibError } from './guard-result.js'

/**
 * Packed bytes that are inflated at once, on the event loop: to 66 KB at most, in a tenth of a millisecond.
 * The way through another thread takes longer, and a ZIP may have thousands of files.
 */
const AT_ONCE_BYTES = 64
/** Mostly enough where that is too little. What unpacks to much then goes through a thread after all. */
const NEXT_BYTES = 512
const MAX_AT_ONCE_BYTES = 128 * 1024

export interface Inflated {
  content: Buffer
  /** How much of the input it took: all of it, unless the end came before. */
  packedBytes: number
}

export type InflateFailure = 'too-large' | 'broken'

/** What zlib returns when asked for information, which its types do not say. */
interface WithInfo {
  buffer: Buffer
  engine: InflateRaw
}

const inflateInThread = promisify(
  inflateRaw as unknown as (
    bytes: Buffer,
    options: ZlibOptions,
    callback: (error: Error | null, result: WithInfo) => void
  ) => void
)

function optionsFor(maxOutputLength: number): ZlibOptions & { info: true } {
  return { finishFlush: constants.Z_SYNC_FLUSH, info: true, maxOutputLength: Math.max(1, maxOutputLength) }
}

/** As far as the input goes, in another thread. */
export async function inflateSome(packed: Buffer, maxBytes: number): Promise<Inflated | InflateFailure> {
  // Nearly all that only looks like deflated data breaks within its first bytes.
  if (inflateAtOnce(packed.subarray(0, AT_ONCE_BYTES), maxBytes) === 'broken') return 'broken'
  try {
    const { buffer, engine } = await inflateInThread(packed, optionsFor(maxBytes))
    return { content: buffer, packedBytes: engine.bytesWritten }
  } catch (error) {
    return failureOf(error)
  }
}

/** On the event loop: for little input, or with little output allowed. */
export function inflateAtOnce(packed: Buffer, maxBytes: number): Inflated | InflateFailure {
  try {
    const { buffer, engine } = inflateRawSync(packed, optionsFor(maxBytes)) as unknown as WithInfo
    return { content: buffer, packedBytes: engine.bytesWritten }
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): InflateFailure {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return 'too-large'
  if (isZlibError(error)) return 'broken'
  throw error
}

export interface HeadOptions {
  headBytes: number
  /** What all of it is said to inflate to. */
  sizeBytes: number
}

/** The first bytes of the content; fewer where the input does not reach so far, null where it is broken. */
export async function inflateHead(packed: Buffer, options: HeadOptions): Promise<Buffer | null> {
  const { headBytes, sizeBytes } = options
  const wantedBytes = Math.min(headBytes, sizeBytes)
  for (const takenBytes of [AT_ONCE_BYTES, NEXT_BYTES]) {
    const inflated = inflateAtOnce(packed.subarray(0, takenBytes), Math.min(MAX_AT_ONCE_BYTES, sizeBytes))
    if (inflated === 'broken') return null
    if (inflated === 'too-large') break
    const { content } = inflated
    if (content.length >= wantedBytes || takenBytes >= packed.length) return content.subarray(0, headBytes)
  }
  const inflated = await inflateSome(packed, sizeBytes)
  return typeof inflated === 'string' ? null : inflated.content.subarray(0, headBytes)
}
