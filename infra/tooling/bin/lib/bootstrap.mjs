import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withBootstrapLock } from './bootstrap-lock.mjs'
import { build, isBuilt } from './build.mjs'
import { Failure } from './failure.mjs'
import { install, isInstalled } from './install.mjs'
import { nodeProblem } from './node-version.mjs'
import { createProgress } from './progress.mjs'

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')

/**
 * Ends with dependencies installed and everything built. It costs a few hundredths of a second when nothing
 * changed.
 * @param {{ root?: string, progress?: import('./progress.mjs').Progress }} [options]
 */
export async function bootstrap({ root = ROOT, progress = createProgress() } = {}) {
  const problem = nodeProblem(process.versions.node)
  if (problem !== null) throw new Failure(problem)
  if (isInstalled(root) && isBuilt(root)) return
  await withBootstrapLock(root, async () => {
    if (!isInstalled(root)) await progress.step('Installing dependencies', () => install(root))
    if (!isBuilt(root)) await progress.step('Building', () => build(root))
  })
}

/** Loads the `.env` file in the root; existing variables take precedence. */
export function loadEnvFile(root = ROOT) {
  const path = join(root, '.env')
  if (!existsSync(path)) return
  try {
    process.loadEnvFile(path)
  } catch (error) {
    throw new Failure(`Cannot read ${path}: ${/** @type {Error} */ (error).message}.`)
  }
}
