import { Prisma, type Client } from '../client.js'
import { createBatcher, oneWinner } from '../batcher.js'
import type { FileRecord, Quota, ReadyFileRecord } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'
import { columnList } from './files.columns.js'
import { asReady, columns } from './files.queries.js'
import type { FileBatches } from './files.statements.js'
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

export interface Verdict {
  engine: string
  at: Date
}

export interface PublishOptions {
  /** Null for an upload without quotas. */
  quotas?: UploadQuotas | null
  /** The key of the upload, and its response. */
  key?: { holder: KeyHolder; completion: KeyCompletion } | undefined
}

interface QuotaPublish extends Verdict {
  id: string
  quotas: UploadQuotas
}

/** The columns of the file are null if it was refused. */
type PublishRow = Omit<FileRecord, 'id'> & {
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

function outcomeOf(row: PublishRow | undefined): PublishOutcome {
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
function createQuotaPublishing(run: RunStatement): (change: QuotaPublish) => Promise<PublishOutcome> {
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

/**
 * The file becomes ready and its key gets the response: both or neither. Locks the key first, so that an
 * attempt that lost its key publishes nothing.
 */
function keyedQuery(
  id: string,
  { engine, at }: Verdict,
  quotas: UploadQuotas | null,
  { holder, completion }: NonNullable<PublishOptions['key']>
): Prisma.Sql {
  const published =
    quotas === null
      ? Prisma.sql`
        UPDATE files SET state = 'ready', engine = ${engine}, scanned_at = ${at}, created_at = ${at}, lease_expires_at = NULL
        WHERE id = ${id} AND state = 'scanning' AND EXISTS (SELECT 1 FROM held)
        RETURNING id AS "fileId", NULL AS refusal, ${columns}`
      : Prisma.sql`
        SELECT ${Prisma.raw(resultColumns)} FROM held, LATERAL publish_files_within_quota(
          ARRAY[${id}]::text[], ARRAY[${engine}]::text[], ARRAY[${at}]::timestamptz[],
          ARRAY[${quotas.project.maxFiles}]::bigint[], ARRAY[${quotas.project.maxBytes}]::bigint[],
          ARRAY[${quotas.token.maxFiles}]::bigint[], ARRAY[${quotas.token.maxBytes}]::bigint[]
        ) asked, ${Prisma.raw(fileColumns)}`
  return Prisma.sql`
    WITH held AS MATERIALIZED (
      SELECT 1 FROM idempotency_keys WHERE ${heldBy(holder)} AND answer IS NULL FOR UPDATE
    ), published AS MATERIALIZED (${published}), answered AS (
      UPDATE idempotency_keys SET fingerprint = ${completion.fingerprint}, answer = ${completion.answer}
      WHERE ${heldBy(holder)} AND EXISTS (SELECT 1 FROM published WHERE refusal IS NULL)
    )
    SELECT * FROM published`
}

interface PublishDeps {
  client: Client
  run: RunStatement
  batches: Pick<FileBatches, 'markReady'>
  turns: Turns
}

export type Publish = (id: string, verdict: Verdict, options?: PublishOptions) => Promise<PublishOutcome>

export function createPublish({ client, run, batches, turns }: PublishDeps): Publish {
  const withinQuota = createQuotaPublishing(run)
  return async (id, verdict, { quotas = null, key } = {}) => {
    if (key !== undefined) {
      const query = keyedQuery(id, verdict, quotas, key)
      const [row] = await turns.take(
        key.holder.tokenId,
        async () => await client.$queryRaw<PublishRow[]>(query)
      )
      return outcomeOf(row)
    }
    if (quotas !== null) return await withinQuota({ id, ...verdict, quotas })
    const file = await batches.markReady({ id, ...verdict })
    return { file: file === null ? null : asReady(file), refusal: null }
  }
}
