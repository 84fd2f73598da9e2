import { admin } from '@filewright/acceptance'
import type { Rig } from './rig.js'

/** Somebody with a token that is good for one project. */
export interface Tenant {
  readonly token: string
  readonly project: string
}

/** Made by the operator's command line, as on a service in use. */
export async function createTenant(rig: Rig, project: string): Promise<Tenant> {
  const { token } = await admin(rig.stack.dataDir, 'token', 'create', '--name', project, '--project', project)
  return { token, project }
}
