import { Type } from '@filewright/schema'
import { blobStoreConfig, createBlobStoreFrom, type BlobStoreConfig } from '@filewright/blob-store'
import { createDatabase } from '@filewright/db'
import { compareIdentity, placesOf } from '@filewright/domain'
import { loadConfig } from '@filewright/runtime'
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
      const config = loadConfig<BlobStoreConfig>(Type.Object(blobStoreConfig), env)
      const blobs = createBlobStoreFrom(config)
      const database = createDatabase({ url, poolSize: 1 })
      try {
        const deps = { installation: database.installation, blobs, places: placesOf(config, url) }
        const found = await compareIdentity(deps, AbortSignal.timeout(PROBE_MS))
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
