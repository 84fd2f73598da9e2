import type { Readable } from 'node:stream'

export interface Verdict {
  /**
   * `unscannable` is refused like `infected`: the scanner could not look inside, so nobody vouches for it.
   */
  verdict: 'clean' | 'infected' | 'unscannable'
  signature?: string
  /**
   * Why the file could not be scanned: a fragment of a sentence, at most 200 ASCII characters. Clients are
   * shown it.
   */
  reason?: string
  /** Engine and version of its signatures, as "ClamAV 1.4.6/27500". */
  engine: string
  /** All that came out of archives, whatever the verdict. */
  unpackedBytes: number
  /** How long the scan stood in line behind others of this process. */
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
   * The same bytes at once: a stream costs more than all else that is done with a small file. Fills `into` from
   * its start, and gives the number of bytes. `into` has room for the range.
   */
  read: (into: Buffer, range: ByteRange, signal: AbortSignal) => Promise<number>
}

export interface ScanOptions {
  /** Whose file it is. Where scans wait for one another, lanes take turns. */
  lane?: string | undefined
  signal?: AbortSignal | undefined
}

export interface ScannerHealth {
  ok: boolean
  /** Of the last self-test. */
  checkedAt: Date | null
  reason?: string
  /** It works, and somebody should look at it. */
  warning?: string
  engine?: string
  /** When the official signatures were made; null where only our own are loaded. */
  signaturesAt?: Date | null
}

export interface Scanner {
  /**
   * @throws AppError SCAN_UNAVAILABLE (retryable) for anything but a verdict, BLOB_CORRUPT when the bytes are not the announced
   * ones, CANCELLED on abort. Errors of the source itself pass through.
   */
  scan: (source: ScanSource, options?: ScanOptions) => Promise<Verdict>
  /** Finds a test virus and passes a clean sample, or throws SCAN_UNAVAILABLE. */
  selfTest: (options?: ScanOptions) => Promise<void>
  health: () => ScannerHealth
  /** The same, after a look whether the scanner answers at this moment. Never rejects. */
  probe: (options?: ScanOptions) => Promise<ScannerHealth>
  /** Resolves after the first self-test, passed or not: a scanner that is down at boot heals by itself. */
  start: () => Promise<void>
  close: () => Promise<void>
}
