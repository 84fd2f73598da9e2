import { execFile } from 'node:child_process'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const GROUP = 0o070
const OTHERS = 0o007
const READ_OR_WRITE = 0o066
const ENTER = 0o011

/**
 * The entries that the group or others can read or change: the folder, and everything below that its folders
 * let them reach.
 */
export async function openEntries(root: string, admit = GROUP | OTHERS): Promise<string[]> {
  const stats = await lstat(root).catch(() => null)
  // A link has no mode of its own. Its target is checked at its own location.
  if (stats === null || stats.isSymbolicLink()) return []
  const open = stats.mode & admit
  const own = (open & READ_OR_WRITE) === 0 ? [] : [`${root} has mode ${(stats.mode & 0o777).toString(8)}`]
  const canEnter = [GROUP, OTHERS].reduce((sum, who) => ((open & who & ENTER) === 0 ? sum : sum | who), 0)
  if (!stats.isDirectory() || canEnter === 0) return own
  const names = await readdir(root).catch(() => [])
  return [
    ...own,
    ...(
      await Promise.all(names.map(async (name) => await openEntries(join(root, name), admit & canEnter)))
    ).flat()
  ]
}

/**
 * Asks the kernel the same: the entries that `find` sees as a user who owns nothing. Undefined if this
 * process cannot become that user.
 */
export async function entriesOpenToOtherUsers(root: string): Promise<string[] | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const nobody = { uid: 65_534, gid: 65_534 }
  const found = await promisify(execFile)(
    'find',
    [root, '(', '-readable', '-o', '-writable', ')', '-print'],
    { ...nobody, cwd: '/' }
  )
    // Its exit code reports denied access, which is the expected result.
    .catch((error: Error & { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
  return found.stdout.split('\n').filter((line) => line !== '')
}
