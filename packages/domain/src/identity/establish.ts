import type { BlobStore } from '@filewright/blob-store'
import type { Database } from '@filewright/db'
import { createId } from '@filewright/runtime'
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

/** Reads both sides and changes nothing. */
export async function compareIdentity(
  { installation, blobs, places }: CompareDeps,
  signal?: AbortSignal
): Promise<Comparison> {
  const [record, marker] = await Promise.all([installation.find(), blobs.marker.read({ signal })])
  return compare(record, marker, places)
}

/**
 * Gives the identity that database and store share, and makes it at the first start. Rejects with
 * STORE_MISMATCH before anything is changed. Every step has one winner and may be interrupted: the
 * next start goes on from there. The database's id is durable before the store is marked with it, and the
 * store is marked before the database is bound to it.
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
  // Another gateway may have made the identity since, and have begun to write.
  if (reason !== null && (await compareIdentity(deps)).kind === 'new') throw mismatch(reason)
  return contents
}

/** For commands that change stored data: they compare, and leave it to a gateway to make an identity. */
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
