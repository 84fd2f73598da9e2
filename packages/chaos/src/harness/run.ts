import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { leaksAfterTenMinutes } from './census.js'
import { checkHistory } from './checker.js'
import { createHistory } from './history.js'
import { createRandom } from './random.js'
import { startRig, type Rig } from './rig.js'
import { createTally, type Profile, type Row, type RowResult } from './row.js'

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

const MAX_RECOVERY_MS = 30_000

/** One row after another on one stack, so that each runs alone. */
export async function runRows(options: RunOptions): Promise<RowOutcome[]> {
  const { rows, seed, folder, say = () => {}, onResult = () => {} } = options
  mkdirSync(folder, { recursive: true })
  const rig = await startRig()
  const outcomes: RowOutcome[] = []
  try {
    for (const row of rows) {
      say(`${row.name}…`)
      const startedAt = performance.now()
      const result = await runRow(row, rig, options)
      const failures = [...result.violations, ...(result.hit > 0 ? [] : ['no fault hit'])]
      const outcome = { ...result, name: row.name, seed, tookMs: performance.now() - startedAt, failures }
      outcomes.push(outcome)
      onResult(row, outcome)
    }
  } finally {
    await rig.stop()
  }
  return outcomes
}

async function runRow(
  row: Row,
  rig: Rig,
  { seed, profile, minutes, folder, say = () => {} }: RunOptions
): Promise<RowResult> {
  const tally = createTally()
  const history = createHistory(join(folder, `${fileNameOf(row.name)}.jsonl`))
  const undo: Array<() => unknown> = []
  try {
    try {
      await row.run({
        seed,
        random: createRandom(seed).fork(row.name),
        count: row.counts[profile],
        profile,
        minutes,
        rig,
        tally,
        history,
        after: (work) => undo.push(work),
        say: (line) => say(`  ${line}`)
      })
    } finally {
      while (undo.length > 0) await undo.pop()?.()
      await rig.restore()
    }
    const operations = history.read()
    const checker = rig.subject({ onFault: tally.violate })
    tally.violations.push(
      ...(await checkHistory(row.settle?.(operations) ?? operations, checker)),
      ...(await leaksAfterTenMinutes(rig))
    )
    if (row.promises.includes('P10')) {
      const slow = tally.recoveryMs.filter((ms) => ms >= MAX_RECOVERY_MS)
      tally.expect(slow.length === 0, `${slow.length} recoveries took longer than 30 s`)
    }
  } catch (error) {
    tally.violations.push(`the row broke down: ${(error as Error).stack ?? String(error)}`)
  }
  return tally
}

const fileNameOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
