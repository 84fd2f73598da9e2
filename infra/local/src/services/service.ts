import type { ChildSpec } from '../managed-child.js'
import type { DataPaths } from '../paths.js'
import type { Command } from '../parent-guard.js'

/**
 * A dependency of the apps: where it is, what the banner says of it, and the process behind it unless it is
 * somebody else's.
 */
export interface Service<Address> {
  address: Address
  note: string
  child?: ChildSpec
  /** Before the child's first launch. */
  setUp?: () => Promise<void>
  /** For a service that runs elsewhere: rejects with a sentence when it does not answer. */
  check?: (signal: AbortSignal) => Promise<void>
}

export interface ServiceContext {
  paths: DataPaths
  env: NodeJS.ProcessEnv
  /** Gone with the stack; a short path, since a unix socket's may have about 100 bytes. */
  socketDir: string
  guard: (command: string, args: readonly string[]) => Command
  pickPort: () => Promise<number>
}
