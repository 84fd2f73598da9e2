import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ROOT, bootstrap } from './lib/bootstrap.mjs'
import { Failure, runMain } from './lib/failure.mjs'

const USAGE =
  'Usage: npm run scale -- --costs <output of npm run bench -- --json> [--uploads <per second>] [--kb <size>] [--clamd-ms <of a processor>]'

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        costs: { type: 'string' },
        uploads: { type: 'string', default: '10000' },
        kb: { type: 'string', default: '100' },
        'clamd-ms': { type: 'string' }
      }
    })
    const [uploads, kilobytes, clamdMs] = [values.uploads, values.kb, values['clamd-ms'] ?? '1'].map(Number)
    if (values.costs === undefined || !(uploads > 0) || !(kilobytes > 0) || !(clamdMs > 0)) {
      throw new Error('The numbers must be above 0, and --costs names a file')
    }
    return {
      file: values.costs,
      uploads,
      kilobytes,
      clamdMs: values['clamd-ms'] === undefined ? null : clamdMs
    }
  } catch (error) {
    throw new Failure(`${/** @type {Error} */ (error).message.split('. ')[0]}. ${USAGE}`)
  }
}

/** @param {string} file */
function readRows(file) {
  try {
    const json = readFileSync(file, 'utf8')
      .split('\n')
      .findLast((line) => line.startsWith('{"rows":'))
    return JSON.parse(json ?? '').rows
  } catch (error) {
    throw new Failure(
      `${file} is not the output of npm run bench -- --json: ${/** @type {Error} */ (error).message}`
    )
  }
}

await runMain(async () => {
  const { file, uploads, kilobytes, clamdMs } = readArguments()
  const rows = readRows(file)
  await bootstrap()
  const { costsOfUpload, scaleReport } = await import(
    pathToFileURL(join(ROOT, 'packages', 'bench', 'dist', 'src', 'index.js')).href
  )
  const { numbersFrom } = await import(
    pathToFileURL(join(ROOT, 'packages', 'testing', 'dist', 'src', 'index.js')).href
  )
  const costs = costsOfUpload(rows, kilobytes)
  if (clamdMs !== null) costs.clamd = clamdMs
  console.log(scaleReport(costs, uploads, numbersFrom(1)))
})
