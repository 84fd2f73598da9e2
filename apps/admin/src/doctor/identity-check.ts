import { createDatabase } from '@filewright/db'
import { compareIdentity, currentPlaces, routedBlobs } from '@filewright/domain'
import { storeSetOf } from '../configured-stores.js'
import { broken, ok, reasonOf, settingOf, skipped, warning, type Check } from './check.js'

const PROBE_MS = 10_000
const CHECK_SETTINGS =
  'Check DATABASE_URL and BLOB_DIR, GCS_BUCKET, S3_BUCKET or AZURE_CONTAINER. ' +
  'If both are right: npm run admin -- store adopt'

/** Whether the store belongs to the database. Changes nothing. */
export const identityCheck: Check = {
  name: 'identity',
  run: async (env) => {
    const url = settingOf(env, 'DATABASE_URL')
    if (url === undefined) return skipped('DATABASE_URL is not set')
    try {
      const database = createDatabase({ url, poolSize: 1 })
      const { installation } = database
      const stores = storeSetOf(env, installation)
      const blobs = routedBlobs(stores)
      try {
        const signal = AbortSignal.timeout(PROBE_MS)
        await stores.follow(signal)
        const deps = { installation, blobs, places: currentPlaces(stores, url) }
        const found = await compareIdentity(deps, signal)
        if (found.kind === 'other') return broken(found.reason, CHECK_SETTINGS)
        return found.kind === 'same'
          ? ok(`database and blob store belong to installation ${found.identity.installation}`)
          : warning(
              'database and blob store were never compared',
              'The gateway compares them at its next start.'
            )
      } finally {
        await database.close()
        await blobs.close()
      }
    } catch (error) {
      return skipped(reasonOf(error))
    }
  }
}
