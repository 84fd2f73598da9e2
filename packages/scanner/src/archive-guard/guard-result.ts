import { Readable } from 'node:stream'
import type { ScanSource } from '../scanner.js'
import type { MemberReader } from './sequential-reader.js'

export type GuardResult = { ok: true } | { ok: false, reason: string }

export interface GuardedSource extends Pick<ScanSource, 'sizeBytes' | 'open'> {
  /** All of it, where it is in memory anyway. */
  bytes?: Buffer
}

/** The checks of what is found inside an archive. */
export interface Guards {
  /** What can be read at any place. */
  content: (content: GuardedSource) => Promise<void>
  /** What can only be read from its start. */
  stream: (stream: MemberReader) => Promise<void>
}

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
