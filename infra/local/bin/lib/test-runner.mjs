import { availableParallelism } from 'node:os'
import { Parser } from 'tap-parser'
import { run } from './run.mjs'
import { createTapResults } from './tap-results.mjs'

/** A file that takes longer hangs. */
const FILE_TIMEOUT_MS = 900_000

/** Whole stacks are started here, and much of the time is spent waiting: begun first, these files end with the others and not long after. */
const SLOWEST = /^(packages\/(acceptance|chaos)|infra\/local)\//

/** What compares times has the machine to itself, after all others. */
const ALONE = /\.alone\.test\.js$/

/**
 * Runs compiled test files, each in a process of its own, a few at a time. tap's own runner does the same, but loads its hooks into every process
 * that a test starts: a small file then takes four times the work (docs/adr/0020).
 * @param {object} options
 * @param {string} options.root
 * @param {readonly string[]} options.files relative to the root
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {() => void} [options.onFile] called when a file has ended
 */
export async function runTestFiles ({ root, files, env = {}, onFile = () => {} }) {
  const { results, watch } = createTapResults()
  /** @type {{ file: string, ms: number }[]} */
  const times = []
  /** @type {string[]} */
  const log = []

  const runFile = async (/** @type {string} */ file) => {
    const parser = new Parser()
    const inside = watch(parser, [file])
    const startedAt = Date.now()
    const { code, output } = await run(process.execPath, [file], {
      cwd: root, env: { TAP_TIMEOUT: String(FILE_TIMEOUT_MS / 1000), ...env }, onStdout: (text) => { parser.write(text) }, timeoutMs: FILE_TIMEOUT_MS
    })
    parser.end()
    times.push({ file, ms: Date.now() - startedAt })
    log.push(`# ${file}: exit code ${code}\n${output}`)
    if (code !== 0 && inside.failed === 0) {
      results.failed++
      results.failures.push({ path: [file, 'ended without a failed assertion'], diag: { exitCode: code, message: output.split('\n').slice(-40).join('\n') } })
    }
    onFile()
  }

  const together = files.filter((file) => !ALONE.test(file))
  const waiting = [...together.filter((file) => SLOWEST.test(file)), ...together.filter((file) => !SLOWEST.test(file))]
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await runFile(file)
  }
  // One more than there are cores: much of the time a file waits for the processes it has started.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work))
  for (const file of files.filter((each) => ALONE.test(each))) await runFile(file)
  return { results, log: log.join('\n'), slowest: times.sort((a, b) => b.ms - a.ms) }
}
