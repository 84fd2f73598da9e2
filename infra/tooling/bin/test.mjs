import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ROOT, bootstrap } from './lib/bootstrap.mjs'
import { FLOOR, coverageByWorkspace, isMeasured, pruneCoverage } from './lib/coverage.mjs'
import { Failure } from './lib/failure.mjs'
import { createProgress } from './lib/progress.mjs'
import { run } from './lib/run.mjs'
import { describeFailure } from './lib/tap-results.mjs'
import { findTestFiles } from './lib/test-files.mjs'

const CACHE = join(ROOT, 'node_modules', '.cache', 'filewright')
const LOGS = join(CACHE, 'test-logs')
const COVERAGE = join(CACHE, 'coverage')
/** Without the compiled files, which would count as imports of their own. */
const SOURCES = ['apps/*/{src,test}', 'packages/*/{src,test}', 'infra/*/{src,test}']
const USAGE = 'Usage: npm test -- [--no-coverage] [part of a test file\'s path]…'
const bin = (/** @type {string} */ name) => join(ROOT, 'node_modules', '.bin', name)

const built = (/** @type {string} */ workspace) => pathToFileURL(join(ROOT, workspace, 'dist', 'src', 'index.js')).href

const progress = createProgress(process.stdout)
const total = { passed: 0, failed: 0 }

/**
 * A check that passes or fails as a whole.
 * @param {string} label
 * @param {string} command
 * @param {readonly string[]} args
 */
async function check (label, command, args) {
  try {
    await progress.step(label, async () => {
      const { code, output } = await run(bin(command), args, { cwd: ROOT })
      if (code !== 0) throw new Failure(`${label} failed.`, output)
    })
    total.passed++
  } catch (error) {
    report(error)
  }
}

/**
 * @param {readonly string[]} files
 * @param {(file: string) => NodeJS.ProcessEnv} envOf
 */
async function runTests (files, envOf) {
  // Not at the top: before the first install there is no parser.
  const { runTestFiles } = await import('./lib/test-runner.mjs')
  const log = join(LOGS, 'tap.log')
  try {
    await progress.step(`Tests (${files.length} files)`, async (tellSoFar) => {
      let ended = 0
      const onFile = () => {
        tellSoFar(`${++ended} done`)
        pruneCoverage(ROOT, COVERAGE)
      }
      const { results, failedFirst, log: output, slowest } = await runTestFiles({ root: ROOT, files, envOf, onFile })
      total.passed += results.passed
      total.failed += results.failed
      mkdirSync(LOGS, { recursive: true })
      writeFileSync(log, output)
      writeFileSync(join(LOGS, 'times.txt'), slowest.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}\n`).join(''))
      if (failedFirst.length > 0) {
        console.log(`Failed at first, and run again alone:\n${failedFirst.map(describeFailure).join('\n\n')}`)
      }
      if (results.failed > 0) {
        throw new Failure(`${results.failed} assertions failed; the whole output is in ${log}`, results.failures.map(describeFailure).join('\n\n'))
      }
    })
  } catch (error) {
    tell(error)
  }
}

/** One PostgreSQL for all test files, with a database that has the tables: each file copies it. */
async function startDatabase () {
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

/** Holds the floor in every workspace. */
async function checkCoverage () {
  try {
    const measured = await progress.step('Coverage', async () => await coverageByWorkspace(ROOT, COVERAGE))
    console.log(`Lines covered: ${measured.map(({ workspace, percent }) => `${workspace} ${percent} %`).join(', ')}`)
    const low = measured.filter(({ percent }) => percent < FLOOR)
    if (measured.length === 0) throw new Failure('No coverage was measured.')
    if (low.length > 0) throw new Failure(`Below ${FLOOR} % of lines: ${low.map(({ workspace }) => workspace).join(', ')}.`)
    total.passed++
  } catch (error) {
    report(error)
  }
}

/** @param {unknown} error */
function tell (error) {
  if (!(error instanceof Failure)) throw error
  if (error.output !== '') console.log(error.output.trimEnd())
  console.log(error.message)
}

/** @param {unknown} error */
function report (error) {
  total.failed++
  tell(error)
}

function readArguments () {
  try {
    const { values, positionals } = parseArgs({ options: { 'no-coverage': { type: 'boolean' } }, allowPositionals: true })
    return { patterns: positionals, coverage: values['no-coverage'] !== true && positionals.length === 0 }
  } catch (error) {
    throw new Failure(`${/** @type {Error} */ (error).message.split('. ')[0]}. ${USAGE}`)
  }
}

try {
  const { patterns, coverage } = readArguments()
  await bootstrap({ progress })
  const { ensurePrograms, StackError } = await import(built('infra/local'))
  // The tests use the real servers.
  await ensurePrograms(['redis', 'clamd', 'postgres'], { say: console.log }, new AbortController().signal).catch((/** @type {Error} */ error) => {
    throw error instanceof StackError ? new Failure(error.message) : error
  })
  const files = findTestFiles(ROOT, patterns)
  if (files.length === 0) throw new Failure(`No test file matches ${patterns.join(' ')}.`)
  if (patterns.length === 0) {
    await check('Lint', 'eslint', ['.', '--max-warnings', '0'])
    await check('Layers and circular imports', 'depcruise', ['--config', '.dependency-cruiser.mjs', ...SOURCES])
  }
  rmSync(COVERAGE, { recursive: true, force: true })
  const database = await startDatabase()
  try {
    await runTests(files, (file) => ({
      FILEWRIGHT_BUNDLES: 'true', ...database.env, ...(coverage && isMeasured(file) ? { NODE_V8_COVERAGE: COVERAGE } : {})
    }))
  } finally {
    await database.stop()
  }
  if (coverage) await checkCoverage()
} catch (error) {
  report(error)
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
