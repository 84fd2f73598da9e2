import type { Readable } from 'node:stream'

export type BlobSource = Readable | AsyncIterable<Uint8Array>

export interface CallOptions {
  signal?: AbortSignal | undefined
}

export interface WriteOptions extends CallOptions {
  /** When known: a source of any other length is refused with INVALID_UPLOAD and nothing remains. */
  sizeBytes?: number | undefined
}

/** Both ends count, as in an HTTP range. An `end` past the last byte means the last byte. */
export interface ByteRange {
  start: number
  end: number
}

export interface ReadOptions extends CallOptions {
  range?: ByteRange | undefined
}

/** A blob piece by piece, for callers that are done with a piece before they ask for the next. */
export interface BlobReader {
  /**
   * Null at the end. The piece's memory is used again by the next call. Not to be called while a call is
   * under way.
   */
  next: () => Promise<Uint8Array | null>
  close: () => Promise<void>
}

export interface BlobStat {
  sizeBytes: number
  modifiedAt: Date
}

export interface BlobEntry extends BlobStat {
  key: string
}

/**
 * One short text of the store itself. It is no blob: no key names it, so `list` never shows it and `remove`
 * never reaches it.
 */
export interface StoreNote {
  /** Null when the store has none, and when there is no store. */
  read: (options?: CallOptions) => Promise<string | null>
  /** False when there is one already, or when the answer was lost: read it to see whose it is. */
  create: (text: string, options?: CallOptions) => Promise<boolean>
  /** Over whatever was there. For an operator's explicit word only. */
  replace: (text: string, options?: CallOptions) => Promise<void>
}

/** 32 random bytes that only those know who may read the store. */
export interface StoreSecret {
  /** Null when the store has none. */
  read: (options?: CallOptions) => Promise<Buffer | null>
  /** Makes it if there is none. Many callers at once get the same one. */
  ensure: (options?: CallOptions) => Promise<Buffer>
}

/**
 * Bytes under keys made by `blobKeyOf`. Every driver passes the same contract suite.
 * Failures are AppErrors: BLOB_NOT_FOUND, BLOB_EXISTS, BLOB_CORRUPT, STORAGE_UNAVAILABLE (retryable),
 * CANCELLED for an abort, INVALID_FIELD for a key or range that breaks its rule. What a source throws is
 * thrown on as it is.
 */
export interface BlobStore {
  /**
   * All or nothing, and never over an existing key. When it resolves the bytes are durable; when it rejects
   * the source is destroyed.
   */
  write: (key: string, source: BlobSource, options?: WriteOptions) => Promise<{ sizeBytes: number }>
  /**
   * Rejects for whatever goes wrong before the first byte; later the stream is destroyed with the error.
   * Destroy the stream when done with it early.
   */
  read: (key: string, options?: ReadOptions) => Promise<Readable>
  /** The same without a stream. Close it, whatever happens. */
  open: (key: string, options?: ReadOptions) => Promise<BlobReader>
  stat: (key: string, options?: CallOptions) => Promise<BlobStat | null>
  /** False when it was not there. */
  remove: (key: string, options?: CallOptions) => Promise<boolean>
  /** In no particular order; a blob that comes or goes meanwhile may or may not be seen. */
  list: (options?: CallOptions) => AsyncIterable<BlobEntry>
  /** Removes what crashed writes left behind and says how many there were. */
  sweepTemporary: (options: { olderThan: Date }) => Promise<number>
  /** Writes, reads and removes a small blob; rejects if any of it fails. */
  probe: (signal?: AbortSignal) => Promise<void>
  /** Says whose store this is. */
  marker: StoreNote
  secret: StoreSecret
  close: () => Promise<void>
}
