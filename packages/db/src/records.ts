/** The records that this package returns: plain objects, dates as Date, null for absent values. */

export type FileState =
  | 'pending'
  | 'scanning'
  | 'ready'
  | 'trashed'
  | 'quarantined'
  | 'abandoned'
  | 'deleting'

export interface FileRecord {
  id: string
  /** Null only while pending. */
  projectId: string | null
  state: FileState
  name: string
  folder: string
  description: string | null
  sizeBytes: number
  sha256: string | null
  type: string | null
  kind: string | null
  /**
   * For text; `unknown-8bit` where it is unknown. Null for other files, and for text stored before detection.
   */
  charset: string | null
  /** Null once the blob is removed. */
  blobKey: string | null
  tokenId: string | null
  /** For an upload in progress; on a stored file, for a rescan in progress. */
  leaseExpiresAt: Date | null
  /** When the file became ready; until then, when the row was inserted. */
  createdAt: Date
  engine: string | null
  signature: string | null
  scannedAt: Date | null
}

/** A file with a clean verdict, also in the trash. It went through `scanning`, which sets these. */
export interface StoredFileRecord extends FileRecord {
  state: 'ready' | 'trashed'
  projectId: string
  sha256: string
  type: string
  kind: string
  blobKey: string
  scannedAt: Date
}

export interface ReadyFileRecord extends StoredFileRecord {
  state: 'ready'
}

export interface TrashedFileRecord extends StoredFileRecord {
  state: 'trashed'
  /** By the database's clock. */
  trashedAt: Date
}

/** The maximum for a project or a token. Null where nothing is set; in a record, 0 means no limit. */
export interface Quota {
  maxFiles: number | null
  maxBytes: number | null
}

/** What an operator has set for a project. */
export interface ProjectSettings extends Quota {
  /** Of new files: standard, cool or cold. Null: the bucket's own. */
  storageClass: string | null
}

/** The usage by ready files. */
export interface Usage {
  files: number
  bytes: number
}

/** Everything that counts toward a quota: ready files and files in the trash. */
export interface QuotaUsage extends Usage {
  /** The part of the usage in the trash. */
  trash: Usage
}

export interface TokenRecord extends Quota {
  id: string
  name: string
  hash: string
  /** Project ids, or `*` for all. */
  projects: string[]
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** May manage tokens through the API. */
  isOperator: boolean
}

export interface ProjectSummary {
  id: string
  createdAt: Date
  files: number
  bytes: number
}

export interface ProjectUsage {
  id: string
  files: number
  bytes: number
  byKind: Record<string, { files: number; bytes: number }>
}

export type GenerationKind = 'generate' | 'analyze' | 'optimize'
export type GenerationOutcome = 'running' | 'succeeded' | 'unchanged' | 'failed' | 'cancelled'

export interface GenerationRecord {
  id: string
  kind: GenerationKind
  type: string | null
  modelAsked: string | null
  modelUsed: string | null
  engine: string | null
  tokensUsed: number | null
  outcome: GenerationOutcome
  errorCode: string | null
  startedAt: Date
  finishedAt: Date | null
  tokenId: string
  prompt: string | null
  /** JSON. */
  options: string | null
  result: string | null
}
