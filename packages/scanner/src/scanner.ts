import type { Readable } from 'node:stream'

export interface Verdict {
  /** `unscannable` is refused like `infected`: the scanner could not look inside. */
  verdict: 'clean' | 'infected' | 'unscannable'
  signature?: string
  /**
   * Why the file could not be scanned: a fragment of a sentence, at most 200 ASCII characters, shown to
   * clients.
   */
  reason?: string
  /** Engine and version of its signatures, such as "ClamAV 1.4.6/27500". */
  engine: string
  /** When the official signatures were published; absent without them. */
  signaturesAt?: Date
  /** Total size unpacked from archives, whatever the verdict. */
  unpackedBytes: number
  /** How long the scan waited for other scans of this process. */
  waitedMs: number
}

/** Both ends inclusive, as in an HTTP range. */
export interface ByteRange {
  start: number
  end: number
}

export interface ScanSource {
  sizeBytes: number
  sha256: string
  open: (range?: ByteRange) => Promise<Readable>
  /**
   * Reads a range of the same bytes into a buffer: for a small file, a stream costs more than all other work.
   * Fills `into` from its start and returns the number of bytes. `into` has room for the whole range.
   */
  read: (into: Buffer, range: ByteRange, signal: AbortSignal) => Promise<number>
}

export interface ScanOptions {
  /** The owner of the file. Where scans wait for each other, lanes take turns. */
  lane?: string | undefined
  signal?: AbortSignal | undefined
}

export interface ScannerHealth {
  ok: boolean
  /** Of the last self-test. */
  checkedAt: Date | null
  reason?: string
  /** The scanner works, but an operator should look at it. */
  warning?: string
  engine?: string
  /** When the official signatures were published; null if only our own are loaded. */
  signaturesAt?: Date | null
}

export interface Scanner {
  /**
   * @throws AppError SCAN_UNAVAILABLE (retryable) for anything except a verdict, BLOB_CORRUPT when the bytes
   * are not the announced ones, CANCELLED on abort. Errors of the source itself are rethrown.
   */
  scan: (source: ScanSource, options?: ScanOptions) => Promise<Verdict>
  /** Detects a test virus and passes a clean sample, or throws SCAN_UNAVAILABLE. */
  selfTest: (options?: ScanOptions) => Promise<void>
  health: () => ScannerHealth
  /** The same, after checking that the scanner answers right now. Never rejects. */
  probe: (options?: ScanOptions) => Promise<ScannerHealth>
  /**
   * Resolves after the first self-test, passed or not: a scanner that is down at startup recovers by itself.
   */
  start: () => Promise<void>
  close: () => Promise<void>
}
