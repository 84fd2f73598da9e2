import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StackError, codeOf, messageOf } from './errors.js'
import type { DataPaths } from './paths.js'

const OTHERS = 0o077

/**
 * For its owner only, also what an earlier version or somebody's `mkdir` left open: it holds every uploaded
 * file and the token.
 */
export function prepareDataFolder(paths: DataPaths): void {
  for (const folder of [paths.root, paths.run, paths.logs]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (error) {
      throw new StackError(
        `Cannot write to ${folder} (${problem(error)}): make it writable, or set DATA_DIR to another folder.`,
        { cause: error }
      )
    }
    // The outermost first: behind it nobody gets at the rest, even before that is closed.
    close(folder)
  }
  for (const path of [paths.accessToken, paths.adminPassword]) restrictIfExists(path)
  // These may hold millions of files, which were made closed; a closed door in front is enough.
  for (const folder of [paths.blobs, paths.signatures]) restrictIfExists(folder)
  for (const folder of [paths.run, paths.logs, paths.postgres, paths.redis]) closeTree(folder)
}

/**
 * Everything below the folder, and the folder itself, is for its owner only. Links are left alone, and what
 * they lead to.
 */
export function closeTree(folder: string): void {
  restrictIfExists(folder)
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) closeTree(path)
    else if (!entry.isSymbolicLink()) restrictIfExists(path)
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

function restrictIfExists(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) close(path)
}

function close(path: string): void {
  const { mode, uid } = statSync(path)
  if ((mode & OTHERS) === 0) return
  // Root could close it, but not to its owner.
  if (uid !== process.getuid?.()) throw unrestrictedError(path, 'it belongs to another user')
  try {
    chmodSync(path, mode & 0o700)
  } catch (error) {
    throw unrestrictedError(path, messageOf(error), error)
  }
  // Some file systems take the call and keep no modes.
  if ((statSync(path).mode & OTHERS) !== 0)
    throw unrestrictedError(path, 'its file system does not support permissions')
}

function unrestrictedError(path: string, why: string, cause?: unknown): StackError {
  return new StackError(
    `Other users can read ${path}, and its permissions cannot be changed (${why}): run chmod 700 on it as its owner, or set DATA_DIR to another folder.`,
    { cause }
  )
}

function problem(error: unknown): string {
  switch (codeOf(error)) {
    case 'EACCES':
      return 'permission denied'
    case 'EROFS':
      return 'read-only file system'
    case 'ENOSPC':
      return 'the disk is full'
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a file with this name exists'
    default:
      return messageOf(error)
  }
}
