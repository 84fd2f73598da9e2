/** Why a PDF cannot be vouched for. Each becomes part of a signature's name: letters and digits only. */
export type PdfRefusalReason =
  | 'PdfPassword'
  | 'PdfEncryption'
  | 'PdfTooLarge'
  | 'PdfTooManyFiles'
  | 'PdfTimeout'
  | 'PdfTooComplex'

/** Thrown where reading a PDF has to end; never leaves the reader. */
export class PdfRefusal extends Error {
  readonly reason: PdfRefusalReason

  constructor(reason: PdfRefusalReason) {
    super(reason)
    this.name = 'PdfRefusal'
    this.reason = reason
  }
}

export interface PdfLimits {
  /** Of all embedded files together, unpacked. */
  maxBytes: number
  maxFiles: number
}
