import { table, UsageError, type AdminAdapters, type CommandResult } from './command.js'

export async function receiptKeyList({ database }: AdminAdapters): Promise<CommandResult> {
  const { keys } = await database().receipts.issuer()
  const shown = keys.map(({ kid, createdAt, revokedAt }) => ({
    id: kid,
    created_at: createdAt.toISOString(),
    revoked_at: revokedAt?.toISOString() ?? null
  }))
  return {
    json: { keys: shown },
    text:
      shown.length === 0
        ? 'No gateway has published a key: RECEIPT_KEY is not set.'
        : table(
            ['ID', 'SINCE', 'REVOKED'],
            shown.map(({ id, created_at: since, revoked_at: revoked }) => [id, since, revoked ?? 'no'])
          )
  }
}

export async function receiptKeyRevoke(
  { database }: AdminAdapters,
  kid: string | undefined
): Promise<CommandResult> {
  if (kid === undefined) throw new UsageError('Give the id of the key, as receipt-key list shows it')
  if (await database().receipts.revokeKey(kid)) {
    return {
      json: { id: kid, revoked: true },
      text: `Revoked ${kid}: its receipts fail from now on, and it signs no new ones.`
    }
  }
  return {
    json: { id: kid, revoked: false },
    text: `There is no key ${kid}. See: npm run admin -- receipt-key list`,
    failed: true
  }
}
