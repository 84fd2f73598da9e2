import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { draftOf, isDraftOf, markOf } from './local-files.js'

/**
 * A download writes into a draft of its own, so that two downloads of one file never write into the same bytes.
 * The draft's mark begins with eight digits of the hash; six digits of the process id and two of a counter follow.
 * A download that fails in order gives its draft the hash's own mark. Either is continued by the next download that
 * renames it first: a rename has one winner.
 */
const HASH_DIGITS = 8
const PID_DIGITS = 6

/** Drafts that this process is writing. */
const inUse = new Set<string>()
let count = 0

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0').slice(-digits)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user may not be asked, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isAbandoned(path: string): boolean {
  const pid = Number.parseInt(markOf(basename(path))?.slice(HASH_DIGITS, HASH_DIGITS + PID_DIGITS) ?? '', 16)
  return pid === process.pid ? !inUse.has(path) : !isAlive(pid)
}

/** Drafts in a folder, read once for each command: those that an earlier process left are there by then. */
const listings = new WeakMap<object, Map<string, Promise<string[]>>>()

async function draftsIn(folder: string, command: object): Promise<string[]> {
  const known = listings.get(command) ?? new Map<string, Promise<string[]>>()
  listings.set(command, known)
  const names = known.get(folder) ?? readdir(folder).catch(() => [])
  known.set(folder, names)
  return await names
}

/** Takes over what an earlier download of the same bytes left. */
async function takeOver(target: string, own: string, sha256: string, command: object): Promise<void> {
  const start = sha256.slice(0, HASH_DIGITS)
  const left = (await draftsIn(dirname(target), command))
    .filter((name) => isDraftOf(name, basename(target)) && markOf(name)?.startsWith(start) === true)
    .map((name) => join(dirname(target), name))
    .filter((path) => path !== own && isAbandoned(path))
  for (const path of [draftOf(target, sha256.slice(0, 16)), ...left]) {
    const before = await lstat(path).catch(() => null)
    if (before === null || before.isDirectory()) continue
    const isTaken = await rename(path, own).then(
      () => true,
      () => false
    )
    if (!isTaken) continue
    // A folder may come from anybody: a link in the place of the draft leads elsewhere, and a second name of the
    // same file would be written as well.
    const facts = await lstat(own)
    if (facts.isFile() && facts.nlink === 1) return
    await rm(own)
  }
}

export interface Draft {
  path: string
  /** Leaves it to the next download. */
  leave: () => Promise<void>
  /** It has its name, or is gone. */
  close: () => void
}

/** A draft that nobody else writes into, with the bytes that an earlier download left. */
export async function openDraft(target: string, sha256: string, command: object): Promise<Draft> {
  const mark = sha256.slice(0, HASH_DIGITS) + hex(process.pid, PID_DIGITS) + hex(count++, 2)
  const path = draftOf(target, mark)
  inUse.add(path)
  await rm(path, { force: true })
  await takeOver(target, path, sha256, command)
  return {
    path,
    leave: async () => {
      await rename(path, draftOf(target, sha256.slice(0, 16))).catch(() => {})
      inUse.delete(path)
    },
    close: () => {
      inUse.delete(path)
    }
  }
}
