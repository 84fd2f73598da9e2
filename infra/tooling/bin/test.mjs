import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ROOT, bootstrap } from './lib/bootstrap.mjs'
import { FLOOR, coverageByWorkspace, isMeasured, pruneCoverage } from './lib/coverage.mjs'
import { Failure } from './lib/failure.mjs'
import { createProgress } from './lib/progress.mjs'
import { run } from './lib/run.mjs'
import { SEED, seedOfRun } from './lib/seed.mjs'
import { summarize } from './lib/summary.mjs'
import { describeFailure } from './lib/tap-results.mjs'
import { findTestFiles, sourceOf, suiteOf } from './lib/test-files.mjs'

const CACHE = join(ROOT, 'node_modules', '.cache', 'filewright')
const LOGS = join(CACHE, 'test-logs')
const COVERAGE = join(CACHE, 'coverage')
/** Node.js 22 and newer compile a module once for all processes of a run. Older versions ignore it. */
const COMPILED = join(CACHE, 'compiled')
const USAGE =
  "Usage: npm test -- [--long | --all | --coverage] [--times] [--max-flaky <n>] [part of a test file's path]…"
const SLOWEST_SHOWN = 20
/** How many more files than cores run at a time. Whole stacks in the long suite need room. */
const EXTRA = { short: 2, long: 1 }
const bin = (/** @type {string} */ name) => join(ROOT, 'node_modules', '.bin', name)

const built = (/** @type {string} */ workspace) =>
  pathToFileURL(join(ROOT, workspace, 'dist', 'src', 'index.js')).href

const progress = createProgress(process.stdout)
const total = {
  passed: 0,
  failed: 0,
  skipped: /** @type {import('./lib/tap-results.mjs').TapSkip[]} */ ([]),
  flaky: /** @type {string[]} */ ([]),
  disturbed: /** @type {string[]} */ ([]),
  standstills: /** @type {import('./lib/standstills.mjs').Span[]} */ ([]),
  times: /** @type {string[]} */ ([])
}
/** Set as soon as the suites are known. */
let seed = ''

/** They pass or fail as a whole, and run beside the short suite. */
const CHECKS = [
  { label: 'Format', command: bin('biome'), args: ['format', '--colors=off'] },
  { label: 'Lint', command: bin('oxlint'), args: ['--type-aware', '--quiet', '.'] },
  {
    label: 'Layers and circular imports',
    command: process.execPath,
    args: [join('infra', 'tooling', 'scripts', 'deps.mjs')]
  }
]

/** One after another, so that they take one core from the tests. */
async function runChecks() {
  const ended = []
  for (const { label, command, args } of CHECKS) {
    const startedAt = Date.now()
    const { code, output } = await run(command, args, { cwd: ROOT })
    ended.push({ label, code, output, seconds: Math.round((Date.now() - startedAt) / 1000) })
  }
  return ended
}

/** @param {Awaited<ReturnType<typeof runChecks>>} checks */
function reportChecks(checks) {
  for (const { label, code, output, seconds } of checks) {
    if (code !== 0) report(new Failure(`${label} failed.`, output))
    else {
      console.log(`${label}: done in ${seconds} s, beside the tests`)
      total.passed++
    }
  }
}

/**
 * Both suites are one run: the short suite's files keep the machine busy while the long suite's stacks wait.
 * @param {readonly ('short' | 'long')[]} suites
 * @param {readonly string[]} files
 * @param {(file: string, isSecondRun: boolean) => NodeJS.ProcessEnv} envOf
 */
async function runTests(suites, files, envOf) {
  // Not at the top: before the first install there is no parser.
  const { runTestFiles } = await import('./lib/test-runner.mjs')
  const log = join(LOGS, 'tap.log')
  const what = suites.length === 1 ? `the ${suites[0]} suite` : 'both suites'
  const describeAll = (/** @type {readonly import('./lib/tap-results.mjs').TapFailure[]} */ failures) =>
    failures
      .map((failure) => `${describeFailure(failure)}\n  repeat: ${repeatOf(failure.path[0] ?? '')}`)
      .join('\n\n')
  try {
    await progress.step(`Tests of ${what} (${files.length} files, ${SEED}=${seed})`, async (tellSoFar) => {
      let ended = 0
      const failedFiles = /** @type {string[]} */ ([])
      // Files that failed are named at once: a run of both suites takes long, and a bug is looked into meanwhile.
      const onFile = (/** @type {import('./lib/test-runner.mjs').FileRun} */ { file, results }) => {
        if (results.failed > 0) failedFiles.push(sourceOf(file))
        tellSoFar([`${++ended} done`, ...failedFiles.map((failed) => `${failed} failed`)].join(', '))
        pruneCoverage(ROOT, COVERAGE)
      }
      const {
        results,
        flaky,
        disturbed,
        standstills,
        failedFirst,
        log: output,
        slowest
      } = await runTestFiles({
        root: ROOT,
        files,
        extra: suites.includes('long') ? EXTRA.long : EXTRA.short,
        envOf,
        onFile
      })
      total.passed += results.passed
      total.failed += results.failed
      total.skipped.push(...results.skipped)
      total.flaky.push(...flaky)
      total.disturbed.push(...disturbed)
      total.standstills.push(...standstills)
      mkdirSync(LOGS, { recursive: true })
      writeFileSync(log, output)
      const seconds = (/** @type {number} */ value) => `${value.toFixed(1).padStart(7)} s`
      const times = slowest.map(
        ({ file, ms, cpuSeconds }) => `${seconds(ms / 1000)} ${seconds(cpuSeconds)} CPU  ${sourceOf(file)}`
      )
      const cpuSeconds = slowest.reduce((sum, each) => sum + each.cpuSeconds, 0)
      total.times.push(
        `Slowest files of ${what}, which took ${Math.round(cpuSeconds)} s of CPU time in all:`,
        ...times.slice(0, SLOWEST_SHOWN)
      )
      writeFileSync(join(LOGS, 'times.txt'), `${times.join('\n')}\n`)
      if (failedFirst.length > 0) {
        console.log(`Failed at first, and run again alone:\n${describeAll(failedFirst)}`)
      }
      if (results.failed > 0) {
        throw new Failure(
          `${results.failed} assertions failed; the whole output is in ${log}`,
          describeAll(results.failures)
        )
      }
    })
  } catch (error) {
    tell(error)
  }
}

/** @param {string} file */
const repeatOf = (file) =>
  `${SEED}=${seed} npm ${suiteOf(file) === 'long' ? 'run test:long' : 'test'} -- ${sourceOf(file)}`

/** One PostgreSQL for all test files, with a template database: each file copies it. */
async function startDatabase() {
  const { MIGRATED, SHARED_SERVER, startPostgresServer } = await import(built('packages/testing'))
  const { migrate } = await import(built('packages/db'))
  const server = await startPostgresServer({ durable: false })
  try {
    await server.createDatabase(MIGRATED)
    await migrate({ url: server.urlOf(MIGRATED) })
  } catch (error) {
    await server.stop()
    throw error
  }
  return { env: { [SHARED_SERVER]: server.url }, stop: server.stop }
}

/**
 * One stack for all files that take the default one as they find it.
 * @param {readonly string[]} files relative to the root
 * @param {NodeJS.ProcessEnv} env
 */
async function startSharedStack(files, env) {
  const sharing = files.filter(
    (file) => readFileSync(join(ROOT, file), 'utf8').match(/(shareStack|testConsole)\(/) !== null
  )
  // A single file starts its own.
  if (sharing.length < 2) return { env: {}, stop: async () => {} }
  // Where the stack finds its database server.
  Object.assign(process.env, env)
  const { SHARED_STACK, startStack } = await import(built('packages/testing'))
  const { dataDir, token, stop } = await startStack()
  return { env: { [SHARED_STACK]: JSON.stringify({ dataDir, token }) }, stop }
}

/** Enforces the minimum in every workspace. */
async function checkCoverage() {
  try {
    const measured = await progress.step('Coverage', async () => await coverageByWorkspace(ROOT, COVERAGE))
    console.log(
      `Lines covered: ${measured.map(({ workspace, percent }) => `${workspace} ${percent} %`).join(', ')}`
    )
    const low = measured.filter(({ percent }) => percent < FLOOR)
    if (measured.length === 0) throw new Failure('No coverage was measured.')
    if (low.length > 0) {
      throw new Failure(`Below ${FLOOR} % of lines: ${low.map(({ workspace }) => workspace).join(', ')}.`)
    }
    total.passed++
  } catch (error) {
    report(error)
  }
}

/** @param {unknown} error */
function tell(error) {
  if (!(error instanceof Failure)) throw error
  if (error.output !== '') console.log(error.output.trimEnd())
  console.log(error.message)
}

/** @param {unknown} error */
function report(error) {
  total.failed++
  tell(error)
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        all: { type: 'boolean' },
        long: { type: 'boolean' },
        coverage: { type: 'boolean' },
        times: { type: 'boolean' },
        'max-flaky': { type: 'string' }
      },
      allowPositionals: true
    })
    return {
      patterns: positionals,
      coverage: values.coverage === true,
      suites: /** @type {('short' | 'long')[]} */ (
        values.all === true || values.coverage === true
          ? ['short', 'long']
          : values.long === true
            ? ['long']
            : ['short']
      ),
      times: values.times === true,
      maxFlaky: Number(values['max-flaky'] ?? Infinity)
    }
  } catch (error) {
    throw new Failure(`${/** @type {Error} */ (error).message.split('. ')[0]}. ${USAGE}`)
  }
}

/** @param {ReturnType<typeof readArguments>} options */
async function runSuites({ patterns, coverage, suites }) {
  seed = seedOfRun(suites)
  await bootstrap({ progress })
  const { ensurePrograms, StackError } = await import(built('infra/local'))
  // The tests use the real servers.
  await ensurePrograms(
    ['redis', 'clamd', 'postgres'],
    { say: console.log },
    new AbortController().signal
  ).catch((/** @type {Error} */ error) => {
    throw error instanceof StackError ? new Failure(error.message) : error
  })
  // Without them their tests are skipped by name, because they cannot be installed on some systems.
  if (suites.includes('long')) {
    await ensurePrograms(['chromium', 'pgbouncer'], { say: console.log }, new AbortController().signal).catch(
      (/** @type {Error} */ error) => {
        console.log(error.message)
      }
    )
  }
  const found = findTestFiles(ROOT, patterns)
  if (!found.some((file) => suites.includes(suiteOf(file)))) {
    throw new Failure(
      found.length === 0
        ? `No test file matches ${patterns.join(' ')}.`
        : `Only files of the ${suiteOf(found[0] ?? '')} suite match ${patterns.join(' ')}: add --all.`
    )
  }
  for (const folder of [COVERAGE, COMPILED]) rmSync(folder, { recursive: true, force: true })
  // Functions from this cache would be missing in what coverage counts.
  if (!coverage) process.env.NODE_COMPILE_CACHE ??= COMPILED
  const database = await startDatabase()
  try {
    const files = found.filter((file) => suites.includes(suiteOf(file)))
    const checks = suites.includes('short') && patterns.length === 0 ? runChecks() : Promise.resolve([])
    const isCovered = (/** @type {string} */ file) => coverage && isMeasured(file)
    const stack = await startSharedStack(files, database.env)
    try {
      await runTests(suites, files, (file, isSecondRun) => ({
        [SEED]: seed,
        ...database.env,
        // A second run starts its own stack, without the files that the first one stored.
        ...(isSecondRun ? {} : stack.env),
        ...(isCovered(file) ? { NODE_V8_COVERAGE: COVERAGE } : {})
      }))
    } finally {
      await stack.stop()
    }
    reportChecks(await checks)
    if (coverage) await checkCoverage()
  } finally {
    await database.stop()
  }
}

let maxFlaky = Infinity
try {
  const options = readArguments()
  maxFlaky = options.maxFlaky
  await runSuites(options)
  if (options.times) console.log(total.times.join('\n'))
} catch (error) {
  report(error)
}
const { lines, exitCode } = summarize({ ...total, maxFlaky })
console.log(lines.join('\n'))
process.exitCode = exitCode
