import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, bootstrap } from './lib/bootstrap.mjs'
import { Failure, runMain } from './lib/failure.mjs'

const built = (/** @type {string} */ workspace) =>
  pathToFileURL(join(ROOT, workspace, 'dist', 'src', 'index.js')).href

await runMain(async () => {
  await bootstrap()
  const { USAGE, parseOptions, runRealFiles } = await import(built('packages/realfiles'))
  const options = readOptions(parseOptions, USAGE)
  if (options.help) return console.log(USAGE)
  const { ensurePrograms, findApt, findProgram, StackError } = await import(built('infra/local'))
  const controller = new AbortController()
  const { signal } = controller
  // The first Ctrl-C ends the uploads and prints the report so far, the second ends everything.
  process.once('SIGINT', () => controller.abort())
  // Standard output has only the results when they are requested as JSON.
  const say = options.json ? console.error : console.log
  await ensurePrograms(['redis', 'clamd'], { say }, signal).catch((/** @type {Error} */ error) => {
    throw error instanceof StackError ? new Failure(error.message) : error
  })
  const apt = await findApt()
  const install = apt === null ? null : (/** @type {string[]} */ packages) => apt.install(packages, signal)
  const tools = { find: (/** @type {string} */ name) => findProgram([name]), install, say }
  const modulesFolder = join(ROOT, 'node_modules')
  const cacheFolder = join(modulesFolder, '.cache', 'filewright', 'realfiles')
  const result = await runRealFiles(options, { tools, cacheFolder, modulesFolder, say, signal })
  if (options.json) console.log(JSON.stringify(result))
  if (result.problems.length > 0) process.exitCode = 1
})

/**
 * @param {(args: string[]) => any} parse
 * @param {string} usage
 */
function readOptions(parse, usage) {
  try {
    return parse(process.argv.slice(2))
  } catch (error) {
    throw new Failure(`${/** @type {Error} */ (error).message}\n\n${usage}`)
  }
}
