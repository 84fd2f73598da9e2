import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StackError, codeOf, messageOf } from './errors.js'
import type { DataPaths } from './paths.js'

const OTHERS = 0o077

/**
 * Makes the folder readable only by its owner, even if an earlier version or a manual `mkdir` left it open:
 * it contains every uploaded file and the token.
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
    // The outermost folder first: it protects the rest, even before that is restricted.
    close(folder)
  }
  for (const path of [paths.accessToken, paths.adminPassword, paths.receiptKey]) restrictIfExists(path)
  // These may contain millions of files, which were created with mode 0600; restricting the folder is enough.
  for (const folder of [paths.blobs, paths.signatures]) restrictIfExists(folder)
  for (const folder of [paths.run, paths.logs, paths.postgres, paths.redis]) closeTree(folder)
}

/** Makes the folder and everything below it accessible only to its owner. Does not follow links. */
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
  // Root could change it, but its owner would still have access.
  if (uid !== process.getuid?.()) throw unrestrictedError(path, 'it belongs to another user')
  try {
    chmodSync(path, mode & 0o700)
  } catch (error) {
    throw unrestrictedError(path, messageOf(error), error)
  }
  // Some file systems accept the call and ignore modes.
  if ((statSync(path).mode & OTHERS) !== 0) {
    throw unrestrictedError(path, 'its file system does not support permissions')
  }
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
