import { promisify } from 'node:util'
import { constants, inflateRaw, inflateRawSync, type InflateRaw, type ZlibOptions } from 'node:zlib'
import { isZlibError } from './guard-result.js'

/**
 * Bytes that are inflated on the event loop: to at most 66 KB, in 0.1 ms. Another thread would take longer,
 * and a ZIP may have thousands of files.
 */
const AT_ONCE_BYTES = 64
/** The second attempt, usually enough. Larger content is inflated in another thread. */
const NEXT_BYTES = 512
const MAX_AT_ONCE_BYTES = 128 * 1024

export interface Inflated {
  content: Buffer
  /** How many input bytes were used: all of them, unless the end came earlier. */
  packedBytes: number
}

export type InflateFailure = 'too-large' | 'broken'

/** The result of zlib with the option `info`. @types/node does not describe it. */
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

/** Inflates as much of the input as possible, in another thread. */
export async function inflateSome(packed: Buffer, maxBytes: number): Promise<Inflated | InflateFailure> {
  // Data that only looks deflated nearly always fails within its first bytes.
  if (inflateAtOnce(packed.subarray(0, AT_ONCE_BYTES), maxBytes) === 'broken') return 'broken'
  try {
    const { buffer, engine } = await inflateInThread(packed, optionsFor(maxBytes))
    return { content: buffer, packedBytes: engine.bytesWritten }
  } catch (error) {
    return failureOf(error)
  }
}

/** Runs on the event loop: only for little input or a small output limit. */
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
  /** The declared size of the whole output. */
  sizeBytes: number
}

/** The first bytes of the content. Fewer if the input ends early, null if it is damaged. */
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
