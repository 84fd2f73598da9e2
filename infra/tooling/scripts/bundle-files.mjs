import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Files of earlier builds are kept this long: a running app or an open page may still load them. */
const KEEP_MS = 24 * 3_600_000

/**
 * Replaces the file atomically: an app may be starting from the old one.
 * @param {string} path
 * @param {string | Uint8Array} content
 */
export async function replaceFile(path, content) {
  await writeFile(`${path}.${process.pid}`, content)
  await rename(`${path}.${process.pid}`, path)
}

/**
 * @param {string} folder
 * @param {ReadonlySet<string>} made
 */
export async function removeOld(folder, made) {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (made.has(name)) continue
    // Null: a concurrent build has renamed it.
    const facts = await stat(path).catch(() => null)
    if (facts !== null && facts.mtimeMs < Date.now() - KEEP_MS) await rm(path, { force: true })
  }
}
