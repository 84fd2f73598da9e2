import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runRows, type RowOutcome } from './harness/run.js'
import { createHistory } from './harness/history.js'
import { markdownTable, tableOf } from './harness/table.js'
import { runMutations } from './mutations/run.js'
import { soak } from './soak/soak.js'
import { rows } from './rows/index.js'

const USAGE = `Usage: npm run chaos -- [options]

Does to the service what it promises to survive, and prints one table.

  --row <part of a name>   only these rows; may be given more than once
  --seed <n>               replays a run: the same seed gives the same faults
  --quick                  the small numbers of npm test
  --soak                   random faults of all kinds under a steady load of 20 requests a second instead of the rows
  --minutes <n>            how long to soak (default 60), or to take for the row of canaries
  --mutations              breaks a copy of the build on purpose, in one place after the other, and shows which row notices
  --list                   the rows, their promises and their targets
  --help                   this text
`

const { values } = parseArgs({
  options: {
    row: { type: 'string', multiple: true },
    seed: { type: 'string' },
    quick: { type: 'boolean' },
    soak: { type: 'boolean' },
    minutes: { type: 'string' },
    mutations: { type: 'boolean' },
    list: { type: 'boolean' },
    help: { type: 'boolean' }
  }
})
const out = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
// By `exit`, so that the servers it has started go with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(1))
}
process.exitCode = await main()

async function main(): Promise<number> {
  if (values.help === true) {
    out(USAGE)
    return 0
  }
  if (values.mutations === true) return await tryMutations(Number(values.seed ?? 1))
  const wanted = rows.filter(
    ({ name }) =>
      values.row === undefined || values.row.some((part) => name.toLowerCase().includes(part.toLowerCase()))
  )
  if (values.list === true) {
    for (const { name, promises, target } of wanted) out(`${name} (${promises.join(', ')}): ${target}`)
    return 0
  }
  if (wanted.length === 0) {
    out(`No row's name contains ${values.row?.join(' or ') ?? ''}.`)
    return 2
  }
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const folder = mkdtempSync(join(tmpdir(), 'filewright-chaos-'))
  out(`Seed ${seed}; histories in ${folder}`)
  if (values.soak === true) return await runSoak(seed, folder, Number(values.minutes ?? 60))
  const outcomes = await runRows({
    rows: wanted,
    seed,
    profile: values.quick === true ? 'quick' : 'full',
    minutes: values.minutes === undefined ? undefined : Number(values.minutes),
    folder,
    say: out,
    onResult: (_row, outcome) => report(outcome)
  })
  out(`\n${tableOf(outcomes)}\n`)
  return outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0
}

function report({ name, failures, operations, hit, injected, tookMs }: RowOutcome): void {
  out(
    `${failures.length === 0 ? '✓' : '✗'} ${name}: ${operations} operations, ${hit} of ${injected} faults hit, ${Math.round(tookMs / 1000)} s`
  )
  for (const failure of failures) out(`    ${failure}`)
}

async function runSoak(seed: number, folder: string, minutes: number): Promise<number> {
  const startedAt = performance.now()
  const { trends, ...result } = await soak({
    minutes,
    seed,
    history: createHistory(join(folder, 'soak.jsonl')),
    say: out
  })
  const name = `random faults, ${minutes} minutes`
  const outcome = {
    ...result,
    name,
    seed,
    tookMs: performance.now() - startedAt,
    failures: [...result.violations, ...(result.hit > 0 ? [] : ['no fault hit'])]
  }
  report(outcome)
  out(`\n${tableOf([outcome])}\n`)
  out(
    markdownTable(
      ['process', 'measured', 'early', 'late'],
      trends.map(({ process: name, what, early, late }) => [name, what, String(early), String(late)])
    )
  )
  return outcome.failures.length > 0 ? 1 : 0
}

async function tryMutations(seed: number): Promise<number> {
  const wanted = values.row ?? ['']
  const results = await runMutations({
    seed,
    wanted: ({ name, row }) =>
      wanted.some((part) => `${name} ${row}`.toLowerCase().includes(part.toLowerCase())),
    say: out
  })
  out(
    `\n${markdownTable(
      ['broken on purpose', 'caught by', 'as'],
      results.map(({ name, row, caught }) => [name, caught === undefined ? 'NOT CAUGHT' : row, caught ?? ''])
    )}\n`
  )
  return results.some(({ caught }) => caught === undefined) ? 1 : 0
}
