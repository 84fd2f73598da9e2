/**
 * The body of an upload: `open` is called once per attempt, so a source that can be opened only once is not
 * retried.
 */
export interface Source {
  name: string | undefined
  /** Undefined when it is unknown before the end. */
  size: number | undefined
  repeatable: boolean
  /** @param reuse a chunk may be overwritten as soon as the next one is requested */
  open: (options?: { reuse?: boolean }) => ReadableStream<Uint8Array>
  /** Set if all bytes are in memory; browsers send these. */
  blob?: () => Promise<Blob>
}

export interface SendOptions {
  url: string
  headers: Record<string, string>
  fields: Array<[name: string, value: string]>
  file: { name: string; source: Source }
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
  /** The caller's own `fetch`, if any. */
  fetch: typeof fetch | undefined
}

/** A running SHA-256. */
export interface Hasher {
  update: (bytes: Uint8Array) => void
  hex: () => string
}

/** The differences between Node.js and browsers. */
export interface Platform {
  openPath: (path: string) => Promise<Source>
  sendForm: (options: SendOptions) => Promise<Response>
  /** Null if bytes can only be hashed all at once. */
  createHasher: () => Hasher | null
}
