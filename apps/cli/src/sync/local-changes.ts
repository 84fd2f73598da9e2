import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { link, lstat, rename, rm } from 'node:fs/promises'
import { Failure } from '../failure.js'
import { draftOf, hashOf } from '../local-files.js'
import type { LocalEntry } from './local-tree.js'

/** A file as it was when sync decided about it. */
export interface JudgedFile extends LocalEntry {
  /** Null where only the metadata was read. */
  sha256: string | null
}

/**
 * Two changes within the smallest step of a file system's clock look like one. The largest such step is the
 * 2 s of FAT.
 */
const CLOCK_STEP_MS = 2_000

export const isFresh = ({ facts, seenAtMs }: LocalEntry): boolean =>
  Number(facts.ctimeNs / 1_000_000n) > seenAtMs - CLOCK_STEP_MS

const changed = (): Failure => new Failure('it changed here during the sync; run the command again')

function isSame(now: BigIntStats, { facts }: LocalEntry): boolean {
  return (
    now.isFile() &&
    now.dev === facts.dev &&
    now.ino === facts.ino &&
    now.size === facts.size &&
    now.mtimeNs === facts.mtimeNs
  )
}

async function isUnchangedAt(path: string, judged: JudgedFile): Promise<boolean> {
  const now = await lstat(path, { bigint: true }).catch(() => null)
  if (now === null || !isSame(now, judged)) return false
  // A rename changes this time, too.
  if (path === judged.source && now.ctimeNs !== judged.facts.ctimeNs) return false
  return !isFresh(judged) || judged.sha256 === null || judged.sha256 === (await hashOf(path))
}

export const isUnchanged = async (judged: JudgedFile): Promise<boolean> =>
  await isUnchangedAt(judged.source, judged)

/** @throws Failure when the file is no longer the one in the tree */
export async function judge(entry: LocalEntry, { hash }: { hash: boolean }): Promise<JudgedFile> {
  const judged = { ...entry, sha256: hash || isFresh(entry) ? await hashOf(entry.source) : null }
  if (!(await isUnchanged(judged))) throw changed()
  return judged
}

const isThere = async (path: string): Promise<boolean> =>
  await lstat(path).then(
    () => true,
    () => false
  )

/** Never overwrites another file, as a rename would. */
async function giveName(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new Failure('it was created here during the sync; run the command again')
    // Some file systems have no hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error
    if (await isThere(target)) {
      throw new Failure('it was created here during the sync; run the command again')
    }
    await rename(draft, target)
    return
  }
  await rm(draft)
}

/**
 * Moves the file aside first and compares it afterwards. If a program changed it in between, the file is
 * restored.
 */
async function moveAside(judged: JudgedFile): Promise<string> {
  if (!(await isUnchanged(judged))) throw changed()
  const aside = draftOf(judged.source, randomBytes(8).toString('hex'))
  await rename(judged.source, aside)
  if (!(await isUnchangedAt(aside, judged))) {
    await putBack(aside, judged.source)
    throw changed()
  }
  return aside
}

async function putBack(aside: string, source: string): Promise<void> {
  try {
    await giveName(aside, source)
  } catch {
    throw new Failure(`it changed here during the sync; the other version is kept in ${aside}`)
  }
}

export async function deleteLocal(judged: JudgedFile): Promise<void> {
  await rm(await moveAside(judged))
}

/** Renames a complete draft to a new file. */
export async function placeNew(draft: string, target: string): Promise<void> {
  try {
    await giveName(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Replaces the file by a complete draft. */
export async function placeOver(draft: string, judged: JudgedFile): Promise<void> {
  let aside: string
  try {
    aside = await moveAside(judged)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  try {
    await placeNew(draft, judged.source)
  } catch (error) {
    // If a new file was created at the path, the old one is not restored.
    if (await isThere(judged.source)) await rm(aside)
    else await putBack(aside, judged.source)
    throw error
  }
  if (await isUnchangedAt(aside, judged)) await rm(aside)
  else {
    // A program had it open and kept writing. The service still has the replaced content.
    await rename(aside, judged.source)
    throw changed()
  }
}
