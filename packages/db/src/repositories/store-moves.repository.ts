import type { RunStatement } from '../statements.js'

export interface UncopiedFile {
  id: string
  blobKey: string
  sizeBytes: number
  sha256: string
  projectId: string
  /** The project's, for its new files. */
  storageClass: string | null
}

export interface MoveCounts {
  /** Stored files, also those in the trash, and how many of them are in both stores. */
  files: number
  bytes: number
  copiedFiles: number
  copiedBytes: number
  /** Uploads under way that will be in the current store only. */
  uploads: number
}

/**
 * Moving to another store. Two rules hold at any time: every stored file is in `installation.store_id`, and one
 * that names the move under way is in both of its stores.
 */
export interface StoreMovesRepository {
  /** Begins a move unless one is under way or the store has changed. */
  begin: (move: { moveId: string; storeId: string; mirrorId: string }) => Promise<boolean>
  /** Stored files by id, after the given one, that the move has not copied. */
  pageUncopied: (options: { moveId: string; after: string; limit: number }) => Promise<UncopiedFile[]>
  /** Records that both stores have the bytes. False if the file is not stored any more. */
  markCopied: (id: string, moveId: string) => Promise<boolean>
  /**
   * For an upload that could not be written to both stores. False if the store is no longer the current one:
   * then the upload must fail.
   */
  unmark: (id: string, storeId: string) => Promise<boolean>
  count: (moveId: string) => Promise<MoveCounts>
  /**
   * Exchanges current store and mirror. `incomplete`: a file or an upload is in the current store only, or
   * another process has changed the move. `busy`: the table was in use for too long.
   */
  switch: (options: { storeId: string; moveId: string }) => Promise<'done' | 'incomplete' | 'busy'>
  /** Ends the move: only the current store is used from then on. */
  end: (moveId: string) => Promise<boolean>
}

const STORED = "state IN ('ready', 'trashed')"

export function createStoreMovesRepository(run: RunStatement): StoreMovesRepository {
  const changes = async (text: string, values: unknown[]): Promise<boolean> =>
    (await run({ text }, values)).length > 0

  return {
    begin: async ({ moveId, storeId, mirrorId }) =>
      await changes(
        `UPDATE installation SET mirror_id = $3, move_id = $1
         WHERE store_id = $2 AND store_id <> $3 AND move_id IS NULL RETURNING 1`,
        [moveId, storeId, mirrorId]
      ),

    pageUncopied: async ({ moveId, after, limit }) =>
      await run<UncopiedFile & Record<string, unknown>>(
        {
          text: `
          SELECT f.id, blob_key AS "blobKey", size_bytes AS "sizeBytes", sha256, project_id AS "projectId",
            storage_class AS "storageClass"
          FROM files f LEFT JOIN projects p ON p.id = f.project_id
          WHERE f.id > $2 AND ${STORED} AND move_id IS DISTINCT FROM $1 ORDER BY f.id LIMIT $3`
        },
        [moveId, after, limit]
      ),

    markCopied: async (id, moveId) =>
      await changes(`UPDATE files SET move_id = $2 WHERE id = $1 AND ${STORED} RETURNING 1`, [id, moveId]),

    // The table's lock makes it come before a switch, which then sees the file, or after it.
    unmark: async (id, storeId) =>
      await changes(
        `UPDATE files SET move_id = NULL
         WHERE id = $1 AND $2 = (SELECT store_id FROM installation) RETURNING 1`,
        [id, storeId]
      ),

    count: async (moveId) => {
      const [row] = await run<Record<keyof MoveCounts, string>>(
        {
          text: `
          SELECT count(*) FILTER (WHERE ${STORED}) AS files,
            coalesce(sum(size_bytes) FILTER (WHERE ${STORED}), 0) AS bytes,
            count(*) FILTER (WHERE ${STORED} AND move_id = $1) AS "copiedFiles",
            coalesce(sum(size_bytes) FILTER (WHERE ${STORED} AND move_id = $1), 0) AS "copiedBytes",
            count(*) FILTER (WHERE state IN ('pending', 'scanning') AND move_id IS DISTINCT FROM $1) AS uploads
          FROM files`
        },
        [moveId]
      )
      const numberOf = (key: keyof MoveCounts): number => Number(row?.[key] ?? 0)
      return {
        files: numberOf('files'),
        bytes: numberOf('bytes'),
        copiedFiles: numberOf('copiedFiles'),
        copiedBytes: numberOf('copiedBytes'),
        uploads: numberOf('uploads')
      }
    },

    switch: async ({ storeId, moveId }) => {
      const [row] = await run<{ done: boolean | null }>({ text: 'SELECT switch_store($1, $2) AS done' }, [
        storeId,
        moveId
      ])
      return row?.done == null ? 'busy' : row.done ? 'done' : 'incomplete'
    },

    end: async (moveId) =>
      await changes(
        'UPDATE installation SET mirror_id = NULL, move_id = NULL WHERE move_id = $1 RETURNING 1',
        [moveId]
      )
  }
}
