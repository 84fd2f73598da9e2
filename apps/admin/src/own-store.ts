import { assertSameIdentity, type IdentityDeps } from '@filewright/domain'
import type { AdminAdapters } from './command.js'

export function identityDeps(adapters: AdminAdapters): IdentityDeps {
  const { installation, files } = adapters.database()
  return { installation, files, blobs: adapters.blobs(), places: adapters.places() }
}

/** Call before a command changes stored data: rejects unless the store belongs to the database. */
export async function assertOwnStore(adapters: AdminAdapters): Promise<void> {
  await adapters.stores().follow()
  await assertSameIdentity(identityDeps(adapters))
}
