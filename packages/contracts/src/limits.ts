/** The specification's limits, and ours where it sets none. */
export const limits = {
  /** "50MB", inclusive. */
  fileSizeBytes: 52_428_800,
  projectIdChars: 128,
  tokenNameChars: 128,
  folderBytes: 512,
  descriptionChars: 2_000,
  fileNameBytes: 255,
  /**
   * Of `page` and `limit`: far beyond any real list, and small enough that page × limit stays an exact
   * integer.
   */
  wholeNumber: 1_000_000_000,
  page: { default: 1 },
  /** A larger `limit` counts as `max`. */
  pageSize: { default: 20, max: 100 },
  searchChars: 255,
  /** Of a cursor, which holds a file name at most. */
  cursorChars: 1_024,
  /** Projects or folders in one answer; `after` gives the next. */
  namesPerAnswer: 1_000,
  promptBytes: 256 * 1024,
  codeBytes: 256 * 1024,
  /** Files in one request for an analysis; their code together is as long as one code may be. */
  filesPerAnalysis: 200,
  filePathChars: 1_024,
  idempotencyKeyChars: 255,
  /** For so long after its end a gateway may still take a revoked token. */
  revokedTokenMs: 1_000,
  /** Free-form words such as `framework`. */
  wordChars: 100
} as const
