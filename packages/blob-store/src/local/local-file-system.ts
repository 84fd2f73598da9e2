import { link, lstat, mkdir, open, opendir, rename, unlink } from 'node:fs/promises'

/** The calls the local driver makes; a test may pass its own to watch their order or to make one fail. */
export interface LocalFileSystem {
  link: typeof link
  lstat: typeof lstat
  mkdir: typeof mkdir
  open: typeof open
  opendir: typeof opendir
  rename: typeof rename
  unlink: typeof unlink
}

export const nodeFileSystem: LocalFileSystem = { link, lstat, mkdir, open, opendir, rename, unlink }
