export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be' | '7-bit' | '8-bit'

export interface TextVerdict {
  encoding: TextEncoding
  /** Null where the encoding alone does not show it. */
  charset: string | null
  /** Contains characters that are rare in text: not text if the bytes have a known binary signature. */
  doubtful?: boolean
  /** For 8-bit text: the non-ASCII bytes with their context. */
  sample?: Buffer
}

export interface TextCheck {
  update: (chunk: Buffer) => void
  /** The text encoding of the bytes so far, or null when they are not text. */
  finish: () => TextVerdict | null
}
