import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { ROOT, bootstrap, loadEnvFile } from './lib/bootstrap.mjs'
import { Failure, runMain } from './lib/failure.mjs'

/**
 * Settings of the local stack that runs on DATA_DIR; what is set in the environment wins.
 * @returns {Record<string, string>}
 */
function stackSettings () {
  const dataDir = resolve(ROOT, process.env.DATA_DIR || '.data')
  let stack
  try {
    stack = JSON.parse(readFileSync(join(dataDir, 'run', 'stack.json'), 'utf8'))
  } catch {
    // The doctor is for a stack that does not run, too.
    if (process.env.DATABASE_URL || process.argv[2] === 'doctor' || process.argv.includes('--help')) return {}
    throw new Failure(`No local stack runs on ${dataDir}: start it with npm start, or set DATABASE_URL.`)
  }
  const { databaseUrl, redisUrl, clamd, ollamaUrl, adminUrl } = stack
  const admin = new URL(adminUrl)
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    OLLAMA_HOST: ollamaUrl,
    ADMIN_HOST: admin.hostname.replace(/^\[|\]$/g, ''),
    ADMIN_PORT: admin.port,
    BLOB_DIR: join(dataDir, 'blobs'),
    ...(clamd.socket === undefined ? { CLAMD_HOST: clamd.host, CLAMD_PORT: String(clamd.port) } : { CLAMD_SOCKET: clamd.socket })
  }
}

/** Empty counts as absent, as everywhere. */
const given = () => Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))

await runMain(async () => {
  await bootstrap()
  loadEnvFile()
  const child = spawn(
    process.execPath, [join(ROOT, 'apps', 'gateway', 'dist', 'bundle', 'admin.js'), ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...stackSettings(), ...given() } })
  // The terminal sends Ctrl-C to both of us; waiting for the child keeps its exit code.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('exit', (code, signal) => { process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'] })
})
