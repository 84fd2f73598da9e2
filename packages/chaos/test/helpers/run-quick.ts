import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { testSeed } from '@filewright/testing'
import { rows, runRows, tableOf } from '../../src/index.js'

const comparing = rows.filter(({ comparesTimes }) => comparesTimes === true)
const others = rows.filter((row) => !comparing.includes(row))

/**
 * The quick profile of every nth row that compares no times. Parts run concurrently, each on its own stack,
 * because they mostly wait.
 */
export const runPart = (part: number, parts: number): void =>
  runQuick(others.filter((_row, index) => index % parts === part - 1))

/** The quick profile of the rows that compare times. */
export const runComparing = (): void => runQuick(comparing)

function runQuick(own: typeof rows): void {
  t.setTimeout(900_000)
  const seed = testSeed(t)
  const folder = mkdtempSync(join(tmpdir(), 'filewright-chaos-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))

  t.test(
    `the quick profile of ${own.length} of ${rows.length} rows, seed ${seed}: every fault hits something, and no promise is broken`,
    async (t) => {
      const outcomes = await runRows({ rows: own, seed, profile: 'quick', folder })

      t.comment(`\n${tableOf(outcomes)}`)
      t.ok(own.length > 0)
      for (const { name, failures } of outcomes) t.strictSame(failures, [], name)
    }
  )
}
