export interface ArchiveEntry {
  /** With its folders. */
  name: string
  size: number
}

export interface ArchiveListing {
  entries: ArchiveEntry[]
  /** There are more than are listed. */
  isCut: boolean
}

/** More than a person reads. */
export const MAX_ENTRIES = 1_000

/** The archive does not have the structure of its kind. */
export class DamagedArchiveError extends Error {
  override readonly name = 'DamagedArchiveError'
}
