import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, bootstrap, loadEnvFile } from './lib/bootstrap.mjs'
import { Failure, runMain } from './lib/failure.mjs'

const OPTIONS = ['--live', '--json', '--help']

await runMain(async () => {
  await bootstrap()
  const { USAGE, evalTable, runEval } = await import(
    pathToFileURL(join(ROOT, 'apps/inference-worker/dist/src/eval/index.js')).href
  )
  const args = process.argv.slice(2)
  const unknown = args.find((each) => !OPTIONS.includes(each))
  if (unknown !== undefined) throw new Failure(`Unknown option ${unknown}.\n\n${USAGE}`)
  if (args.includes('--help')) return console.log(USAGE)
  loadEnvFile()
  const folder = join(ROOT, 'apps', 'inference-worker', 'recorded')
  const rows = await runEval({ live: args.includes('--live'), folder, env: process.env })
  console.log(args.includes('--json') ? JSON.stringify(rows) : evalTable(rows))
  if (
    rows.some(
      (/** @type {{ model: string, failures: string[] }} */ { model, failures }) =>
        model === 'recorded' && failures.length > 0
    )
  ) {
    process.exitCode = 1
  }
})
