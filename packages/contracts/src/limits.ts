/** The limits of the specification, and our own where it sets none. */
export const limits = {
  /** "50MB", inclusive. */
  fileSizeBytes: 52_428_800,
  projectIdChars: 128,
  tokenNameChars: 128,
  folderBytes: 512,
  descriptionChars: 2_000,
  fileNameBytes: 255,
  /**
   * For `page` and `limit`: far beyond any real list, and small enough that page × limit stays an exact
   * integer.
   */
  wholeNumber: 1_000_000_000,
  page: { default: 1 },
  /** A larger `limit` counts as `max`. */
  pageSize: { default: 20, max: 100 },
  searchChars: 255,
  /** Large enough for a cursor, whose longest part is a file name. */
  cursorChars: 1_024,
  /** Projects or folders in one response; `after` returns the next ones. */
  namesPerAnswer: 1_000,
  /** Files in one ZIP archive. The gateway keeps their names in memory until the archive is complete. */
  filesPerZip: 10_000,
  foldersPerZip: 1_000,
  promptBytes: 256 * 1024,
  codeBytes: 256 * 1024,
  /** Files in one analysis request. All of them together may have as much code as a single analysis. */
  filesPerAnalysis: 200,
  filePathChars: 1_024,
  idempotencyKeyChars: 255,
  /** How long a gateway may still accept a revoked token. */
  revokedTokenMs: 1_000,
  webhooksPerProject: 20,
  /** How long a replaced secret still signs. */
  secretOverlapHours: { default: 24, max: 168 },
  /** The maximum per request. */
  replayedEvents: 10_000,
  /** Free-form words such as `framework`. */
  wordChars: 100
} as const
