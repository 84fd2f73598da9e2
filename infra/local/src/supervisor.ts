import {
  createManagedChild,
  type ChildSpec,
  type ManagedChild,
  type ManagedChildDeps,
  type Tier
} from './managed-child.js'

export interface Supervisor {
  /** Resolves when the child is ready. From then on it is restarted whenever it exits. */
  start: (spec: ChildSpec, signal: AbortSignal) => Promise<void>
  /** Stops everything in order and resolves when no process is left. */
  stop: () => Promise<void>
}

/** Below 10 s in total, the usual limit of orchestrators. */
const STOP_ORDER: ReadonlyArray<{ tier: Tier; graceMs: number }> = [
  { tier: 'gateway', graceMs: 4_500 },
  { tier: 'worker', graceMs: 2_500 },
  { tier: 'base', graceMs: 2_000 }
]

export function createSupervisor(deps: ManagedChildDeps): Supervisor {
  const children = new Set<ManagedChild>()
  let stopping: Promise<void> | undefined
  // Last resort, if this process exits unexpectedly while children run.
  const killAll = (): void => {
    for (const child of children) child.kill()
  }
  process.once('exit', killAll)

  async function stopInOrder(): Promise<void> {
    for (const { tier, graceMs } of STOP_ORDER) {
      await Promise.all(
        [...children]
          .filter(({ spec }) => spec.tier === tier)
          .map(async (child) => {
            await child.stop(graceMs)
            children.delete(child)
          })
      )
    }
    process.off('exit', killAll)
  }

  return {
    start: async (spec, signal) => {
      signal.throwIfAborted()
      const child = createManagedChild(spec, deps)
      children.add(child)
      await child.start(signal)
    },
    stop: async () => await (stopping ??= stopInOrder())
  }
}
