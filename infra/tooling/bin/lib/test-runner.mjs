import { availableParallelism } from 'node:os'
import { Parser } from 'tap-parser'
import { longestFirst } from './longest-files.mjs'
import { run } from './run.mjs'
import { watchStandstills } from './standstills.mjs'
import { createTapResults } from './tap-results.mjs'

/** A file that takes longer hangs. */
const FILE_TIMEOUT_MS = 900_000

const preload = (/** @type {string} */ name) => ['--import', new URL(`./${name}.mjs`, import.meta.url).href]

const NODE_ARGUMENTS = [
  // As for the apps that load Prisma: V8 would optimize its WebAssembly during every test.
  '--liftoff-only',
  // Node would compile each CommonJS file twice that an ES module imports, TypeScript's 9 MB among them, to
  // find out what it is.
  '--no-experimental-detect-module',
  ...preload('no-async-hooks'),
  ...preload('report-cpu-time')
]

/** The last line that report-cpu-time.mjs printed. */
const CPU_TIME = /^# CPU time: ([\d.]+) s$/gm

/** Files that compare times run alone, after all others. */
const ALONE = /\.alone\.test\.js$/

/** More failures than this are not caused by a busy machine, and nothing is retried. */
const MAX_SECOND_RUNS = 3

/**
 * @typedef {{ file: string, startedAt: number, ms: number, cpuSeconds: number, log: string, results: ReturnType<typeof createTapResults>['results']
 * }} FileRun
 */

/**
 * Runs compiled test files, each in a process of its own, a few at a time. tap's own runner does the same,
 * but loads its hooks into every process that a test starts: a small file then takes four times the work
 * (docs/adr/0020).
 *
 * Faults, deadlines and whole stacks are tested here, beside each other on whatever machine this is: a file
 * that fails has one more run, alone at the end. What it said the first time is kept in `failedFirst`, to be
 * shown, and a file that then passes is in `flaky`; or in `disturbed`, if the machine stood still while the first
 * run lasted. `envOf` can keep what the first run left from the second.
 * @param {object} options
 * @param {string} options.root
 * @param {readonly string[]} options.files relative to the root
 * @param {number} [options.extra] how many more files than there are cores run at a time
 * @param {(file: string, isSecondRun: boolean) => NodeJS.ProcessEnv} [options.envOf] added to our own
 * @param {(ended: FileRun) => void} [options.onFile] called when a file has ended
 * @param {ReturnType<typeof watchStandstills>} [options.standstills]
 */
export async function runTestFiles({
  root,
  files,
  extra = 1,
  envOf = () => ({}),
  onFile = () => {},
  standstills = watchStandstills()
}) {
  const runFile = async (/** @type {string} */ file, isSecondRun = false) => {
    const fileRun = await runTestFile({ root, file, env: envOf(file, isSecondRun) })
    onFile(fileRun)
    return fileRun
  }

  const waiting = longestFirst(files.filter((file) => !ALONE.test(file)))
  /** @type {FileRun[]} */
  const runs = []
  const work = async (/** @type {() => string | undefined} */ next) => {
    for (let file = next(); file !== undefined; file = next()) runs.push(await runFile(file))
  }
  // More than there are cores, because files wait for the processes they start. With too many, tested
  // deadlines pass while processes wait for a core. Some start at the other end of the list, with short files
  // that compute, while those at its beginning start whole stacks and wait for them.
  await Promise.all([
    ...Array.from({ length: extra }, () => work(() => waiting.pop())),
    ...Array.from({ length: availableParallelism() }, () => work(() => waiting.shift()))
  ])

  for (const file of files.filter((each) => ALONE.test(each))) runs.push(await runFile(file))

  standstills.stop()
  const wasDisturbed = (/** @type {FileRun} */ { startedAt, ms }) =>
    standstills.isWithin({ from: startedAt, to: startedAt + ms })
  const failed = runs.filter(({ results }) => results.failed > 0)
  const isBroken = failed.filter((fileRun) => !wasDisturbed(fileRun)).length > MAX_SECOND_RUNS
  const firstRuns = isBroken ? [] : failed
  const counted = runs.filter((fileRun) => !firstRuns.includes(fileRun))
  const flaky = []
  const disturbed = []
  for (const firstRun of firstRuns) {
    const secondRun = await runFile(firstRun.file, true)
    counted.push(secondRun)
    if (secondRun.results.failed === 0) (wasDisturbed(firstRun) ? disturbed : flaky).push(firstRun.file)
  }
  return {
    results: {
      passed: counted.reduce((sum, { results }) => sum + results.passed, 0),
      failed: counted.reduce((sum, { results }) => sum + results.failed, 0),
      skipped: counted.flatMap(({ results }) => results.skipped),
      failures: counted.flatMap(({ results }) => results.failures)
    },
    flaky,
    disturbed,
    standstills: standstills.found(),
    failedFirst: firstRuns.flatMap(({ results }) => results.failures),
    log: [...counted, ...firstRuns].map(({ log }) => log).join('\n'),
    slowest: counted.sort((a, b) => b.ms - a.ms)
  }
}

/**
 * @param {{ root: string, file: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<FileRun>}
 */
async function runTestFile({ root, file, env }) {
  const { results, watch } = createTapResults()
  const parser = new Parser()
  watch(parser, [file])
  const startedAt = Date.now()
  const { code, output } = await run(process.execPath, [...NODE_ARGUMENTS, file], {
    cwd: root,
    env: {
      TAP_TIMEOUT: String(FILE_TIMEOUT_MS / 1000),
      FILEWRIGHT_REPORT_CPU_TIME: 'true',
      ...env
    },
    onStdout: (text) => {
      parser.write(text)
    },
    timeoutMs: FILE_TIMEOUT_MS
  })
  parser.end()
  if (code !== 0 && results.failed === 0) {
    results.failed++
    results.failures.push({
      path: [file, 'ended without a failed assertion'],
      diag: { exitCode: code, message: output.split('\n').slice(-40).join('\n') }
    })
  }
  return {
    file,
    startedAt,
    ms: Date.now() - startedAt,
    cpuSeconds: Number([...output.matchAll(CPU_TIME)].at(-1)?.[1] ?? 0),
    log: `# ${file}: exit code ${code}\n${output}`,
    results
  }
}
