import { Readable } from 'node:stream'
import type { ScanSource } from '../scanner.js'
import type { MemberReader } from './sequential-reader.js'

export type GuardResult = { ok: true } | { ok: false; reason: string; sentence: string }

/** Scans bytes as a separate file. @throws if they are not clean. */
export type ScanContent = (body: Readable | Buffer) => Promise<void>

export interface GuardedSource extends Pick<ScanSource, 'sizeBytes' | 'open'> {
  /** The whole content, if it is already in memory. */
  bytes?: Buffer
}

export interface MemberOptions {
  /** Whether the scanner cannot find the member by itself and needs it as a separate file. */
  unseen: boolean
}

export interface UnpackOptions {
  /** Whether the scanner does not see the archive itself, because another file contains it. */
  hidden?: boolean
}

/** The checks for the files inside an archive. */
export interface Guards {
  /** For content with random access. */
  content: (content: GuardedSource) => Promise<void>
  /** For content that can be read only from its start. */
  stream: (stream: MemberReader) => Promise<void>
  /** For a member of an archive that is read from its start. */
  member: (member: MemberReader, options: MemberOptions) => Promise<void>
  /** For an archive that the scanner does not open completely: unpacks it and scans each file. */
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
