import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { refuseContradictions, runningStackSettings } from '../../local/lib/stack-settings.mjs'
import { ROOT, bootstrap, loadEnvFile } from './lib/bootstrap.mjs'
import { Failure, runMain } from './lib/failure.mjs'

/**
 * Settings of the local stack that runs on DATA_DIR; what is set in the environment wins, but may not name
 * other data.
 * @returns {Record<string, string>}
 */
function stackSettings() {
  const dataDir = resolve(ROOT, process.env.DATA_DIR || '.data')
  const settings = runningStackSettings(dataDir)
  // The doctor also works without a running stack, and finds contradictions by itself.
  const onlyLooks = process.argv[2] === 'doctor' || process.argv.includes('--help')
  if (settings === null) {
    if (process.env.DATABASE_URL || onlyLooks) return {}
    throw new Failure(`No local stack runs on ${dataDir}: start it with npm start, or set DATABASE_URL.`)
  }
  if (!onlyLooks) refuseContradictions(settings, process.env, dataDir)
  return settings
}

/** An empty variable counts as not set. */
const given = () => Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))

await runMain(async () => {
  await bootstrap()
  loadEnvFile()
  // Only this file: the whole package would load the logger as well.
  const { appArguments } = await import(
    pathToFileURL(join(ROOT, 'packages/runtime/dist/src/app-arguments.js')).href
  )
  const child = spawn(process.execPath, [...appArguments(ROOT, 'admin'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...stackSettings(), ...given() }
  })
  // The terminal sends Ctrl-C to both processes; waiting for the child keeps its exit code.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM']
  })
})
