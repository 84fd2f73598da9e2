import { admin } from '@filewright/acceptance'
import type { Rig } from './rig.js'

/** A client with a token for one project. */
export interface Tenant {
  readonly token: string
  readonly project: string
}

/** Created by the admin command, as in production. */
export async function createTenant(rig: Rig, project: string): Promise<Tenant> {
  const { token } = await admin(rig.stack.dataDir, 'token', 'create', '--name', project, '--project', project)
  return { token, project }
}
