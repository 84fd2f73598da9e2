import { Failure } from '../failure.js'

export interface Step {
  path: string
  what: 'send' | 'fetch' | 'delete'
  /** Of the file that is copied. */
  bytes?: number
  /** Why it cannot be done. */
  problem?: string
  /** Its path is free only after other files are deleted. */
  isAfterDeletes?: boolean
  run: () => Promise<void>
}

export interface Plan {
  steps: Step[]
  /** What was skipped, and why. */
  notes: string[]
}

export interface SyncFlags {
  delete?: boolean
  dryRun?: boolean
  parallel: number
  verbose?: boolean
  json?: boolean
}

/** A step that is known to fail. */
export const failing = (path: string, what: Step['what'], problem: string): Step => ({
  path,
  what,
  problem,
  run: async () => {
    throw new Failure(problem)
  }
})
