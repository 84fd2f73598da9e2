import type { BigIntStats } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../failure.js'
import { isDraft, isDraftOf, isGitName, nameProblem } from '../local-files.js'
import { joined } from '../remote.js'
import { isWithdrawnNote } from '../withdrawn-note.js'

export interface LocalEntry {
  /** Relative to the root, as the service writes it. */
  path: string
  /** As on disk. */
  source: string
  /** Its metadata when the tree was read, before any comparison. */
  facts: BigIntStats
  seenAtMs: number
  /** Why the service cannot store it. */
  problem: string | null
}

export interface SkippedEntry {
  /** A phrase for messages, such as "a link". */
  what: string
  /** Why it cannot be sent, if the user would expect that. */
  problem?: string
}

export interface LocalTree {
  root: string
  rootFacts: BigIntStats
  files: LocalEntry[]
  /** Folders, including empty ones. */
  folders: Set<string>
  /** Skipped paths. They, and everything below them, do not count as missing. */
  skipped: Map<string, SkippedEntry>
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code)
const isAbsence = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error))

/** A file, a link or anything else, or null. Throws any error other than absence. */
async function factsOf(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if (isAbsence(error)) return null
    throw error
  }
}

/** Reads every name and the state of every file at once. Null when the folder does not exist. */
export async function readLocalTree(root: string): Promise<LocalTree | null> {
  const rootFacts = await stat(root, { bigint: true }).catch(() => null)
  if (rootFacts === null || !rootFacts.isDirectory()) return null
  const tree: LocalTree = { root, rootFacts, files: [], folders: new Set(), skipped: new Map() }
  const taken = new Set<string>()

  async function walk(folder: string): Promise<void> {
    const names = await readdir(join(root, folder)).catch((error: unknown) => {
      if (folder === '') throw error
      if (!isAbsence(error)) {
        const problem = 'the folder cannot be read'
        tree.skipped.set(folder.normalize('NFC'), { what: 'in a folder that cannot be read', problem })
      }
      return []
    })
    for (const name of names.sort()) {
      const given = joined(folder, name)
      const path = given.normalize('NFC')
      const source = join(root, given)
      const facts = await factsOf(source)
      // Deleted meanwhile, or its name is not UTF-8 and cannot be opened.
      if (facts === null) {
        const problem = nameProblem({ path: source, folder })
        if (name.includes('\ufffd') && problem !== null) {
          tree.skipped.set(path, { what: 'under a name that is not valid UTF-8', problem })
        }
      } else if (isGitName(name)) tree.skipped.set(path, { what: "git's own folder" })
      else if (facts.isDirectory()) {
        tree.folders.add(path)
        await walk(given)
      } else if (facts.isSymbolicLink()) tree.skipped.set(path, { what: 'a link' })
      else if (!facts.isFile()) tree.skipped.set(path, { what: 'not a regular file' })
      else if (isDraft(name)) tree.skipped.set(path, { what: 'an unfinished download' })
      else if (await isWithdrawnNote(source)) tree.skipped.set(path, { what: 'a note on a withdrawn file' })
      else {
        const isTaken = taken.has(path)
        taken.add(path)
        tree.files.push({
          path,
          source,
          facts,
          seenAtMs: Date.now(),
          problem:
            nameProblem({ path: source, folder }) ??
            (isTaken ? 'another file has the same name in other characters' : null)
        })
      }
    }
  }

  await walk('')
  return tree
}

/** The skipped entry at the path or above it, or null. */
export function skippedAt({ skipped }: LocalTree, path: string): SkippedEntry | null {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth++) {
    const entry = skipped.get(parts.slice(0, depth).join('/'))
    if (entry !== undefined) return entry
  }
  return null
}

/** ASCII without K, ; and `, to which three other characters compose: such a name has one Unicode form. */
const ONE_FORM = /^[ -:<-JL-_a-~]*$/

/** The names in a folder that the service treats as this one, exact matches first. */
async function namesLike(folder: string, name: string): Promise<string[]> {
  if (ONE_FORM.test(name)) return [name]
  try {
    const alike = (await readdir(folder)).filter((other) => other.normalize('NFC') === name)
    return alike.sort((a, b) => Number(b === name) - Number(a === name))
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}

async function isBelow(folder: string, [name = '', ...rest]: string[]): Promise<boolean> {
  for (const same of await namesLike(folder, name)) {
    const facts = await factsOf(join(folder, same))
    if (facts === null) continue
    if (facts.isDirectory()) {
      if (rest.length > 0 && (await isBelow(join(folder, same), rest))) return true
    } else if (rest.length === 0 || !facts.isFile()) {
      // The target of a link is unknown.
      return true
    }
  }
  return false
}

/** Whether anything exists at the path now, whatever the tree contains. Throws if that is unknown. */
export async function existsLocally({ root, rootFacts }: LocalTree, path: string): Promise<boolean> {
  const { dev, ino } = await stat(root, { bigint: true })
  // Another disk is mounted, or none, so nothing is known about the files.
  if (dev !== rootFacts.dev || ino !== rootFacts.ino) {
    throw new Failure(`${root} is not the same folder any more; run the command again`)
  }
  return await isBelow(root, path.split('/'))
}

/**
 * Whether a draft is beside the file's path. A download may be running there, or a killed one may have left
 * it. A download moves the file aside for a moment, so a missing file proves nothing.
 */
export async function hasDraftNow({ root }: LocalTree, path: string): Promise<boolean> {
  const target = await targetOf(root, path)
  try {
    return (await readdir(dirname(target))).some((name) => isDraftOf(name, basename(target)))
  } catch (error) {
    if (isAbsence(error)) return false
    throw error
  }
}

/** Where a new file goes: into the existing folders, in any Unicode form. */
export async function targetOf(root: string, path: string): Promise<string> {
  const parts = path.split('/')
  let folder = root
  for (const part of parts.slice(0, -1)) folder = join(folder, (await namesLike(folder, part))[0] ?? part)
  return join(folder, parts.at(-1) ?? '')
}
