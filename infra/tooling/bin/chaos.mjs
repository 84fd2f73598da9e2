import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, bootstrap } from './lib/bootstrap.mjs'
import { Failure, runMain } from './lib/failure.mjs'

await runMain(async () => {
  await bootstrap()
  const { ensurePrograms, StackError } = await import(
    pathToFileURL(join(ROOT, 'infra', 'local', 'dist', 'src', 'index.js')).href
  )
  await ensurePrograms(
    ['redis', 'clamd', 'postgres'],
    { say: console.log },
    new AbortController().signal
  ).catch((/** @type {Error} */ error) => {
    throw error instanceof StackError ? new Failure(error.message) : error
  })
  const child = spawn(
    process.execPath,
    [join(ROOT, 'packages', 'chaos', 'dist', 'src', 'main.js'), ...process.argv.slice(2)],
    { stdio: 'inherit' }
  )
  // The terminal sends Ctrl-C to both processes; waiting for the child keeps its exit code.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM']
  })
})
