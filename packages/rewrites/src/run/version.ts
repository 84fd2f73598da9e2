import { SandboxError, type Input, type Program, type Run, type Sandbox } from './program-types.js'

/** A version under way. After a run that did not end, both versions start anew, so that their states agree. */
export interface Version {
  /** The effects of loading the code. */
  loaded: () => string
  has: (target: number) => Promise<boolean>
  run: (target: number, input: Input) => Promise<Run | null>
  /** Ends the program; the next run starts it anew. Only one version may be under way at a time. */
  restart: () => void
  /** Numbers of the probes that were reached since the first start. */
  reached: ReadonlySet<number>
}

/** Null where the code cannot be loaded. Throws `OutOfWorkError`. */
export async function startVersion(
  script: string,
  plan: string,
  open: () => Promise<Sandbox>
): Promise<Version | null> {
  const reached = new Set<number>()
  let program: Program | null = null
  let loaded = ''

  async function load(): Promise<Program> {
    const started = (await open()).start(script, plan)
    loaded = started.loaded
    for (const probe of started.reached) reached.add(probe)
    return started
  }
  try {
    program = await load()
  } catch (error) {
    if (error instanceof SandboxError) return null
    throw error
  }
  return {
    loaded: () => loaded,
    has: async (target) => (program ??= await load()).has(target),
    run: async (target, input) => {
      const outcome = (program ??= await load()).run(target, input)
      for (const probe of outcome?.reached ?? []) reached.add(probe)
      return outcome
    },
    restart: () => {
      program?.close()
      program = null
    },
    reached
  }
}
