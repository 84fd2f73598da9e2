import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runRows, type RowOutcome } from './harness/run.js'
import { tableOf } from './harness/table.js'
import { rows } from './rows/index.js'

const USAGE = `Usage: npm run chaos -- [options]

Does to the service what it promises to survive, and prints one table.

  --row <part of a name>   only these rows; may be given more than once
  --seed <n>               replays a run: the same seed gives the same faults
  --quick                  the small numbers of npm test
  --list                   the rows, their promises and their targets
  --help                   this text
`

const { values } = parseArgs({
  options: {
    row: { type: 'string', multiple: true }, seed: { type: 'string' }, quick: { type: 'boolean' }, list: { type: 'boolean' }, help: { type: 'boolean' }
  }
})
const out = (line: string): void => { process.stdout.write(`${line}\n`) }
process.exitCode = await main()
if (process.env['DEBUG_END'] !== undefined) console.log(process.getActiveResourcesInfo())

async function main (): Promise<number> {
  if (values.help === true) {
    out(USAGE)
    return 0
  }
  const wanted = rows.filter(({ name }) => values.row === undefined || values.row.some((part) => name.toLowerCase().includes(part.toLowerCase())))
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
  const outcomes = await runRows({ rows: wanted, seed, profile: values.quick === true ? 'quick' : 'full', folder, say: out, onResult: (_row, outcome) => { report(outcome) } })
  out(`\n${tableOf(outcomes)}\n`)
  return outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0
}

function report ({ name, failures, operations, hit, injected, tookMs }: RowOutcome): void {
  out(`${failures.length === 0 ? '✓' : '✗'} ${name}: ${operations} operations, ${hit} of ${injected} faults hit, ${Math.round(tookMs / 1000)} s`)
  for (const failure of failures) out(`    ${failure}`)
}
