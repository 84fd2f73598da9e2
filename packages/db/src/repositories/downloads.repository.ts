import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'

export interface DownloadEntry {
  fileId: string
  tokenId: string
  firstAt: Date
  lastAt: Date
  count: number
}

export interface RecallOptions {
  /** Files of these projects, and files that their tokens downloaded. Absent: every project. */
  projectIds?: string[]
  /** Projects that the token can see; absent: every project. */
  seen?: string[]
  /** Files that were withdrawn after this position, oldest first. */
  after: { at: Date; id: string }
  limit: number
}

/** A file that new signatures withdrew. */
export interface RecallRecord {
  id: string
  projectId: string
  name: string
  folder: string
  sizeBytes: number
  sha256: string
  signature: string | null
  withdrawnAt: Date
  /** When the requesting token last downloaded the file; null if it did not. */
  downloadedAt: Date | null
  /**
   * The number of tokens that downloaded it. If the token cannot see the file, only tokens of its own
   * projects count.
   */
  downloaders: number
}

/** Records which token downloaded which file, and lists withdrawn files among them. */
export interface DownloadsRepository {
  /** Adds to earlier records. Entries of one call differ in file or token. */
  record: (entries: readonly DownloadEntry[]) => Promise<void>
  /** Deletes entries, oldest first. Returns their number. */
  removeOld: (options: { lastBefore: Date; limit: number }) => Promise<number>
  /**
   * Writes the missing `file.withdrawn` events for downloads that were recorded after the withdrawal. Returns
   * the number of files.
   */
  recallLate: () => Promise<number>
  /**
   * Withdrawn files that concern the token: files of its projects, and files downloaded by it or by other
   * tokens of its projects. Waits for the token's turn.
   */
  listRecalls: (options: RecallOptions, tokenId: string) => Promise<RecallRecord[]>
}

/** Sorted by key, so that two gateways cannot deadlock. */
const record: Statement = {
  name: 'downloads-record',
  text: `
    INSERT INTO downloads AS known (file_id, token_id, first_at, last_at, count)
    SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::int[]) entry (file_id, token_id)
    ORDER BY file_id, token_id
    ON CONFLICT (file_id, token_id) DO UPDATE SET first_at = least(known.first_at, EXCLUDED.first_at),
      last_at = greatest(known.last_at, EXCLUDED.last_at),
      count = least(known.count::bigint + EXCLUDED.count, 2147483647)::int`
}

const removeOld: Statement = {
  text: `
    DELETE FROM downloads WHERE (file_id, token_id) IN (
      SELECT file_id, token_id FROM downloads WHERE last_at < $1 ORDER BY last_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING file_id`
}

/** A token for every project counts for the file's own project only, both as downloader and as reader. */
const isOf = (projects: string): string => `t.projects && ${projects}::text[] AND NOT '*' = ANY (t.projects)`

const isConcerned = `(
  f.project_id = ANY ($4::text[]) OR ($6::text[] IS NOT NULL AND own.last_at IS NOT NULL) OR EXISTS (
    SELECT 1 FROM downloads d JOIN tokens t ON t.id = d.token_id WHERE d.file_id = f.id AND ${isOf('$4')}
  )
)`

const recallsWhere = (condition: string): string => `
  SELECT f.id, f.project_id AS "projectId", f.name, f.folder, f.size_bytes AS "sizeBytes", f.sha256, f.signature,
    f.withdrawn_at AS "withdrawnAt", own.last_at AS "downloadedAt",
    (SELECT count(*)::int FROM downloads d WHERE d.file_id = f.id AND (
      $6::text[] IS NULL OR f.project_id = ANY ($6) OR d.token_id = $5 OR EXISTS (
        SELECT 1 FROM tokens t WHERE t.id = d.token_id AND ${isOf('$6')}
      )
    )) AS downloaders
  FROM files f LEFT JOIN downloads own ON own.file_id = f.id AND own.token_id = $5
  WHERE f.withdrawn_at IS NOT NULL AND (f.withdrawn_at, f.id) > ($1, $2) AND ${condition}
  ORDER BY f.withdrawn_at, f.id LIMIT $3`

export function createDownloadsRepository(run: RunStatement, turns: Turns): DownloadsRepository {
  return {
    record: async (entries) => {
      await run(record, [
        entries.map(({ fileId }) => fileId),
        entries.map(({ tokenId }) => tokenId),
        entries.map(({ firstAt }) => firstAt),
        entries.map(({ lastAt }) => lastAt),
        entries.map(({ count }) => count)
      ])
    },

    removeOld: async ({ lastBefore, limit }) => (await run(removeOld, [lastBefore, limit])).length,

    recallLate: async () => {
      const [row] = await run<{ files: number }>({ text: 'SELECT recall_late_downloads() AS files' }, [])
      return row?.files ?? 0
    },

    listRecalls: async ({ projectIds, seen, after, limit }, tokenId) => {
      const text = recallsWhere(projectIds === undefined ? '$4::text[] IS NULL' : isConcerned)
      const values = [after.at, after.id, limit, projectIds ?? null, tokenId, seen ?? null]
      return await turns.take(
        tokenId,
        async () => await run<RecallRecord & Record<string, unknown>>({ text }, values)
      )
    }
  }
}
