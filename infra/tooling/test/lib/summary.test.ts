import t from 'tap'

interface Run {
  passed: number
  failed: number
  skipped: Array<{ path: string[]; reason: string }>
  flaky: string[]
  disturbed: string[]
  standstills: Array<{ from: number; to: number }>
  maxFlaky: number
}
interface Lib {
  summarize: (run: Run) => { lines: string[]; exitCode: number }
}
interface Files {
  suiteOf: (file: string) => string
  sourceOf: (file: string) => string
}
interface Seed {
  seedOfRun: (suites: readonly ('short' | 'long')[], env: NodeJS.ProcessEnv) => string
}
const lib = async (name: string): Promise<unknown> =>
  await import(new URL(`../../../bin/lib/${name}`, import.meta.url).href)
const { summarize } = (await lib('summary.mjs')) as Lib
const { suiteOf, sourceOf } = (await lib('test-files.mjs')) as Files
const { seedOfRun } = (await lib('seed.mjs')) as Seed

const run: Run = {
  passed: 7,
  failed: 0,
  skipped: [],
  flaky: [],
  disturbed: [],
  standstills: [],
  maxFlaky: Infinity
}

t.test('the last lines name skipped and flaky files, and end with the count', async (t) => {
  const skipped = [
    { path: ['packages/a/dist/test/b.test.js', 'a page', 'in a browser'], reason: 'no chromium' }
  ]

  t.strictSame(
    summarize({ ...run, skipped, flaky: ['apps/c/dist/test/d.test.js', 'infra/e/dist/test/f.test.js'] }),
    {
      lines: [
        'SKIPPED packages/a/test/b.test.ts › a page › in a browser: no chromium',
        'FLAKY apps/c/test/d.test.ts',
        'FLAKY infra/e/test/f.test.ts',
        '7 passed, 0 failed'
      ],
      exitCode: 0
    }
  )
})

t.test('more flaky files than allowed are one failure', async (t) => {
  const flaky = ['a/dist/test/a.test.js', 'a/dist/test/b.test.js']

  t.match(summarize({ ...run, flaky: flaky.slice(1), maxFlaky: 1 }), {
    lines: ['FLAKY a/test/b.test.ts', '7 passed, 0 failed'],
    exitCode: 0
  })
  const { lines, exitCode } = summarize({ ...run, flaky, maxFlaky: 1 })
  t.strictSame(lines.slice(-2), ['2 files are flaky, and at most 1 may be.', '7 passed, 1 failed'])
  t.equal(exitCode, 1)
})

t.test('a file that a standstill disturbed is named, and is not flaky', async (t) => {
  const disturbed = ['a/dist/test/a.test.js', 'a/dist/test/b.test.js']

  t.strictSame(summarize({ ...run, disturbed, standstills: [{ from: 1_000, to: 34_400 }], maxFlaky: 0 }), {
    lines: [
      'The machine stood still for 33 s.',
      'DISTURBED a/test/a.test.ts',
      'DISTURBED a/test/b.test.ts',
      '7 passed, 0 failed'
    ],
    exitCode: 0
  })
})

t.test('a failed assertion fails the run', async (t) => {
  t.strictSame(summarize({ ...run, failed: 2 }), { lines: ['7 passed, 2 failed'], exitCode: 1 })
})

t.test("a file's name determines its suite", async (t) => {
  t.equal(suiteOf('packages/a/dist/test/growth.long.test.js'), 'long')
  t.equal(suiteOf('packages/a/dist/test/speed.alone.test.js'), 'long')
  t.equal(suiteOf('packages/long/dist/test/long/so-long.test.js'), 'short')
  t.equal(sourceOf('packages/a/dist/test/dist/test/b.test.js'), 'packages/a/test/dist/test/b.test.ts')
})

t.test('the short suite has one seed for everyone, each run of the long suite a new one', async (t) => {
  t.equal(seedOfRun(['short'], {}), seedOfRun(['short'], {}))
  for (const suites of [['long'], ['short', 'long']] as const) {
    t.match(seedOfRun(suites, {}), /^[1-9]\d*$/)
    t.not(seedOfRun(suites, {}), seedOfRun(suites, {}))
  }
})

t.test('TEST_SEED is the seed of any run', async (t) => {
  t.equal(seedOfRun(['short'], { TEST_SEED: '7' }), '7')
  t.equal(seedOfRun(['short', 'long'], { TEST_SEED: '7' }), '7')
})
