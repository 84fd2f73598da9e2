import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { draftOf, isDraftOf, markOf } from './local-files.js'

/**
 * Each download writes to its own draft, so two downloads of one file never write to the same file. The
 * draft's mark has eight digits of the hash, six of the process id and two of a counter. A download that
 * fails cleanly renames its draft to the hash alone. The next download that renames a draft first continues
 * it: a rename has one winner.
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
    // EPERM: the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isAbandoned(path: string): boolean {
  const pid = Number.parseInt(markOf(basename(path))?.slice(HASH_DIGITS, HASH_DIGITS + PID_DIGITS) ?? '', 16)
  return pid === process.pid ? !inUse.has(path) : !isAlive(pid)
}

/** Drafts in a folder, read once per command: leftovers of earlier processes exist by then. */
const listings = new WeakMap<object, Map<string, Promise<string[]>>>()

async function draftsIn(folder: string, command: object): Promise<string[]> {
  const known = listings.get(command) ?? new Map<string, Promise<string[]>>()
  listings.set(command, known)
  const names = known.get(folder) ?? readdir(folder).catch(() => [])
  known.set(folder, names)
  return await names
}

/** Takes over the draft of an earlier download of the same content. */
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
    // The folder may be untrusted: a symbolic link in place of the draft points elsewhere, and a hard link
    // would change another file.
    const facts = await lstat(own)
    if (facts.isFile() && facts.nlink === 1) return
    await rm(own)
  }
}

export interface Draft {
  path: string
  /** Leaves the draft to the next download. */
  leave: () => Promise<void>
  /** The draft was renamed or removed. */
  close: () => void
}

/** A draft that no other download writes to, with the bytes of an earlier download. */
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
