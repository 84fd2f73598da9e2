import { createDatabase } from '@filewright/db'
import { compareIdentity, currentPlaces, routedBlobs, type StoreSet } from '@filewright/domain'
import { storeSetOf } from '../configured-stores.js'
import { broken, ok, reasonOf, settingOf, skipped, warning, type Check, type CheckResult } from './check.js'

const PROBE_MS = 10_000
const CHECK_SETTINGS =
  'Check DATABASE_URL and BLOB_DIR, GCS_BUCKET, S3_BUCKET or AZURE_CONTAINER. ' +
  'If both are right, as after a restore from backups: npm run admin -- store adopt'

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
        if (found.kind !== 'same') {
          return warning(
            'database and blob store were never compared',
            'The gateway compares them at its next start.'
          )
        }
        const same = `database and blob store belong to installation ${found.identity.installation}`
        return stores.stores.length === 1 ? ok(same) : ofMove(same, stores)
      } finally {
        await database.close()
        await blobs.close()
      }
    } catch (error) {
      return skipped(reasonOf(error))
    }
  }
}

/** Settings name two stores: which one is in use, and what is left to do. */
function ofMove(same: string, { stores, last }: StoreSet): CheckResult {
  const { current, moveId, mirrorProblem } = last()
  const found = `${same}; files are kept in ${current.name}`
  if (mirrorProblem !== null) {
    return broken(
      `${found}; the other store of the move cannot be used: ${mirrorProblem}`,
      'Bring it back, or end the move: npm run admin -- store finish'
    )
  }
  if (moveId !== null) return ok(`${found}; a move is under way`)
  return warning(
    `${found} alone`,
    current === stores[0]
      ? 'No move is under way: begin one with store copy, or remove the settings SECOND_….'
      : "The move is over: put this store's settings in the place of the old one's, without SECOND_."
  )
}
