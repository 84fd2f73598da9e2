import type { Statement } from '../statements.js'
import { columnList } from './files.columns.js'
import type { ScannedUpload } from './files.queries.js'

/**
 * Without a wait for the disk: a crash of the server may lose what is only on its way. A lost row means an upload that nobody was
 * promised; its blob is swept. The commit that makes a file visible waits, and with it every commit before.
 */
const UNHURRIED = "SELECT set_config('synchronous_commit', 'off', true)"

export const insertPending: Statement = {
  name: 'files-insert-pending',
  text: `
    WITH unhurried AS (${UNHURRIED})
    INSERT INTO files (id, blob_key, token_id, lease_expires_at, state) SELECT $1, $2, $3, $4::timestamptz, 'pending' FROM unhurried`
}

/** One statement: the compare-and-set and, only if it won, the project's first row. Two first uploads do not collide. */
export const markScanning: Statement = {
  name: 'files-mark-scanning',
  text: `
    WITH unhurried AS (${UNHURRIED}), moved AS (
      UPDATE files SET state = 'scanning', project_id = $2, name = $3, folder = $4, description = $5,
        size_bytes = $6, sha256 = $7, type = $8, kind = $9, lease_expires_at = $10
      FROM unhurried WHERE id = $1 AND state = 'pending' RETURNING project_id
    ), project AS (
      INSERT INTO projects (id) SELECT project_id FROM moved WHERE NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = project_id) ON CONFLICT (id) DO NOTHING
    )
    SELECT 1 FROM moved`
}

export function scanningValues (id: string, upload: ScannedUpload): unknown[] {
  const { projectId, name, folder, description, sizeBytes, sha256, type, kind, leaseExpiresAt } = upload
  return [id, projectId, name, folder, description, sizeBytes, sha256, type, kind, leaseExpiresAt]
}

export const markReady: Statement = {
  name: 'files-mark-ready',
  text: `
    UPDATE files SET state = 'ready', engine = $2, scanned_at = $3, created_at = $3, lease_expires_at = NULL
    WHERE id = $1 AND state = 'scanning' RETURNING ${columnList}`
}

export const findReady: Statement = {
  name: 'files-find-ready',
  text: `SELECT ${columnList} FROM files WHERE id = $1 AND state = 'ready'`
}
