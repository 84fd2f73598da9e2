import type { BlobStore } from '@filewright/blob-store'
import type { Database } from '@filewright/db'
import { AppError, createId } from '@filewright/runtime'
import { compare, mismatch, type Comparison } from './compare.js'
import { disagreement, sampleContents, type Contents } from './contents.js'
import { formatMarker, type Identity } from './identity.js'
import type { Places } from './places.js'

export interface IdentityDeps {
  installation: Database['installation']
  files: Pick<Database['files'], 'findStates'>
  blobs: Pick<BlobStore, 'marker' | 'stat' | 'list'>
  places: Places
}

export type CompareDeps = Pick<IdentityDeps, 'installation' | 'blobs' | 'places'>

/** Each change of an identity needs at most one more read, and a first start makes three changes. */
const MAX_READINGS = 10

/**
 * Reads both sides and changes nothing. The two cannot be read atomically, so another gateway may act between
 * the reads. A mismatch therefore counts only if a second read shows the same: then neither side changed
 * between the two, and both had this state at the same time.
 */
export async function compareIdentity(
  { installation, blobs, places }: CompareDeps,
  signal?: AbortSignal
): Promise<Comparison> {
  let last: string | undefined
  for (let readings = 0; readings < MAX_READINGS; readings++) {
    const [record, marker] = await Promise.all([installation.find(), blobs.marker.read({ signal })])
    const found = compare(record, marker, places)
    const reading = JSON.stringify([record?.id, record?.storeId, marker])
    if (found.kind !== 'other' || reading === last) return found
    last = reading
  }
  const message = `the identities of ${places.store} and ${places.database} changed during ${MAX_READINGS} readings`
  throw new AppError('STORAGE_UNAVAILABLE', message, { retryable: true })
}

/**
 * Returns the identity that database and store share, and creates it at the first start. Rejects with
 * STORE_MISMATCH before anything is changed. Every step has one winner and may be interrupted: the next start
 * continues there. The database's id is durable before the store is marked with it, and the store is marked
 * before the database is bound to it.
 */
export async function establishIdentity(deps: IdentityDeps): Promise<Identity> {
  const { installation, blobs, places } = deps
  let found = await compareIdentity(deps)
  if (found.kind === 'new') {
    const { blobs: stored } = await agreeingContents(deps)
    const { id } = await installation.claim(createId(), stored === 0 ? new Date() : null)
    await blobs.marker.create(formatMarker({ installation: id, store: createId() }))
    found = await compareIdentity(deps)
  }
  if (found.kind === 'unbound') {
    await installation.bindStore(found.identity.store)
    found = await compareIdentity(deps)
  }
  if (found.kind === 'same') return found.identity
  throw mismatch(found.kind === 'other' ? found.reason : `the blob store (${places.store}) keeps no marker`)
}

async function agreeingContents(deps: IdentityDeps): Promise<Contents> {
  const contents = await sampleContents(deps)
  const reason = disagreement(contents, deps.places)
  // Another gateway may have created the identity since, and have started to write.
  if (reason !== null && (await compareIdentity(deps)).kind === 'new') throw mismatch(reason)
  return contents
}

/** For commands that change stored data: they only compare, and leave creating an identity to a gateway. */
export async function assertSameIdentity(deps: CompareDeps): Promise<Identity> {
  const found = await compareIdentity(deps)
  if (found.kind === 'same') return found.identity
  const { store, database } = deps.places
  throw mismatch(
    found.kind === 'other'
      ? found.reason
      : `the blob store (${store}) and the database (${database}) were never compared: start the gateway once`
  )
}
