import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { ROOT, bootstrap, loadEnvFile } from './lib/bootstrap.mjs'
import { Failure, runMain } from './lib/failure.mjs'

/** @returns {string} the database of DATABASE_URL, else of the local stack that runs on DATA_DIR */
function databaseUrl () {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL
  const dataDir = resolve(ROOT, process.env.DATA_DIR || '.data')
  try {
    return JSON.parse(readFileSync(join(dataDir, 'run', 'stack.json'), 'utf8')).databaseUrl
  } catch {
    throw new Failure(`No local stack runs on ${dataDir}: start it with npm start, or set DATABASE_URL.`)
  }
}

await runMain(async () => {
  await bootstrap()
  loadEnvFile()
  const child = spawn(
    process.execPath, [join(ROOT, 'apps', 'gateway', 'dist', 'src', 'admin', 'main.js'), ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, DATABASE_URL: databaseUrl() } })
  // The terminal sends Ctrl-C to both of us; waiting for the child keeps its exit code.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('exit', (code, signal) => { process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'] })
})
