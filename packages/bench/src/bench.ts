import { startPostgresServer, startStack, type RunningStack } from '@filewright/testing'
import { startChild } from './child.js'
import type { BenchContext, Row, RowResult } from './context.js'
import { startFloor } from './floors/start-floor.js'
import type { LoadResult, LoadSpec } from './load/load-spec.js'
import { familyOf, type Processes } from './processes.js'
import { benchSettings, models } from './settings.js'

export interface BenchOptions {
  quick: boolean
  say: (line: string) => void
  onRow: (result: RowResult) => void
}

/**
 * One stack for all rows, and an idle one where a row needs it; a row that needs another one starts it
 * itself.
 */
export async function runBench(
  rows: readonly Row[],
  { quick, say, onRow }: BenchOptions
): Promise<RowResult[]> {
  const undo: Array<() => Promise<unknown>> = []
  try {
    say('Starting PostgreSQL and the stack…')
    const postgres = await startPostgresServer()
    undo.push(postgres.stop)
    await postgres.createDatabase('bench')
    const databaseUrl = postgres.urlOf('bench')
    const model = await startFloor({ kind: 'model', models })
    undo.push(model.stop)
    const startOn = async (url: string): Promise<RunningStack> => {
      const started = await startStack(undefined, {
        env: { ...benchSettings, DATABASE_URL: url, OLLAMA_HOST: model.origin }
      })
      undo.push(started.stop)
      return started
    }
    let resting: BenchContext['resting']
    if (rows.some(({ usesRestingStack }) => usesRestingStack === true)) {
      await postgres.createDatabase('resting')
      resting = { stack: await startOn(postgres.urlOf('resting')), sinceMs: performance.now() }
    }
    const stack = await startOn(databaseUrl)
    const load = await startChild<LoadSpec, LoadResult>('./load/load-process.js')
    undo.push(load.stop)
    const { clamd } = stack.info()
    if (!('socket' in clamd)) throw new Error('the stack uses a clamd of its own')

    const context: BenchContext = {
      quick,
      rounds: quick ? 5 : 7,
      heavyRounds: quick ? 3 : 7,
      roundMs: quick ? 350 : 3_000,
      warm: quick ? { ms: 1_200, requests: 1_000 } : { ms: 45_000, requests: 4_000 },
      stack,
      resting,
      postgres,
      databaseUrl,
      clamdSocket: clamd.socket,
      model,
      load,
      productProcesses: () => processesOf(stack, postgres.pid()),
      say
    }
    const results: RowResult[] = []
    for (const row of rows) {
      say(`${row.name}…`)
      const result = await resultOf(row, context)
      results.push(result)
      onRow(result)
    }
    return results
  } finally {
    for (const each of undo.reverse()) await each()
  }
}

export function processesOf(stack: RunningStack, postgresPid: number | undefined): Processes {
  const { pids } = stack.info()
  return {
    ...Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, [pid]])),
    supervisor: [stack.supervisorPid],
    ...(postgresPid === undefined ? {} : { postgres: familyOf(postgresPid) })
  }
}

async function resultOf({ name, measure, goal, run }: Row, context: BenchContext): Promise<RowResult> {
  const [limit, sign] = 'atLeast' in goal ? [goal.atLeast, '≥'] : [goal.atMost, '≤']
  const head = { name, measure, goal: `${sign} ${limit}` }
  try {
    const finding = await run(context)
    return { ...head, ...finding, met: sign === '≥' ? finding.value >= limit : finding.value <= limit }
  } catch (error) {
    return { ...head, value: NaN, met: false, error: String(error) }
  }
}
