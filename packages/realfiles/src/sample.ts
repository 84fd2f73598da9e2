import type { Kind } from './options.js'

/** A file to upload. */
export interface Sample {
  /** Where it came from, as in `/usr/share` or `bsdtar --format=pax`. */
  source: string
  /** As it is called when it is uploaded. */
  name: string
  load: () => Promise<Buffer>
}

export interface Outcome {
  kind: Kind
  source: string
  name: string
  sizeBytes: number
  /** 0 when no answer came. */
  status: number
  ms: number
  /** Of an accepted file. */
  type?: string
  /** Of a refused one: the header `X-Rejection`, or the body's sentence where the header is missing. */
  reason?: string
  /** Whether the download had the uploaded bytes; absent where it was not tried. */
  bytesEqual?: boolean
}

export const isAccepted = ({ status }: Outcome): boolean => status === 201
export const isRefused = ({ status }: Outcome): boolean => status >= 400 && status < 500
