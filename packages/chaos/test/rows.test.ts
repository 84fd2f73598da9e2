import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { rows, runRows, tableOf } from '../src/index.js'

t.setTimeout(900_000)
const seed = Number(process.env['SEED'] ?? 42)
const folder = mkdtempSync(join(tmpdir(), 'filewright-chaos-'))
t.teardown(() => { rmSync(folder, { recursive: true, force: true }) })

t.test(`the quick profile of every row, seed ${seed}: every fault hits something, and no promise is broken`, async (t) => {
  const outcomes = await runRows({ rows, seed, profile: 'quick', folder })

  t.comment(`\n${tableOf(outcomes)}`)
  for (const { name, failures } of outcomes) t.strictSame(failures, [], name)
  t.equal(outcomes.length, rows.length)
})
