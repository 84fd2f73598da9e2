import * as fs from 'node:fs'
import { lstat, mkdir, opendir, rename } from 'node:fs/promises'
import { promisify } from 'node:util'
import { openFile, type OpenFile } from './open-file.js'

/** The calls of the local driver; a test may replace them to observe their order or to make one fail. */
export interface LocalFileSystem {
  link: (from: string, to: string) => Promise<void>
  lstat: typeof lstat
  mkdir: typeof mkdir
  open: (path: string, flags: string | number, mode?: number) => Promise<OpenFile>
  opendir: typeof opendir
  rename: typeof rename
  unlink: (path: string) => Promise<void>
}

export const nodeFileSystem: LocalFileSystem = {
  // With callbacks, see `openFile`.
  link: promisify(fs.link),
  lstat,
  mkdir,
  open: openFile,
  opendir,
  rename,
  unlink: promisify(fs.unlink)
}
