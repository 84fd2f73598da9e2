import { pdfRefusalSentences } from '../documents/pdf-embedded-files.js'

/**
 * Why an archive is refused.
 * - `unsafe`: such an archive may trigger a known fault of the unpacker, so its output proves nothing
 *   (docs/adr/0049).
 * - `deceptive`: two programs would unpack different files from the same bytes, so one of them gets what
 *   the scanner has not seen.
 * - `encrypted`: the content cannot be scanned.
 * - `bomb`: it unpacks to far more than any honest file.
 * - `damaged`: it cannot be read to its end, or is a document with a password. Inside another archive that
 *   is no reason to refuse: its bytes
 *   are scanned like any file's.
 */
export type RefusalKind = 'unsafe' | 'deceptive' | 'encrypted' | 'bomb' | 'damaged'

const TWO_READINGS = 'programs would unpack different files from this archive'

/** Maps each reason, as it appears in a signature's name, to its kind and public sentence. */
const refusals = {
  ArchiveEmbedded: ['deceptive', 'the file carries an archive that programs for its kind do not show'],
  ArchiveDamaged: ['damaged', 'the archive is damaged or cut off'],
  ArchiveEncrypted: ['encrypted', 'the archive is protected by a password'],
  ArchiveUnsupported: ['damaged', 'the archive uses a method that cannot be looked into'],
  Bomb: ['bomb', 'the archive unpacks to far more than its size'],
  CpioBroken: ['deceptive', TWO_READINGS],
  CpioHiddenData: ['deceptive', TWO_READINGS],
  CpioTrailingData: ['deceptive', TWO_READINGS],
  GzipHeader: ['deceptive', 'programs read the header of the gzip file in two ways'],
  GzipBroken: ['damaged', 'the gzip file is damaged or cut off'],
  GzipTrailingData: ['deceptive', TWO_READINGS],
  LzipMembers: ['deceptive', TWO_READINGS],
  MemoryLimit: ['bomb', 'the archive needs too much memory to be unpacked'],
  NestedTooDeep: ['bomb', 'archives are nested more than 16 deep'],
  NestedTooLarge: ['bomb', 'an archive inside is too large to be looked into'],
  PdfEncryption: ['damaged', pdfRefusalSentences.PdfEncryption],
  PdfPassword: ['damaged', pdfRefusalSentences.PdfPassword],
  PdfTooComplex: ['bomb', pdfRefusalSentences.PdfTooComplex],
  PdfTooLarge: ['bomb', pdfRefusalSentences.PdfTooLarge],
  PdfTooManyFiles: ['bomb', pdfRefusalSentences.PdfTooManyFiles],
  RarDamaged: ['unsafe', 'the RAR archive is damaged or incomplete'],
  SquashfsXz: ['unsafe', 'a SquashFS image packed with xz cannot be looked into'],
  TarCutOff: ['damaged', 'the tar archive is cut off'],
  TarHiddenData: ['deceptive', TWO_READINGS],
  TarMismatch: ['deceptive', TWO_READINGS],
  TooLarge: ['bomb', 'the archive unpacks to more than 1 GiB'],
  TooManyEntries: ['bomb', 'the archive has more than 100,000 entries'],
  ZipAppended: ['deceptive', 'the file carries a ZIP archive that programs for its kind do not show'],
  ZipBroken: ['damaged', 'the ZIP archive is damaged'],
  ZipDamagedMethod: ['deceptive', 'a damaged ZIP archive inside uses a method that cannot be looked into'],
  ZipDirectoryBroken: ['damaged', 'the list of files in the ZIP archive is damaged'],
  ZipDirectoryMisplaced: ['deceptive', TWO_READINGS],
  ZipEncrypted: ['encrypted', 'the ZIP archive is protected by a password'],
  ZipHiddenData: ['deceptive', TWO_READINGS],
  ZipMismatch: ['deceptive', TWO_READINGS],
  ZipNoDirectory: ['damaged', 'the ZIP archive is cut off'],
  ZipOverlap: ['deceptive', 'files in the ZIP archive overlap'],
  ZipSpanned: ['damaged', 'the file is one part of a ZIP archive in several parts'],
  ZipTrailingData: ['deceptive', TWO_READINGS]
} as const satisfies Record<string, readonly [RefusalKind, string]>

export type RefusalReason = keyof typeof refusals

/** Thrown by the checks of one format when they refuse an archive. Never leaves the guard. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly kind: RefusalKind
  /** Shown to the client. */
  readonly sentence: string

  constructor(reason: RefusalReason) {
    super(reason)
    this.name = 'Refusal'
    this.reason = reason
    const [kind, sentence] = refusals[reason]
    this.kind = kind
    this.sentence = sentence
  }
}

/**
 * A damaged archive inside another is an ordinary file: its bytes were scanned, and unpacking the outer
 * archive yields exactly these bytes.
 */
export async function tolerateDamage(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'damaged') throw error
  }
}
