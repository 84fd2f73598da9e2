import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { StackError, codeOf } from './errors.js'
import { identityOf, isRunning, type ProcessRecord } from './process-identity.js'

export interface Lock {
  release: () => void
}

const ATTEMPTS = 20

/** One stack per data folder. A lock whose process is dead is taken over. */
export function acquireLock(path: string, dataDir: string): Lock {
  const own = JSON.stringify({
    pid: process.pid,
    identity: identityOf(process.pid) ?? ''
  } satisfies ProcessRecord)
  const draft = `${path}.${process.pid}`
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      // A hard link appears with its content, so that no process reads a half-written lock.
      writeFileSync(draft, own, { mode: 0o600 })
      linkSync(draft, path)
      return {
        release: () => {
          if (read(path) === own) rmSync(path, { force: true })
        }
      }
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
    const found = read(path)
    if (found === null) continue
    const holder = parse(found)
    if (holder !== null && isRunning(holder)) {
      throw new StackError(
        `Filewright already runs on ${dataDir} (process ${holder.pid}): stop it first, or set another DATA_DIR.`
      )
    }
    removeIfStill(path, found)
  }
  throw new StackError(
    `The lock ${path} could not be taken: remove it if no other Filewright runs on ${dataDir}.`
  )
}

/**
 * Two starts may find the same dead lock: the slower one must not remove the lock that the faster one has
 * created since.
 */
function removeIfStill(path: string, content: string): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  try {
    if (read(aside) !== content) linkSync(aside, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function parse(text: string): ProcessRecord | null {
  try {
    const record = JSON.parse(text) as Partial<ProcessRecord>
    return typeof record.pid === 'number' && typeof record.identity === 'string'
      ? { pid: record.pid, identity: record.identity }
      : null
  } catch {
    return null
  }
}
