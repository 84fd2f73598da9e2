import type { Kind } from './options.js'

/** A file to upload. */
export interface Sample {
  /** Its source, such as `/usr/share` or `bsdtar --format=pax`. */
  source: string
  /** Its file name at upload. */
  name: string
  load: () => Promise<Buffer>
}

export interface Outcome {
  kind: Kind
  source: string
  name: string
  sizeBytes: number
  /** 0 without a response. */
  status: number
  ms: number
  /** For an accepted file. */
  type?: string
  /** For a refused file: the header `X-Rejection`, or the body's message if the header is missing. */
  reason?: string
  /** Whether the download had the uploaded bytes; absent if it was not tested. */
  bytesEqual?: boolean
}

export const isAccepted = ({ status }: Outcome): boolean => status === 201
export const isRefused = ({ status }: Outcome): boolean => status >= 400 && status < 500
