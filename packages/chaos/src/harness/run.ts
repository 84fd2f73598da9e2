import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createHistory } from './history.js'
import { createRandom } from './random.js'
import { startRig, type Rig } from './rig.js'
import type { Profile, Row, RowResult } from './row.js'

export interface RunOptions {
  rows: readonly Row[]
  seed: number
  profile: Profile
  minutes?: number | undefined
  /** The folder for each row's history. */
  folder: string
  say?: (line: string) => void
  onResult?: (row: Row, outcome: RowOutcome) => void
}

export interface RowOutcome extends RowResult {
  name: string
  seed: number
  tookMs: number
  /** Violations, and a row that hit nothing. */
  failures: string[]
}

/** One row after another on one stack, so that each runs alone. */
export async function runRows(options: RunOptions): Promise<RowOutcome[]> {
  const { rows, seed, profile, minutes, folder, say = () => {}, onResult = () => {} } = options
  mkdirSync(folder, { recursive: true })
  let shared: Promise<Rig> | undefined
  const outcomes: RowOutcome[] = []
  try {
    for (const row of rows) {
      say(`${row.name}…`)
      const startedAt = performance.now()
      let result: RowResult
      try {
        result = await row.run({
          seed,
          random: createRandom(seed).fork(row.name),
          count: row.counts[profile],
          profile,
          minutes,
          rig: async () => await (shared ??= startRig()),
          history: createHistory(join(folder, `${fileNameOf(row.name)}.jsonl`)),
          say: (line) => {
            say(`  ${line}`)
          }
        })
      } catch (error) {
        result = {
          operations: 0,
          injected: 0,
          hit: 0,
          recoveryMs: [],
          violations: [`the row broke down: ${(error as Error).stack ?? String(error)}`]
        }
      }
      const failures = [...result.violations, ...(result.hit > 0 ? [] : ['no fault hit'])]
      const outcome = { ...result, name: row.name, seed, tookMs: performance.now() - startedAt, failures }
      outcomes.push(outcome)
      onResult(row, outcome)
    }
  } finally {
    await (await shared?.catch(() => undefined))?.stop()
  }
  return outcomes
}

const fileNameOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
