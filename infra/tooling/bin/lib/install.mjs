import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from './failure.mjs'
import { runNpm } from './run.mjs'

const stampPath = (/** @type {string} */ root) =>
  join(root, 'node_modules', '.cache', 'filewright', 'install.json')

/**
 * @param {string} path
 * @returns {any} null when there is no such file or it is no JSON
 */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/**
 * @param {string} path
 * @param {unknown} value
 */
export function writeJson(path, value) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(value))
}

/** @param {string} root */
function wantedStamp(root) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  // Some packages are prebuilt per platform: a folder shared with another system must be reinstalled.
  return { lock, platform: `${process.platform}-${process.arch}` }
}

/**
 * True when npm's own record of node_modules has what the lock file asks for, as after an `npm install` by
 * hand.
 * @param {string} root
 */
function agreesWithLock(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages
  if (wanted == null || present == null) return false
  const same = (/** @type {any} */ a, /** @type {any} */ b) =>
    a?.version === b?.version && a?.integrity === b?.integrity && a?.link === b?.link
  // npm leaves out packages that are optional on this platform.
  return (
    Object.entries(wanted).every(
      ([path, entry]) =>
        !path.includes('node_modules/') ||
        entry.optional === true ||
        entry.devOptional === true ||
        entry.peer === true ||
        same(entry, present[path])
    ) && Object.entries(present).every(([path, entry]) => same(entry, wanted[path]))
  )
}

/** @param {string} root */
export function isInstalled(root) {
  const stamp = readJson(stampPath(root))
  const wanted = wantedStamp(root)
  if (stamp !== null) return stamp.lock === wanted.lock && stamp.platform === wanted.platform
  if (!agreesWithLock(root)) return false
  writeJson(stampPath(root), wanted)
  return true
}

/** @param {string} root */
export async function install(root) {
  const { code, output } = await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root })
  if (code !== 0) {
    throw new Failure("The dependencies could not be installed (npm ci); see npm's output above.", output)
  }
  writeJson(stampPath(root), wantedStamp(root))
}
