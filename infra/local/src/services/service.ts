import type { ChildSpec } from '../managed-child.js'
import type { DataPaths } from '../paths.js'
import type { Command } from '../parent-guard.js'

/**
 * A dependency of the apps: its address, its line in the banner, and its process unless it runs elsewhere.
 */
export interface Service<Address> {
  address: Address
  note: string
  child?: ChildSpec
  /** Before the child's first launch. */
  setUp?: () => Promise<void>
  /** For a service that runs elsewhere: rejects with a message when it does not answer. */
  check?: (signal: AbortSignal) => Promise<void>
}

export interface ServiceContext {
  paths: DataPaths
  env: NodeJS.ProcessEnv
  /** Removed with the stack; a short path, because a Unix socket's path is limited to about 100 bytes. */
  socketDir: string
  guard: (command: string, args: readonly string[]) => Command
  pickPort: () => Promise<number>
}
