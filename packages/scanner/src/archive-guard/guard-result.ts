import { Readable } from 'node:stream'
import type { ScanSource } from '../scanner.js'
import type { MemberReader } from './sequential-reader.js'

export type GuardResult = { ok: true } | { ok: false; reason: string; sentence: string }

/** Scans bytes as a file of their own. @throws when they are not clean. */
export type ScanContent = (body: Readable | Buffer) => Promise<void>

export interface GuardedSource extends Pick<ScanSource, 'sizeBytes' | 'open'> {
  /** All of it, where it is in memory anyway. */
  bytes?: Buffer
}

export interface MemberOptions {
  /** Whether the scanner cannot find the member by itself and must be handed it as a file of its own. */
  unseen: boolean
}

export interface UnpackOptions {
  /** Whether the scanner does not see the archive itself, because it lies within another file. */
  hidden?: boolean
}

/** The checks of what is found inside an archive. */
export interface Guards {
  /** What can be read at any place. */
  content: (content: GuardedSource) => Promise<void>
  /** What can only be read from its start. */
  stream: (stream: MemberReader) => Promise<void>
  /** A file inside an archive that is read from its start. */
  member: (member: MemberReader, options: MemberOptions) => Promise<void>
  /**
   * An archive that the scanner does not open, or not all of: it is unpacked, and the scanner handed what
   * comes out.
   */
  unpack: (archive: Buffer, format: string, options?: UnpackOptions) => Promise<void>
}

export function heldContent(bytes: Buffer): GuardedSource {
  return {
    sizeBytes: bytes.length,
    bytes,
    open: async ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
      Readable.from([bytes.subarray(start, end + 1)])
  }
}

export function isZlibError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
  )
}
