export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be' | '7-bit' | '8-bit'

export interface TextVerdict {
  encoding: TextEncoding
  /** Null where the encoding alone does not tell it. */
  charset: string | null
  /**
   * Holds characters that text seldom holds: not to be taken for text if the bytes are known as something
   * else.
   */
  doubtful?: boolean
  /** Of 8-bit text: the bytes beyond ASCII with what stands around them. */
  sample?: Buffer
}

export interface TextCheck {
  update: (chunk: Buffer) => void
  /** What the bytes so far are as text, or null when they are no text. */
  finish: () => TextVerdict | null
}
