import { createBatcher } from '../batcher.js'
import type { RunStatement, Statement } from '../statements.js'

export interface ReceiptKeyRecord {
  kid: string
  /** The public key, base64url. */
  publicKey: string
  createdAt: Date
  revokedAt: Date | null
}

export interface Issuer {
  /** Null until a gateway has claimed the database. */
  installation: string | null
  /** Oldest first. */
  keys: ReceiptKeyRecord[]
}

/**
 * The data that receipts need besides the file: the signing keys, and the dates of the scanner's signatures.
 */
export interface ReceiptsRepository {
  /** Concurrent requests share the statements. */
  issuer: () => Promise<Issuer>
  /** A known key stays unchanged. */
  publishKeys: (keys: ReadonlyArray<Pick<ReceiptKeyRecord, 'kid' | 'publicKey'>>) => Promise<void>
  /** False if the key does not exist. A key that was already revoked keeps its time. */
  revokeKey: (kid: string) => Promise<boolean>
  /** Keeps the first date that was stored for an engine. */
  noteSignatureDate: (engine: string, publishedAt: Date) => Promise<void>
  /** Null if no verdict of this engine had a date. Concurrent requests share the statement. */
  findSignatureDate: (engine: string) => Promise<Date | null>
}

const findKeys: Statement = {
  text: `SELECT kid, public_key AS "publicKey", created_at AS "createdAt", revoked_at AS "revokedAt"
    FROM receipt_keys ORDER BY created_at, kid`
}
const findInstallation: Statement = { text: 'SELECT id FROM installation' }
const publish: Statement = {
  text: `INSERT INTO receipt_keys (kid, public_key) SELECT * FROM unnest($1::text[], $2::text[])
    ON CONFLICT (kid) DO NOTHING`
}
const revoke: Statement = {
  text: 'UPDATE receipt_keys SET revoked_at = coalesce(revoked_at, now()) WHERE kid = $1 RETURNING kid'
}
const noteDate: Statement = {
  text: 'INSERT INTO signature_dates (engine, published_at) VALUES ($1, $2) ON CONFLICT (engine) DO NOTHING'
}
const findDates: Statement = {
  text: 'SELECT engine, published_at AS "publishedAt" FROM signature_dates WHERE engine = ANY($1::text[])'
}

export function createReceiptsRepository(run: RunStatement): ReceiptsRepository {
  const readIssuer = createBatcher(async (asked: null[]) => {
    const [installation] = await run<{ id: string }>(findInstallation, [])
    const keys = await run<ReceiptKeyRecord & Record<string, unknown>>(findKeys, [])
    return asked.map(() => ({ installation: installation?.id ?? null, keys }))
  })

  return {
    issuer: async () => await readIssuer(null),

    publishKeys: async (keys) => {
      await run(publish, [keys.map(({ kid }) => kid), keys.map(({ publicKey }) => publicKey)])
    },

    revokeKey: async (kid) => (await run(revoke, [kid])).length === 1,

    noteSignatureDate: async (engine, publishedAt) => {
      await run(noteDate, [engine, publishedAt])
    },

    findSignatureDate: createBatcher(async (engines: string[]) => {
      const rows = await run<{ engine: string; publishedAt: Date }>(findDates, [engines])
      const byEngine = new Map(rows.map(({ engine, publishedAt }) => [engine, publishedAt]))
      return engines.map((engine) => byEngine.get(engine) ?? null)
    })
  }
}
