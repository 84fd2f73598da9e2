import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { formatBytes, limits } from '@filewright/contracts'
import type { Git } from '../git.js'

/** A file that differs from the base. */
export interface Change {
  /** Absolute; null if the file was deleted. */
  path: string | null
  /** The old absolute path, and the blob id of the old content; null if the file was added. */
  old: { path: string; blob: string } | null
}

export interface Changes {
  files: Change[]
  /** Absolute paths that cannot be compared, and why. */
  skipped: Array<{ path: string; why: string }>
}

const SUBMODULE = '160000'
const isRegular = (mode: string): boolean => mode.startsWith('100')

function namesIn(bytes: Buffer): string[] {
  const names = bytes.toString('utf8').split('\0')
  return names.slice(0, -1)
}

/**
 * Parses the output of git's `--raw -z`: modes, blobs and a status, then one name, or two for a renamed file.
 */
function* recordsOf(raw: Buffer): Generator<{ modes: [string, string]; blob: string; names: string[] }> {
  const fields = namesIn(raw)
  for (let at = 0; at < fields.length; ) {
    const [oldMode = '', newMode = '', blob = '', , status = ''] = (fields[at++] ?? '').slice(1).split(' ')
    const count = /^[RC]/.test(status) ? 2 : 1
    yield { modes: [oldMode, newMode], blob, names: fields.slice(at, at + count) }
    at += count
  }
}

/** The files of the work tree, including untracked ones, that differ from a commit. */
export async function changesSince(git: Git, base: string): Promise<Changes> {
  const raw = await git.read([
    'diff',
    '--raw',
    '-z',
    '--no-abbrev',
    '--find-renames',
    '--no-ext-diff',
    '--no-textconv',
    // Otherwise git would run programs from a submodule's settings to detect changes in it.
    '--ignore-submodules=dirty',
    base,
    '--'
  ])
  const files: Change[] = []
  const skipped: Changes['skipped'] = []
  for (const { modes, blob, names } of recordsOf(raw)) {
    const [oldMode, newMode] = modes
    const oldPath = join(git.root, names[0] ?? '')
    const newPath = join(git.root, names.at(-1) ?? '')
    if (modes.includes(SUBMODULE)) {
      skipped.push({ path: newPath, why: 'it is a submodule' })
      continue
    }
    const old = isRegular(oldMode) ? { path: oldPath, blob } : null
    const path = isRegular(newMode) ? newPath : null
    if (path !== null || old !== null) files.push({ path, old })
  }
  const untracked = await git.read(['ls-files', '-z', '--others', '--exclude-standard', '--full-name'])
  for (const name of namesIn(untracked)) files.push({ path: join(git.root, name), old: null })
  return { files, skipped }
}

/** The content of a file at the base. The command does not contain its name. */
export async function readBlob(git: Git, blob: string): Promise<{ code: string } | { skipped: string }> {
  let bytes: Buffer
  try {
    const size = Number((await git.read(['cat-file', '-s', blob])).toString('utf8'))
    if (size > limits.codeBytes) return { skipped: `it was larger than ${formatBytes(limits.codeBytes)}` }
    bytes = await git.read(['cat-file', 'blob', blob], limits.codeBytes + 1)
  } catch {
    return { skipped: 'its old version is not in this clone' }
  }
  if (!isUtf8(bytes)) return { skipped: 'it was not UTF-8' }
  const code = bytes.toString('utf8')
  return code.trim() === '' ? { skipped: 'it was empty' } : { code }
}
