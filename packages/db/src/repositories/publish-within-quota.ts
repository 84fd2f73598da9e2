import { Prisma } from '../client.js'
import { createBatcher, oneWinner } from '../batcher.js'
import type { FileRecord, Quota, ReadyFileRecord } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'
import { columnList } from './files.columns.js'
import { asReady } from './files.queries.js'
import { heldBy, type KeyCompletion, type KeyHolder } from './idempotency.queries.js'

/** The limits of an upload; null means no limit. */
export interface UploadQuotas {
  project: Quota
  token: Quota
}

/** Which quota an upload would exceed, and in which unit. */
export interface QuotaRefusal {
  of: 'project' | 'token'
  unit: 'files' | 'bytes'
}

/** If both are null, another process moved the row first, or the holder has lost the key. */
export interface PublishOutcome {
  file: ReadyFileRecord | null
  refusal: QuotaRefusal | null
}

export interface QuotaPublish {
  id: string
  engine: string
  at: Date
  quotas: UploadQuotas
}

/** A row of `publish_files_within_quota`. The columns of the file are null if it was refused. */
export type PublishRow = Omit<FileRecord, 'id'> & {
  fileId: string
  id: string | null
  refusal: string | null
}

const LOST: PublishOutcome = { file: null, refusal: null }

const resultColumns = 'asked.file_id AS "fileId", asked.refusal, file.*'
const fileColumns = `LATERAL (SELECT ${columnList} FROM (SELECT (asked.published).*) published) file`

const publishWithinQuota: Statement = {
  name: 'files-publish-within-quota',
  text: `
    SELECT ${resultColumns} FROM publish_files_within_quota(
      $1::text[], $2::text[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[]
    ) asked, ${fileColumns}`
}

export function outcomeOf(row: PublishRow | undefined): PublishOutcome {
  if (row === undefined) return LOST
  const { fileId, id, refusal, ...file } = row
  if (refusal === null && id !== null) return { file: asReady({ id, ...file }), refusal: null }
  // The function returns only these four values.
  const [of, unit] = (refusal ?? '').split(' ') as [QuotaRefusal['of'], QuotaRefusal['unit']]
  return { file: null, refusal: { of, unit } }
}

/**
 * Publishes uploads in batches: publishing waits for other uploads of the same project, and separate calls
 * would occupy every connection.
 */
export function createQuotaPublishing(run: RunStatement): (change: QuotaPublish) => Promise<PublishOutcome> {
  return createBatcher(
    oneWinner(async (changes: QuotaPublish[]) => {
      const each = <T>(pick: (change: QuotaPublish) => T): T[] => changes.map(pick)
      const rows = await run<PublishRow>(publishWithinQuota, [
        each(({ id }) => id),
        each(({ engine }) => engine),
        each(({ at }) => at),
        each(({ quotas }) => quotas.project.maxFiles),
        each(({ quotas }) => quotas.project.maxBytes),
        each(({ quotas }) => quotas.token.maxFiles),
        each(({ quotas }) => quotas.token.maxBytes)
      ])
      const byId = new Map(rows.map((row) => [row.fileId, row]))
      return changes.map(({ id }) => outcomeOf(byId.get(id)))
    }, LOST)
  )
}

/** Like the function above, for uploads with a key: both are completed, or neither. */
export function publishKeyWithinQuotaQuery(
  { id, engine, at, quotas: { project, token } }: QuotaPublish,
  holder: KeyHolder,
  { fingerprint, answer }: KeyCompletion
): Prisma.Sql {
  return Prisma.sql`
    WITH held AS MATERIALIZED (
      SELECT 1 FROM idempotency_keys WHERE ${heldBy(holder)} AND answer IS NULL FOR UPDATE
    ), asked AS MATERIALIZED (
      SELECT published.* FROM held, LATERAL publish_files_within_quota(
        ARRAY[${id}]::text[], ARRAY[${engine}]::text[], ARRAY[${at}]::timestamptz[],
        ARRAY[${project.maxFiles}]::bigint[], ARRAY[${project.maxBytes}]::bigint[],
        ARRAY[${token.maxFiles}]::bigint[], ARRAY[${token.maxBytes}]::bigint[]
      ) published
    ), answered AS (
      UPDATE idempotency_keys SET fingerprint = ${fingerprint}, answer = ${answer}
      WHERE ${heldBy(holder)} AND EXISTS (SELECT 1 FROM asked WHERE refusal IS NULL)
    )
    SELECT ${Prisma.raw(resultColumns)} FROM asked, ${Prisma.raw(fileColumns)}`
}
