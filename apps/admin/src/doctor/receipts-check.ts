import { createDatabase } from '@filewright/db'
import { ok, reasonOf, settingOf, skipped, warning, type Check } from './check.js'

/** Gateways publish their keys in the database when they start. */
export const receiptsCheck: Check = {
  name: 'receipts',
  run: async (env) => {
    const url = settingOf(env, 'DATABASE_URL')
    if (url === undefined) return skipped('DATABASE_URL is not set')
    const database = createDatabase({ url, poolSize: 1 })
    try {
      const { keys } = await database.receipts.issuer()
      const valid = keys.filter(({ revokedAt }) => revokedAt === null)
      if (valid.length > 0) return ok(`${valid.length} of ${keys.length} published keys valid`)
      return warning(
        keys.length === 0 ? 'no gateway has a key to sign receipts' : 'every key is revoked',
        'Set RECEIPT_KEY for the gateways, as from: openssl rand -base64 32'
      )
    } catch (error) {
      return skipped(reasonOf(error))
    } finally {
      await database.close()
    }
  }
}
