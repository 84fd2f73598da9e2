import { assertSameIdentity, type IdentityDeps } from '@filewright/domain'
import type { AdminParts } from './command.js'

export function identityDeps(parts: AdminParts): IdentityDeps {
  const { installation, files } = parts.database()
  return { installation, files, blobs: parts.blobs(), places: parts.places() }
}

/** Before a command changes stored data: rejects unless the store belongs to the database. */
export async function assertOwnStore(parts: AdminParts): Promise<void> {
  await assertSameIdentity(identityDeps(parts))
}
