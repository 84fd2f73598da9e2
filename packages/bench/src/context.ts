import type { PostgresServer, RunningStack } from '@filewright/testing'
import type { Child } from './child.js'
import type { LoadResult, LoadSpec } from './load/load-spec.js'
import type { Processes } from './processes.js'

export interface Floor {
  origin: string
  pid: number
  stop: () => Promise<void>
}

/** The tools and settings for a row's measurement. */
export interface BenchContext {
  quick: boolean
  /** Of each side. */
  rounds: number
  /** The number of rounds if a round takes seconds. */
  heavyRounds: number
  roundMs: number
  /**
   * Warm-up: each side serves this many requests, or as many as it can in this time, because cold code is
   * slow.
   */
  warm: { ms: number; requests: number }
  stack: RunningStack
  /** Only if a row needs it: another stack, which stays idle while earlier rows are measured. */
  resting?: { stack: RunningStack; sinceMs: number } | undefined
  postgres: PostgresServer
  databaseUrl: string
  clamdSocket: string
  model: Floor
  load: Child<LoadSpec, LoadResult>
  /** Everything the product depends on, by part. */
  productProcesses: () => Processes
  say: (line: string) => void
}

export interface Side {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** By part, with `all` for their sum. */
  cpuMsPerRequest: Record<string, number>
  residentMb: Record<string, number>
  failures: number
}

export interface Measurement {
  value: number
  min?: number
  max?: number
  product?: Side
  floor?: Side
  note?: string
}

export interface Row {
  name: string
  measure: string
  goal: { atLeast: number } | { atMost: number }
  usesRestingStack?: true
  run: (context: BenchContext) => Promise<Measurement>
}

export interface RowResult extends Measurement {
  name: string
  measure: string
  goal: string
  met: boolean
  error?: string
}
