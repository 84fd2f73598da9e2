import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Failure } from './failure.mjs'
import { readJson, writeJson } from './install.mjs'
import { run } from './run.mjs'

const stampPath = (/** @type {string} */ root) =>
  join(root, 'node_modules', '.cache', 'filewright', 'build.json')
const NOT_SOURCES = new Set(['dist', 'node_modules', 'generated', '.turbo', '.tap', 'bin'])
const ROOT_FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json', 'turbo.json']

/**
 * Folders of the workspaces that TypeScript builds.
 * @param {string} root
 * @returns {string[]}
 */
export function workspaces(root) {
  const inside = (/** @type {string} */ parent) =>
    existsSync(join(root, parent))
      ? readdirSync(join(root, parent)).map((name) => join(root, parent, name))
      : []
  const hasFiles = (/** @type {string} */ folder) => existsSync(folder) && readdirSync(folder).length > 0
  return [...inside('apps'), ...inside('packages'), ...inside('infra')].filter(
    (folder) =>
      existsSync(join(folder, 'tsconfig.json')) &&
      (hasFiles(join(folder, 'src')) || hasFiles(join(folder, 'test')))
  )
}

/**
 * @param {string} folder
 * @param {(path: string) => void} visit
 */
function walk(folder, visit) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NOT_SOURCES.has(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) walk(path, visit)
    else visit(path)
  }
}

/**
 * Size and time of every source. It is only asked whether anything may have changed; turbo then looks at the
 * contents.
 * @param {string} root
 */
export function sourceFingerprint(root) {
  const hash = createHash('sha256')
  const add = (/** @type {string} */ path) => {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${relative(root, path)}\0${size}\0${mtimeMs}\n`)
  }
  for (const name of ROOT_FILES) if (existsSync(join(root, name))) add(join(root, name))
  for (const folder of workspaces(root)) walk(folder, add)
  return hash.digest('hex')
}

/** @param {string} root */
export function isBuilt(root) {
  const built = workspaces(root).every((folder) => existsSync(join(folder, 'dist', '.tsbuildinfo')))
  return built && readJson(stampPath(root))?.sources === sourceFingerprint(root)
}

/** @param {string} root */
export async function build(root) {
  // Computed before the build: a source saved during the build makes the next start build again.
  const sources = sourceFingerprint(root)
  if (readJson(stampPath(root))?.underWay === true) forgetBuildState(root)
  writeJson(stampPath(root), { underWay: true })
  const { code, output } = await run(
    join(root, 'node_modules', '.bin', 'turbo'),
    ['run', 'compile', '--output-logs=errors-only', '--ui=stream', '--no-update-notifier'],
    { cwd: root, env: { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' } }
  )
  if (code !== 0) throw new Failure("The build failed; see the compiler's output above.", output)
  writeJson(stampPath(root), { sources })
}

/**
 * After a build that was cut short the compiler may hold its state to be complete while outputs are missing:
 * without it, it looks again.
 * @param {string} root
 */
function forgetBuildState(root) {
  for (const folder of workspaces(root)) rmSync(join(folder, 'dist', '.tsbuildinfo'), { force: true })
}
