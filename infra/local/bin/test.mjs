import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ROOT, bootstrap } from './lib/bootstrap.mjs'
import { FLOOR, coverageByWorkspace } from './lib/coverage.mjs'
import { Failure } from './lib/failure.mjs'
import { createProgress } from './lib/progress.mjs'
import { run } from './lib/run.mjs'
import { createTapResults, describeFailure } from './lib/tap-results.mjs'
import { findTestFiles } from './lib/test-files.mjs'

const LOGS = join(ROOT, 'node_modules', '.cache', 'filewright', 'test-logs')
/** Without the compiled files, which would count as imports of their own. */
const SOURCES = ['apps/*/{src,test}', 'packages/*/{src,test}', 'infra/local/{src,test}']
const USAGE = 'Usage: npm test -- [--no-coverage] [part of a test file\'s path]…'
const bin = (/** @type {string} */ name) => join(ROOT, 'node_modules', '.bin', name)

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

/** Without this a fresh tap runs with the plugins it was shipped with, its slow TypeScript loader among them. A new install drops the stamp. */
async function prepareTap () {
  const stamp = join(ROOT, 'node_modules', '.cache', 'filewright', 'tap-built')
  if (existsSync(stamp)) return
  await progress.step('Test runner', async () => {
    const { code, output } = await run(bin('tap'), ['build'], { cwd: ROOT })
    if (code !== 0) throw new Failure('tap could not be built with the plugins of .taprc.', output)
  })
  writeFileSync(stamp, '')
}

/**
 * @param {readonly string[]} files
 * @param {readonly string[]} flags
 */
async function runTap (files, flags) {
  const { Parser } = await import('tap-parser')
  const { results, watch } = createTapResults()
  const parser = new Parser()
  watch(parser)
  const log = join(LOGS, 'tap.log')
  try {
    await progress.step(`Tests (${files.length} files)`, async () => {
      const { code, output } = await run(bin('tap'), ['--reporter=tap', ...flags, ...files], {
        cwd: ROOT, onOutput: (text) => { parser.write(text) }
      })
      parser.end()
      mkdirSync(LOGS, { recursive: true })
      writeFileSync(log, output)
      if (results.failures.length > 0) {
        throw new Failure(`${results.failures.length} assertions failed; the whole output is in ${log}`, results.failures.map(describeFailure).join('\n\n'))
      }
      if (code !== 0) {
        results.failed++
        throw new Failure(`tap ended with exit code ${code}; the whole output is in ${log}`, output.split('\n').slice(-40).join('\n'))
      }
    })
  } catch (error) {
    tell(error)
  }
  total.passed += results.passed
  total.failed += results.failed
}

/** Holds the floor over all workspaces. */
function checkCoverage () {
  const measured = coverageByWorkspace(ROOT)
  const sum = (/** @type {'total' | 'covered'} */ key) => measured.reduce((all, each) => all + each[key], 0)
  const percent = Math.floor(1000 * sum('covered') / Math.max(1, sum('total'))) / 10
  console.log(`Lines covered: ${percent} % (${measured.map((each) => `${each.workspace} ${each.percent}`).join(', ')})`)
  if (percent >= FLOOR) total.passed++
  else report(new Failure(`Coverage is ${percent} % of lines, below ${FLOOR}.`))
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
  const { ensurePrograms, StackError } = await import(pathToFileURL(join(ROOT, 'infra', 'local', 'dist', 'src', 'index.js')).href)
  // The tests use the real servers.
  await ensurePrograms(['redis', 'clamd'], { say: console.log }, new AbortController().signal).catch((/** @type {Error} */ error) => {
    throw error instanceof StackError ? new Failure(error.message) : error
  })
  const files = findTestFiles(ROOT, patterns)
  if (files.length === 0) throw new Failure(`No test file matches ${patterns.join(' ')}.`)
  if (patterns.length === 0) {
    await check('Lint', 'eslint', ['.', '--max-warnings', '0'])
    await check('Layers and circular imports', 'depcruise', ['--config', '.dependency-cruiser.mjs', ...SOURCES])
  }
  await prepareTap()
  await runTap(files, coverage ? ['--coverage-report=json-summary'] : ['--disable-coverage'])
  if (coverage) checkCoverage()
} catch (error) {
  report(error)
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
