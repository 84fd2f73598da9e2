/** The specification's limits, and our own where it sets none. */
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
  /** For a cursor, which contains a file name at most. */
  cursorChars: 1_024,
  /** Projects or folders in one response; `after` returns the next ones. */
  namesPerAnswer: 1_000,
  /** Files in one ZIP archive, of which the gateway keeps the names until its end. */
  filesPerZip: 10_000,
  foldersPerZip: 1_000,
  promptBytes: 256 * 1024,
  codeBytes: 256 * 1024,
  /** Files in one analysis request; their code together may be as long as one code. */
  filesPerAnalysis: 200,
  filePathChars: 1_024,
  idempotencyKeyChars: 255,
  /** For this long after its revocation, a gateway may still accept a token. */
  revokedTokenMs: 1_000,
  webhooksPerProject: 20,
  /** A replaced secret still signs for this long. */
  secretOverlapHours: { default: 24, max: 168 },
  /** In one request. */
  replayedEvents: 10_000,
  /** Free-form words such as `framework`. */
  wordChars: 100
} as const
