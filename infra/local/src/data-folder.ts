import { accessSync, constants, mkdirSync } from 'node:fs'
import { StackError, codeOf, messageOf } from './errors.js'
import type { DataPaths } from './paths.js'

/** For its owner only: it holds every uploaded file and the token. */
export function prepareDataFolder (paths: DataPaths): void {
  for (const folder of [paths.root, paths.run, paths.logs]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (error) {
      throw new StackError(`Cannot write to ${folder} (${problem(error)}): make it writable, or set DATA_DIR to another folder.`, { cause: error })
    }
  }
}

function problem (error: unknown): string {
  switch (codeOf(error)) {
    case 'EACCES': return 'permission denied'
    case 'EROFS': return 'read-only file system'
    case 'ENOSPC': return 'the disk is full'
    case 'ENOTDIR':
    case 'EEXIST': return 'a file is in the way'
    default: return messageOf(error)
  }
}
