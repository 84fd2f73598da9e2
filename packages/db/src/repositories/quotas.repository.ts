import { createBatcher } from '../batcher.js'
import type { ProjectSettings, Quota, QuotaUsage } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'

export interface QuotasRepository {
  /**
   * What the operator has set for the project; null for each setting that is not set, or if the project does
   * not exist.
   */
  ofProject: (id: string) => Promise<ProjectSettings>
  /** Creates the project, without files, if it does not exist. */
  setProject: (id: string, changes: Partial<Quota>) => Promise<Quota>
  /** Null if the token does not exist. */
  setToken: (id: string, changes: Partial<Quota>) => Promise<Quota | null>
  /** The usage as counted by the transactions that changed it. Waits for the token's turn. */
  usedByProject: (id: string, tokenId: string) => Promise<QuotaUsage>
  usedByToken: (id: string) => Promise<QuotaUsage>
}

/** The driver returns a bigint as a string; a float8 holds integers up to 2^53, which no limit exceeds. */
export const quotaColumns = 'max_files::float8 AS "maxFiles", max_bytes::float8 AS "maxBytes"'

const ofProjects: Statement = {
  name: 'quotas-of-projects',
  text: `SELECT id, ${quotaColumns}, storage_class AS "storageClass" FROM projects WHERE id = ANY($1::text[])`
}

const sumOf = (counted: string): string => `coalesce(sum(${counted}), 0)::float8`
const usage = `
  ${sumOf('ready + trashed')} AS files, ${sumOf('bytes + trashed_bytes')} AS bytes,
  ${sumOf('trashed')} AS "trashedFiles", ${sumOf('trashed_bytes')} AS "trashedBytes"`

const usedByProject: Statement = {
  name: 'quotas-used-by-project',
  text: `SELECT ${usage} FROM project_file_counts WHERE project_id = $1`
}

const usedByToken: Statement = {
  name: 'quotas-used-by-token',
  text: `SELECT ${usage} FROM token_file_counts WHERE token_id = $1`
}

/** A flag for each value, because null is a valid value. */
const changesOf = ({ maxFiles, maxBytes }: Partial<Quota>): unknown[] => [
  maxFiles !== undefined,
  maxFiles ?? null,
  maxBytes !== undefined,
  maxBytes ?? null
]

const setProject: Statement = {
  text: `
    INSERT INTO projects AS p (id, max_files, max_bytes)
    VALUES ($1, CASE WHEN $2 THEN $3::bigint END, CASE WHEN $4 THEN $5::bigint END)
    ON CONFLICT (id) DO UPDATE SET
      max_files = CASE WHEN $2 THEN $3::bigint ELSE p.max_files END,
      max_bytes = CASE WHEN $4 THEN $5::bigint ELSE p.max_bytes END
    RETURNING ${quotaColumns}`
}

const setToken: Statement = {
  text: `
    UPDATE tokens SET max_files = CASE WHEN $2 THEN $3::bigint ELSE max_files END,
      max_bytes = CASE WHEN $4 THEN $5::bigint ELSE max_bytes END
    WHERE id = $1 RETURNING ${quotaColumns}`
}

const NONE_SET: Quota = { maxFiles: null, maxBytes: null }

interface UsageRow {
  files: number
  bytes: number
  trashedFiles: number
  trashedBytes: number
}

const NOTHING: UsageRow = { files: 0, bytes: 0, trashedFiles: 0, trashedBytes: 0 }

export function createQuotasRepository(run: RunStatement, turns: Turns): QuotasRepository {
  async function used(statement: Statement, id: string): Promise<QuotaUsage> {
    const [row = NOTHING] = await run<UsageRow & Record<string, unknown>>(statement, [id])
    const { files, bytes, trashedFiles, trashedBytes } = row
    return { files, bytes, trash: { files: trashedFiles, bytes: trashedBytes } }
  }

  return {
    ofProject: createBatcher(async (ids: string[]) => {
      const rows = await run<ProjectSettings & { id: string }>(ofProjects, [ids])
      const byId = new Map(rows.map(({ id, ...settings }) => [id, settings]))
      return ids.map((id) => byId.get(id) ?? { ...NONE_SET, storageClass: null })
    }),

    setProject: async (id, changes) =>
      (await run<Quota & Record<string, unknown>>(setProject, [id, ...changesOf(changes)]))[0] ?? NONE_SET,

    setToken: async (id, changes) =>
      (await run<Quota & Record<string, unknown>>(setToken, [id, ...changesOf(changes)]))[0] ?? null,

    usedByProject: async (id, tokenId) =>
      await turns.take(tokenId, async () => await used(usedByProject, id)),

    usedByToken: async (id) => await turns.take(id, async () => await used(usedByToken, id))
  }
}
