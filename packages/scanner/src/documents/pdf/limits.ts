/** Why a PDF is refused. Each reason becomes part of a signature's name: letters and digits only. */
export type PdfRefusalReason =
  | 'PdfPassword'
  | 'PdfEncryption'
  | 'PdfTooLarge'
  | 'PdfTooManyFiles'
  | 'PdfTooComplex'

/** Stops reading a PDF. Never leaves the reader. */
export class PdfRefusal extends Error {
  readonly reason: PdfRefusalReason

  constructor(reason: PdfRefusalReason) {
    super(reason)
    this.name = 'PdfRefusal'
    this.reason = reason
  }
}

export interface PdfLimits {
  /** The unpacked size of all embedded files together. */
  maxBytes: number
  maxFiles: number
}
