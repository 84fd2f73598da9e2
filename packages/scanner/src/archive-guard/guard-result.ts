import { Readable } from 'node:stream'
import type { ScanSource } from '../scanner.js'

export type GuardResult = { ok: true } | { ok: false, reason: string }

export interface GuardedSource extends Pick<ScanSource, 'sizeBytes' | 'open'> {
  /** All of it, where it is in memory anyway. */
  bytes?: Buffer
}

/** A file, or something unpacked from one. */
export interface Content extends GuardedSource {
  /** It is unpacked anew, from its start, each time it is opened; its size is then the most that it may have. */
  sequentialOnly?: boolean
  /** Told of all that is read of it. */
  onRead?: (bytes: number) => void
}

/** Checks what was found inside an archive. */
export type GuardContent = (content: Content) => Promise<void>

export function heldContent (bytes: Buffer): GuardedSource {
  return {
    sizeBytes: bytes.length,
    bytes,
    open: async ({ start, end } = { start: 0, end: bytes.length - 1 }) => Readable.from([bytes.subarray(start, end + 1)])
  }
}

/** Thrown by the checks of one format where the archive is found wanting; never leaves the guard. */
export class Refusal extends Error {
  readonly reason: string

  /** @param reason becomes part of a signature name: letters and digits only. */
  constructor (reason: string) {
    super(reason)
    this.name = 'Refusal'
    this.reason = reason
  }
}

export function isZlibError (error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
}
