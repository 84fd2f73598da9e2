import { createBatcher, isAmong, oneWinner } from '../batcher.js'
import type { FileRecord, FileState } from '../records.js'
import { isStill, ASYNC_COMMIT, type RunStatement, type Statement } from '../statements.js'
import { columnList } from './files.columns.js'
import type { NewFile, RefusedUpload, ScannedUpload } from './files.queries.js'

export const isInState = (state: FileState): string => isStill('state', state)
const isInOneOf = (states: FileState[]): string => `(${states.map(isInState).join(' OR ')})`

/** PostgreSQL decides every race: one UPDATE, one winner. */
const moveOf = (name: string, from: FileState[], to: FileState): Statement => ({
  name,
  text: `
    UPDATE files SET state = '${to}', lease_expires_at = NULL
    WHERE id = ANY($1::text[]) AND ${isInOneOf(from)} RETURNING id`
})

export const markDeleting = moveOf('files-mark-deleting', ['ready'], 'deleting')
export const markAbandoned = moveOf('files-mark-abandoned', ['pending', 'scanning'], 'abandoned')
export const markTrashedDeleting = moveOf('files-mark-trashed-deleting', ['trashed'], 'deleting')

/** Stores the reason of a refused upload, and its project and name if the row has none yet. */
export const withdraw: Statement = {
  name: 'files-withdraw',
  text: `
    UPDATE files SET state = 'abandoned', lease_expires_at = NULL, rejection = why,
      project_id = coalesce(project_id, to_project), name = coalesce(nullif(name, ''), file_name, '')
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) refused (withdrawn_id, to_project, file_name, why)
    WHERE id = withdrawn_id AND ${isInOneOf(['pending', 'scanning', 'ready', 'trashed'])} RETURNING id`
}

/**
 * Like `markDeleting`, but the content stays. The database's clock decides when the file leaves the trash.
 */
export const markTrashed: Statement = {
  name: 'files-mark-trashed',
  text: `
    UPDATE files SET state = 'trashed', trashed_at = now(), lease_expires_at = NULL
    WHERE id = ANY($1::text[]) AND ${isInState('ready')} RETURNING id`
}

export const restore: Statement = {
  name: 'files-restore',
  text: `
    UPDATE files SET state = 'ready', trashed_at = NULL, lease_expires_at = NULL
    WHERE id = ANY($1::text[]) AND ${isInState('trashed')} RETURNING ${columnList}`
}

/**
 * If this commit is lost, the row is as invisible as before, and the sweeper removes it. The commit that made it
 * invisible waits for the disk.
 */
export const remove: Statement = {
  name: 'files-remove',
  text: `
    WITH ${ASYNC_COMMIT}
    DELETE FROM files USING async_commit
    WHERE id = ANY($1::text[]) AND ${isInOneOf(['deleting', 'abandoned'])} RETURNING id`
}

/**
 * If this commit is lost, no client was told that the upload succeeded, and the sweeper removes the blob. The
 * commit that makes a file visible waits for the disk. The comparison of stores and `switch_store` exclude each
 * other by the table's lock.
 */
const insertPending: Statement = {
  name: 'files-insert-pending',
  text: `
    WITH ${ASYNC_COMMIT}
    INSERT INTO files (id, blob_key, token_id, lease_expires_at, move_id, state)
    SELECT new.id, new.blob_key, new.token_id, new.lease_expires_at, new.move_id, 'pending' FROM async_commit, unnest(
      $1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[]
    ) new (id, blob_key, token_id, lease_expires_at, store_id, move_id)
    WHERE new.store_id IS NULL OR new.store_id = (SELECT store_id FROM installation)
    RETURNING id`
}

/**
 * One statement: the compare-and-set and, only if it succeeded, the project's first row. Two first uploads do
 * not collide. All statements create projects in the same order, so they cannot deadlock.
 */
export const markScanning: Statement = {
  name: 'files-mark-scanning',
  text: `
    WITH ${ASYNC_COMMIT}, moved AS (
      UPDATE files SET state = 'scanning', project_id = new.project_id, name = new.name, folder = new.folder, description = new.description,
        size_bytes = new.size_bytes, sha256 = new.sha256, type = new.type, kind = new.kind,
        charset = new.charset, lease_expires_at = new.lease_expires_at
      FROM async_commit, unnest(
        $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[],
        $7::text[], $8::text[], $9::text[], $10::text[], $11::timestamptz[]
      ) new (
        id, project_id, name, folder, description, size_bytes,
        sha256, type, kind, charset, lease_expires_at
      )
      WHERE files.id = new.id AND ${isInState('pending')} RETURNING files.id, files.project_id
    ), first AS (
      INSERT INTO projects (id)
      SELECT DISTINCT project_id FROM moved WHERE NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = project_id) ORDER BY 1 ON CONFLICT (id) DO NOTHING
    )
    SELECT id FROM moved`
}

export const markReady: Statement = {
  name: 'files-mark-ready',
  text: `
    UPDATE files SET state = 'ready', engine = new.engine, scanned_at = new.at, created_at = new.at, lease_expires_at = NULL
    FROM unnest($1::text[], $2::text[], $3::timestamptz[]) new (ready_id, engine, at)
    WHERE id = ready_id AND ${isInState('scanning')} RETURNING ${columnList.replace('engine', 'files.engine')}`
}

/** A null leaves its column unchanged, so a concurrent rename and move both succeed. */
export const change: Statement = {
  name: 'files-change',
  text: `
    UPDATE files SET name = coalesce($2::text, name), folder = coalesce($3::text, folder)
    WHERE id = $1 AND ${isInState('ready')} RETURNING ${columnList}`
}

export const findReady: Statement = {
  name: 'files-find-ready',
  text: `SELECT ${columnList} FROM files WHERE id = ANY($1::text[]) AND ${isInState('ready')}`
}

/** Excludes files that their owner had deleted before: they stay deleted. */
const findWithdrawn: Statement = {
  name: 'files-find-withdrawn',
  text: `
    SELECT id, project_id AS "projectId" FROM files
    WHERE id = ANY($1::text[]) AND ${isInState('quarantined')} AND withdrawn_at IS NOT NULL AND trashed_at IS NULL`
}

export interface FileBatches {
  findWithdrawn: (id: string) => Promise<{ projectId: string } | null>
  insertPending: (file: NewFile) => Promise<boolean>
  markScanning: (change: { id: string; upload: ScannedUpload }) => Promise<boolean>
  markReady: (change: { id: string; engine: string; at: Date }) => Promise<FileRecord | null>
  findReady: (id: string) => Promise<FileRecord | null>
  markDeleting: (change: { id: string }) => Promise<boolean>
  markTrashed: (change: { id: string }) => Promise<boolean>
  markTrashedDeleting: (change: { id: string }) => Promise<boolean>
  restore: (change: { id: string }) => Promise<FileRecord | null>
  markAbandoned: (change: { id: string }) => Promise<boolean>
  withdraw: (change: { id: string; refusal?: RefusedUpload | undefined }) => Promise<boolean>
  remove: (change: { id: string }) => Promise<boolean>
}

export function createFileBatches(run: RunStatement): FileBatches {
  const byId = (statement: Statement): ((change: { id: string }) => Promise<boolean>) =>
    createBatcher(
      oneWinner(async (changes: Array<{ id: string }>) => {
        const made = await run<{ id: string }>(statement, [changes.map(({ id }) => id)])
        return changes.map(isAmong(made))
      }, false)
    )

  return {
    insertPending: createBatcher(async (files) => {
      const inserted = await run<{ id: string }>(insertPending, [
        files.map(({ id }) => id),
        files.map(({ blobKey }) => blobKey),
        files.map(({ tokenId }) => tokenId),
        files.map(({ leaseExpiresAt }) => leaseExpiresAt),
        files.map(({ storeId }) => storeId ?? null),
        files.map(({ moveId }) => moveId ?? null)
      ])
      return files.map(isAmong(inserted))
    }),

    markScanning: createBatcher(
      oneWinner(async (changes) => {
        const each = <K extends keyof ScannedUpload>(key: K): Array<ScannedUpload[K]> =>
          changes.map(({ upload }) => upload[key])
        const moved = await run<{ id: string }>(markScanning, [
          changes.map(({ id }) => id),
          each('projectId'),
          each('name'),
          each('folder'),
          each('description'),
          each('sizeBytes'),
          each('sha256'),
          each('type'),
          each('kind'),
          each('charset'),
          each('leaseExpiresAt')
        ])
        return changes.map(isAmong(moved))
      }, false)
    ),

    markReady: createBatcher(
      oneWinner(
        async (changes) =>
          inOrder(
            changes.map(({ id }) => id),
            await run<FileRecord>(markReady, [
              changes.map(({ id }) => id),
              changes.map(({ engine }) => engine),
              changes.map(({ at }) => at)
            ])
          ),
        null
      )
    ),

    findWithdrawn: createBatcher(async (ids: string[]) => {
      const rows = await run<{ id: string; projectId: string }>(findWithdrawn, [ids])
      const byId = new Map(rows.map((row) => [row.id, { projectId: row.projectId }]))
      return ids.map((id) => byId.get(id) ?? null)
    }),
    findReady: createBatcher(async (ids) => inOrder(ids, await run<FileRecord>(findReady, [ids]))),
    markDeleting: byId(markDeleting),
    markTrashed: byId(markTrashed),
    markTrashedDeleting: byId(markTrashedDeleting),
    restore: createBatcher(
      oneWinner(async (changes) => {
        const ids = changes.map(({ id }) => id)
        return inOrder(ids, await run<FileRecord>(restore, [ids]))
      }, null)
    ),
    markAbandoned: byId(markAbandoned),
    withdraw: createBatcher(
      oneWinner(async (changes) => {
        const made = await run<{ id: string }>(withdraw, [
          changes.map(({ id }) => id),
          changes.map(({ refusal }) => refusal?.projectId ?? null),
          changes.map(({ refusal }) => refusal?.name ?? null),
          changes.map(({ refusal }) => refusal?.rejection ?? null)
        ])
        return changes.map(isAmong(made))
      }, false)
    ),
    remove: byId(remove)
  }
}

function inOrder(ids: readonly string[], rows: readonly FileRecord[]): Array<FileRecord | null> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id) ?? null)
}
