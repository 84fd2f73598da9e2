import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure } from '../../tooling/bin/lib/failure.mjs'

/** @typedef {Record<string, string | undefined>} Environment */

/**
 * Settings of the local stack that runs on a data folder; null when none runs.
 * @param {string} dataDir
 * @returns {Record<string, string> | null}
 */
export function runningStackSettings(dataDir) {
  let stack
  try {
    stack = JSON.parse(readFileSync(join(dataDir, 'run', 'stack.json'), 'utf8'))
  } catch {
    return null
  }
  // Left by a killed stack: it may be out of date.
  if (!isRunning(stack.pid)) return null
  const { databaseUrl, redisUrl, clamd, ollamaUrl, adminUrl, store = {}, quotas = {}, webhooks = {} } = stack
  const admin = new URL(adminUrl)
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    OLLAMA_HOST: ollamaUrl,
    // The same as the stack's own worker.
    SIGNATURES_MAX_AGE_HOURS: '0',
    ALLOW_BASELINE_SIGNATURES: 'true',
    ADMIN_HOST: admin.hostname.replace(/^\[|\]$/g, ''),
    ADMIN_PORT: admin.port,
    ...store,
    ...quotas,
    ...webhooks,
    ...clamdSettings(clamd)
  }
}

/**
 * @param {{ socket?: string, host: string, port: number }} clamd
 * @returns {Record<string, string>}
 */
function clamdSettings({ socket, host, port }) {
  return socket === undefined ? { CLAMD_HOST: host, CLAMD_PORT: String(port) } : { CLAMD_SOCKET: socket }
}

/** @param {unknown} pid */
function isRunning(pid) {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** Settings that decide whose records and bytes a command works on. */
const NAMES_DATA =
  /^(DATABASE_URL|(SECOND_)?(BLOB_DIR|GCS_.+|S3_(BUCKET|ENDPOINT|REGION)|AZURE_(CONTAINER|ACCOUNT|ENDPOINT)))$/

/**
 * If the environment names another database or store than the running stack's, a command would compare the
 * records of one with the bytes of the other.
 * @param {Record<string, string>} stack
 * @param {Environment} env
 * @param {string} dataDir
 */
export function refuseContradictions(stack, env, dataDir) {
  const differs = Object.entries(env).flatMap(([key, value]) => {
    if (!NAMES_DATA.test(key) || value === undefined || value === '') return []
    if (sameSetting(key, value, stack[key])) return []
    // A database URL may contain its password.
    if (key === 'DATABASE_URL') return ["DATABASE_URL is another one here than the stack's"]
    const theirs = stack[key] === undefined ? 'the stack has none' : `the stack has ${stack[key]}`
    return [`${key} is ${value} here, ${theirs}`]
  })
  if (differs.length === 0) return
  throw new Failure(
    `The settings here (environment or .env) contradict the stack that runs on ${dataDir}: ${differs.join('; ')}. ` +
      'Nothing was changed. Unset it to work on that stack, or set DATA_DIR to a folder where no stack runs ' +
      'to work on what these settings name.'
  )
}

/**
 * @param {string} key
 * @param {string} ours
 * @param {string | undefined} theirs
 */
function sameSetting(key, ours, theirs) {
  if (theirs === undefined) return false
  return key.endsWith('BLOB_DIR') ? resolve(ours) === resolve(theirs) : ours === theirs
}
