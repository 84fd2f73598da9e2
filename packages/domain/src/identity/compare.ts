import type { InstallationRecord } from '@filewright/db'
import { AppError } from '@filewright/runtime'
import { parseMarker, type Identity } from './identity.js'
import type { Places } from './places.js'

export type Comparison =
  | { kind: 'same'; identity: Identity }
  /** Neither has an identity, or only the database has, whose store was never marked. */
  | { kind: 'new' }
  /** Marked for this database, which is not bound yet: a gateway crashed in between. */
  | { kind: 'unbound'; identity: Identity }
  | { kind: 'other'; reason: string }

/** Compares the database's record with the store's marker. */
export function compare(
  record: InstallationRecord | null,
  markerText: string | null,
  places: Places
): Comparison {
  const store = `the blob store (${places.store})`
  const database = `the database (${places.database})`
  const other = (reason: string): Comparison => ({ kind: 'other', reason })
  if (markerText === null) {
    if (record === null || record.storeId === null) return { kind: 'new' }
    return other(`${store} has no marker, ${database} belongs to installation ${record.id}`)
  }
  const marker = parseMarker(markerText)
  if (marker === null) return other(`the marker of ${store} is not one of Filewright`)
  const { installation } = marker
  if (record?.id !== installation) {
    const owner = record === null ? 'none yet' : `installation ${record.id}`
    return other(`${store} belongs to installation ${installation}, ${database} to ${owner}`)
  }
  if (record.storeId === null) return { kind: 'unbound', identity: marker }
  if (record.storeId === marker.store) return { kind: 'same', identity: marker }
  return other(
    `${store} is store ${marker.store} of installation ${installation}, ` +
      `but ${database} keeps its files in store ${record.storeId}. After a move, the settings must name the new store`
  )
}

const WAY_OUT =
  'Nothing was changed. Check DATABASE_URL and BLOB_DIR, GCS_BUCKET, S3_BUCKET or AZURE_CONTAINER, and that the ' +
  'disk is mounted; if both are right, as after a restore from backups, run the admin command `store adopt`'

/** Retryable while the service runs: a disk may be mounted again. */
export function mismatch(reason: string): AppError {
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
  return new AppError('STORE_MISMATCH', `${sentence}. ${WAY_OUT}`, { retryable: true })
}
