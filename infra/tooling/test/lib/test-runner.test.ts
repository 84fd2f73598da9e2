import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'

interface Failure {
  path: string[]
  diag: unknown
}
interface Standstills {
  look: () => void
  found: () => Array<{ from: number; to: number }>
  isWithin: (span: { from: number; to: number }) => boolean
  stop: () => void
}
interface Lib {
  runTestFiles: (options: {
    root: string
    files: readonly string[]
    envOf?: (file: string, isSecondRun: boolean) => NodeJS.ProcessEnv
    standstills?: Standstills
  }) => Promise<{
    results: {
      passed: number
      failed: number
      skipped: Array<{ path: string[]; reason: string }>
      failures: Failure[]
    }
    flaky: string[]
    disturbed: string[]
    failedFirst: Failure[]
    log: string
    slowest: Array<{ file: string; cpuSeconds: number }>
  }>
}
const { runTestFiles } = (await import(
  new URL('../../../bin/lib/test-runner.mjs', import.meta.url).href
)) as Lib

const { watchStandstills } = (await import(
  new URL('../../../bin/lib/standstills.mjs', import.meta.url).href
)) as { watchStandstills: (options: { now: () => number }) => Standstills }

const PASSES = "console.log('TAP version 14\\nok 1 - as it should be\\n1..1')\n"
const FAILS = "console.log('TAP version 14\\nnot ok 1 - never\\n1..1'); process.exitCode = 1\n"
const SKIPS = "console.log('TAP version 14\\nok 1 - a part # SKIP not here\\n1..1')\n"
const PASSES_LATER = `
if (process.env.SECOND === 'true') console.log('TAP version 14\\nok 1 - at last\\n1..1')
else {
  console.log('TAP version 14\\nnot ok 1 - not yet\\n1..1')
  process.exitCode = 1
}
`

async function runAll(t: Test, sources: Record<string, string>, standstills?: Standstills) {
  const root = t.testdir({ 'package.json': '{"type":"module"}' })
  await Promise.all(
    Object.entries(sources).map(async ([file, source]) => await writeFile(join(root, file), source))
  )
  const envOf = (_file: string, isSecondRun: boolean): NodeJS.ProcessEnv => ({ SECOND: String(isSecondRun) })
  const files = Object.keys(sources)
  return await runTestFiles({ root, files, envOf, ...(standstills === undefined ? {} : { standstills }) })
}

t.test('the second run of a failing file, alone, decides, and the first failure is reported', async (t) => {
  const { results, flaky, failedFirst, log } = await runAll(t, {
    'good.js': PASSES,
    'shaky.js': PASSES_LATER
  })

  t.match(results, { passed: 2, failed: 0, failures: [] })
  t.strictSame(
    failedFirst.map(({ path }) => path),
    [['shaky.js', 'not yet']]
  )
  t.strictSame(flaky, ['shaky.js'])
  t.match(log, 'not yet')
})

t.test('a repeated failure counts', async (t) => {
  const { results, flaky } = await runAll(t, { 'good.js': PASSES, 'bad.js': FAILS })

  t.match(results, { passed: 1, failed: 1 })
  t.strictSame(
    results.failures.map(({ path }) => path),
    [['bad.js', 'never']]
  )
  t.strictSame(flaky, [], 'and is not called flaky')
})

/** Simulates a pause of the machine between these two times. */
function stoodStill(from: number, to: number): Standstills {
  let now = from
  const standstills = watchStandstills({ now: () => now })
  now = to
  standstills.look()
  return standstills
}

t.test('a file that failed while the machine stood still is disturbed, not flaky', async (t) => {
  const sources = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.js`, PASSES_LATER]))

  const { results, flaky, disturbed } = await runAll(t, sources, stoodStill(Date.now(), Date.now() + 60_000))

  t.strictSame(disturbed.sort(), Object.keys(sources))
  t.strictSame(flaky, [])
  t.match(results, { passed: 4, failed: 0 }, 'however many there are')
})

t.test('a standstill at another time, or a short wait for a core, does not excuse a failure', async (t) => {
  for (const span of [
    [Date.now() - 60_000, Date.now() - 30_000],
    [Date.now(), Date.now() + 4_000]
  ] as const) {
    const { flaky, disturbed } = await runAll(t, { 'shaky.js': PASSES_LATER }, stoodStill(...span))

    t.strictSame([flaky, disturbed], [['shaky.js'], []])
  }
})

t.test('a file that fails again after a standstill counts as failed', async (t) => {
  const { results, disturbed } = await runAll(
    t,
    { 'bad.js': FAILS },
    stoodStill(Date.now(), Date.now() + 60_000)
  )

  t.equal(results.failed, 1)
  t.strictSame(disturbed, [])
})

t.test('skipped tests are reported with file and reason', async (t) => {
  const { results } = await runAll(t, { 'good.js': PASSES, 'part.js': SKIPS })

  t.match(results, { passed: 1, failed: 0 })
  t.strictSame(results.skipped, [{ path: ['part.js', 'a part'], reason: 'not here' }])
})

t.test('a file that dies without output is a failure', async (t) => {
  const { results } = await runAll(t, { 'dead.js': 'process.exit(3)\n' })

  t.equal(results.failed, 1)
  t.strictSame(results.failures[0]?.path, ['dead.js', 'ended without a failed assertion'])
})

t.test('an uncaught error fails its file, and is reported', async (t) => {
  const { results } = await runAll(t, {
    'rejects.js': `${PASSES}void Promise.reject(new Error('nobody waits'))\n`
  })

  t.match(results, { passed: 1, failed: 1 })
  t.match(results.failures[0]?.diag, { message: /nobody waits/ })
})

t.test('no async hook follows the promises of a test', async (t) => {
  const { results } = await runAll(t, {
    'hooks.js': `
import { createHook } from 'node:async_hooks'
let promises = 0
createHook({ init: (id, type) => { promises += type === 'PROMISE' } }).enable()
await Promise.resolve()
console.log(promises === 0 ? 'TAP version 14\\nok 1 - none\\n1..1' : 'TAP version 14\\nnot ok 1\\n1..1')
`
  })

  t.match(results, { passed: 1, failed: 0 })
})

t.test('the CPU time of a file counts the processes that it started and that have ended', async (t) => {
  const compute = 'const { user } = process.cpuUsage(); while (process.cpuUsage().user < user + 500_000);'
  const { results, slowest } = await runAll(t, {
    'alone.js': PASSES,
    'parent.js': `
import { execFileSync } from 'node:child_process'
execFileSync(process.execPath, ['-e', ${JSON.stringify(compute)}])
${PASSES}`
  })
  const secondsOf = (name: string): number => slowest.find(({ file }) => file === name)?.cpuSeconds ?? 0

  t.match(results, { passed: 2, failed: 0 })
  t.ok(secondsOf('alone.js') > 0)
  // Half a second of the child, and its start.
  t.ok(secondsOf('parent.js') >= 0.5)
})

t.test('after many failures nothing is retried', async (t) => {
  const { results, failedFirst } = await runAll(t, {
    'a.js': FAILS,
    'b.js': FAILS,
    'c.js': FAILS,
    'd.js': PASSES_LATER
  })

  t.equal(results.failed, 4, 'the last one too, which would have passed')
  t.strictSame(failedFirst, [])
})
