import type { Readable } from 'node:stream'
import type { Placement } from './placement.js'

export type BlobSource = Readable | AsyncIterable<Uint8Array>

export interface CallOptions {
  signal?: AbortSignal | undefined
}

export interface WriteOptions extends CallOptions {
  /** When known: a source of any other length is refused with INVALID_UPLOAD and nothing is stored. */
  sizeBytes?: number | undefined
  placement?: Placement | undefined
  /**
   * Gets each chunk of the source once the driver has written it and will not read it again, so that its memory
   * can be freed. A driver whose libraries may still read the chunk never calls it.
   */
  onWritten?: ((chunk: Uint8Array) => void) | undefined
}

/** Both ends are inclusive, as in an HTTP range. An `end` past the last byte means the last byte. */
export interface ByteRange {
  start: number
  end: number
}

export interface ReadOptions extends CallOptions {
  range?: ByteRange | undefined
}

/** How the store sends the blob to a client that has the address. */
export interface AddressOptions extends CallOptions {
  /** How long the address is valid. */
  seconds: number
  contentType: string
  contentDisposition: string
  cacheControl: string
}

/** Reads a blob in chunks, for callers that finish a chunk before they request the next. */
export interface BlobReader {
  /** Null at the end. The next call reuses the chunk's memory. Do not call it while a call is running. */
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
 * One short text of the store itself. It is not a blob: no key names it, so `list` never shows it and
 * `remove` never reaches it.
 */
export interface StoreNote {
  /** Null when the store has none, and when there is no store. */
  read: (options?: CallOptions) => Promise<string | null>
  /** False when there is one already, or when the reply was lost: read it to see whose it is. */
  create: (text: string, options?: CallOptions) => Promise<boolean>
  /** Overwrites any existing one. Only for an operator's explicit command. */
  replace: (text: string, options?: CallOptions) => Promise<void>
}

/** 32 random bytes, known only to those who may read the store. */
export interface StoreSecret {
  /** Null when the store has none. */
  read: (options?: CallOptions) => Promise<Buffer | null>
  /** Creates it if there is none. Concurrent callers get the same one. */
  ensure: (options?: CallOptions) => Promise<Buffer>
  /** Overwrites any existing one. Only for an operator's explicit command. */
  replace: (secret: Buffer, options?: CallOptions) => Promise<void>
}

/**
 * Bytes under keys made by `blobKeyOf`. Every driver passes the same contract suite. Failures are AppErrors:
 * BLOB_NOT_FOUND, BLOB_EXISTS, BLOB_CORRUPT, STORAGE_UNAVAILABLE (retryable), CANCELLED for an abort,
 * INVALID_FIELD for an invalid key or range. Errors of a source are rethrown unchanged.
 */
export interface BlobStore {
  /**
   * All or nothing, and never overwrites an existing key. When it resolves, the bytes are durable; when it
   * rejects, the source is destroyed.
   */
  write: (key: string, source: BlobSource, options?: WriteOptions) => Promise<{ sizeBytes: number }>
  /**
   * Rejects on any failure before the first byte; after that, the stream is destroyed with the error. Destroy
   * the stream to stop early.
   */
  read: (key: string, options?: ReadOptions) => Promise<Readable>
  /**
   * Copies the blob, or its range, to the start of the buffer and returns the number of bytes.
   * @throws RangeError when the buffer is too small.
   */
  readInto: (key: string, buffer: Buffer, options?: ReadOptions) => Promise<number>
  /** The same as `read` without a stream. Always close it. */
  open: (key: string, options?: ReadOptions) => Promise<BlobReader>
  /**
   * An address at which the store itself sends the blob to any client, until it expires. Does not check that the
   * blob exists. Null where there are no such addresses.
   */
  address: (key: string, options: AddressOptions) => Promise<string | null>
  stat: (key: string, options?: CallOptions) => Promise<BlobStat | null>
  /** False when it did not exist. */
  remove: (key: string, options?: CallOptions) => Promise<boolean>
  /** In no particular order; a blob that is added or removed during the listing may or may not appear. */
  list: (options?: CallOptions) => AsyncIterable<BlobEntry>
  /** Removes leftovers of crashed writes and returns their number. */
  sweepTemporary: (options: { olderThan: Date }) => Promise<number>
  /** Writes, reads and removes a small blob; rejects if any step fails. */
  probe: (signal?: AbortSignal, placement?: Placement) => Promise<void>
  /** Identifies the installation that owns the store. */
  marker: StoreNote
  secret: StoreSecret
  close: () => Promise<void>
}
