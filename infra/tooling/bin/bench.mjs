import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ROOT, bootstrap } from './lib/bootstrap.mjs'
import { Failure, runMain } from './lib/failure.mjs'

const USAGE = "Usage: npm run bench -- [--quick] [--json] [--row <part of a row's name>]…"
const built = (/** @type {string} */ workspace) =>
  pathToFileURL(join(ROOT, workspace, 'dist', 'src', 'index.js')).href

function readArguments() {
  try {
    return parseArgs({
      options: {
        quick: { type: 'boolean' },
        json: { type: 'boolean' },
        row: { type: 'string', multiple: true }
      }
    }).values
  } catch (error) {
    throw new Failure(`${/** @type {Error} */ (error).message.split('. ')[0]}. ${USAGE}`)
  }
}

await runMain(async () => {
  const { quick = false, json = false, row: wanted = [''] } = readArguments()
  await bootstrap()
  const { ensurePrograms, StackError } = await import(built('infra/local'))
  await ensurePrograms(
    ['redis', 'clamd', 'postgres'],
    { say: console.log },
    new AbortController().signal
  ).catch((/** @type {Error} */ error) => {
    throw error instanceof StackError ? new Failure(error.message) : error
  })
  const { costsOf, rows, runBench, tableOf } = await import(built('packages/bench'))
  const chosen = rows.filter((/** @type {{ name: string }} */ { name }) =>
    wanted.some((part) => name.includes(part))
  )
  if (chosen.length === 0) throw new Failure(`No row is called ${wanted.join(' or ')}.`)
  const onRow = (/** @type {object} */ result) => {
    console.log(costsOf(result))
  }
  const results = await runBench(chosen, { quick, say: console.error, onRow })
  console.log(`\n${tableOf(results)}`)
  if (json) console.log(JSON.stringify({ rows: results }))
})
