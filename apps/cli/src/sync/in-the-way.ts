import { lstat, readdir, rmdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Failure } from '../failure.js'
import { isGitName } from '../local-files.js'
import type { LocalTree } from './local-tree.js'
import type { RemoteTree } from './remote-tree.js'

/** A local entry that blocks a stored file's path. */
export interface Obstacle {
  problem: string
  /** Whether it consists only of files that the server does not have, which `--delete` deletes. */
  goesWithDelete: boolean
}

const BOTH_THERE = 'the server has both a file and a folder of this name; rename one of them there'

export const isFolderHere =
  'it is a folder here and a file on the server; move the folder away, or use --delete'
export const isFileHere = (path: string): string =>
  `${path} is a file here and a folder on the server; move the file away, or use --delete`

const above = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((_, depth, { length }) =>
      path
        .split('/')
        .slice(0, length - depth)
        .join('/')
    )

/** Finds stored files whose local path contains an entry of another kind. */
export function obstaclesOf(tree: LocalTree | null, stored: RemoteTree): (path: string) => Obstacle | null {
  const filesHere = new Set((tree?.files ?? []).map(({ path }) => path))
  const foldersHere = new Set([...(tree?.folders ?? [])])
  const foldersThere = new Set([...stored.keys()].flatMap(above))
  return (path) => {
    const file = above(path).find((folder) => filesHere.has(folder))
    if (file !== undefined) {
      return stored.has(file)
        ? { problem: BOTH_THERE, goesWithDelete: false }
        : { problem: isFileHere(file), goesWithDelete: true }
    }
    if (foldersThere.has(path)) return { problem: BOTH_THERE, goesWithDelete: false }
    return foldersHere.has(path) ? { problem: isFolderHere, goesWithDelete: true } : null
  }
}

/** @throws Failure if there is a link or a file instead of a folder */
export async function assertFoldersAbove(root: string, target: string): Promise<void> {
  let folder = root
  for (const part of relative(root, dirname(target)).split(sep)) {
    folder = join(folder, part)
    const facts = await lstat(folder).catch(() => null)
    if (folder === root || facts === null || facts.isDirectory()) continue
    const shown = relative(root, folder).split(sep).join('/')
    // A link points elsewhere.
    if (facts.isSymbolicLink()) {
      throw new Failure(`${shown} is a symbolic link here; sync does not write through links`)
    }
    throw new Failure(isFileHere(shown))
  }
}

/** Removes empty folders. A folder with a file stays. */
export async function removeEmptyFolders(folder: string): Promise<void> {
  const facts = await lstat(folder).catch(() => null)
  if (facts?.isDirectory() !== true) return
  const entries = await readdir(folder, { withFileTypes: true })
  // git does not work without some of its folders, which may be empty.
  if (entries.some((entry) => !entry.isDirectory() || isGitName(entry.name))) throw new Failure(isFolderHere)
  for (const { name } of entries) await removeEmptyFolders(join(folder, name))
  await rmdir(folder)
}
