import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from './failure.js'

export interface LocalFile {
  path: string
  /** Below what was named, with slashes; empty for a file that was named itself. */
  folder: string
}

/** Files in a folder and below it; links are not followed, or a loop would never end. */
async function* walk(root: string, folder = ''): AsyncGenerator<LocalFile> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(root, folder, entry.name)
    if (entry.isDirectory()) yield* walk(root, join(folder, entry.name))
    else if (entry.isFile()) yield { path, folder: folder.split(sep).join('/') }
  }
}

/** Leaves room for the rest of a name, which may have 255 bytes on most systems. */
const MAX_KEPT_BYTES = 200

/** Where a file is written until it is whole, beside its target; `mark` has 16 hexadecimal digits. */
export function draftOf(target: string, mark: string): string {
  let kept = ''
  for (const char of basename(target)) {
    if (Buffer.byteLength(kept + char) > MAX_KEPT_BYTES) break
    kept += char
  }
  return join(dirname(target), `.${kept}.${mark}.part`)
}

const DRAFT = /^\..+\.([0-9a-f]{16})\.part$/su

export const isDraft = (name: string): boolean => DRAFT.test(name)

/** The sixteen digits in the name of a draft. */
export const markOf = (name: string): string | undefined => DRAFT.exec(name)?.[1]

/** Whether the name is that of a draft of the file, in whatever form of Unicode. */
export function isDraftOf(name: string, file: string): boolean {
  const mark = markOf(name)
  return mark !== undefined && name.normalize('NFC') === draftOf(file.normalize('NFC'), mark)
}

export async function filesIn(folder: string): Promise<LocalFile[]> {
  const files: LocalFile[] = []
  for await (const file of walk(folder)) files.push(file)
  return files
}

/**
 * Why the service cannot keep the name, or null. It takes what stands before a backslash for a folder, a form
 * cannot carry control characters, and a name that is not UTF-8 cannot be read here.
 */
export function nameProblem({ path, folder }: LocalFile): string | null {
  const name = `${folder}/${basename(path)}`
  if (name.includes('\ufffd')) return 'its name is not valid UTF-8; rename it'
  if (name.includes('\\')) return 'its name holds a backslash; rename it'
  if (/\p{Cc}/u.test(name)) return 'its name holds a control character; rename it'
  return null
}

const isGlob = (text: string): boolean => /[*?[{]/.test(text)

/** `**` is any number of folders, `*` and `?` stay within one, `{a,b}` is either. */
function regExpOf(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*|[*?{},[\]]|[.+^$()|\\]/g, (part) => {
    switch (part) {
      case '**/':
        return '(?:.*/)?'
      case '**':
        return '.*'
      case '*':
        return '[^/]*'
      case '?':
        return '[^/]'
      case '{':
        return '(?:'
      case '}':
        return ')'
      case ',':
        return '|'
      case '[':
      case ']':
        return part
      default:
        return `\\${part}`
    }
  })
  return new RegExp(`^${source}$`)
}

/** Node.js 20 has no glob of its own; shells expand patterns before us in most cases. */
async function matches(pattern: string, cwd: string): Promise<string[]> {
  const parts = pattern.split('/')
  const fixed = parts.slice(0, parts.findIndex(isGlob)).join('/')
  const root = resolve(cwd, fixed || (pattern.startsWith('/') ? '/' : '.'))
  const wanted = regExpOf(parts.slice(parts.findIndex(isGlob)).join('/'))
  const files = await filesIn(root).catch(() => [])
  return files
    .map(({ path }) => path)
    .filter((path) => wanted.test(relative(root, path).split(sep).join('/')))
}

/** A folder keeps its name: `upload src` puts its files into `src`; `src/` puts them where they were sent. */
async function expandOne(given: string, cwd: string): Promise<LocalFile[]> {
  const path = resolve(cwd, given)
  const facts = await stat(path)
  if (!facts.isDirectory()) return [{ path, folder: '' }]
  const head = /[/\\]$/.test(given) || given === '.' ? '' : basename(path)
  return (await filesIn(path)).map((file) => ({
    path: file.path,
    folder: [head, file.folder].filter((part) => part !== '').join('/')
  }))
}

function folderBelow(pattern: string, cwd: string, path: string): string {
  const parts = pattern.split('/')
  const root = resolve(cwd, parts.slice(0, parts.findIndex(isGlob)).join('/') || '.')
  return relative(root, dirname(path)).split(sep).join('/')
}

export async function expand(given: readonly string[], cwd: string): Promise<LocalFile[]> {
  const files: LocalFile[] = []
  for (const one of given) {
    const isThere = await lstat(resolve(cwd, one)).then(
      () => true,
      () => false
    )
    if (isThere || !isGlob(one)) {
      files.push(...(await expandOne(one, cwd)))
      continue
    }
    const found = await matches(one, cwd)
    if (found.length === 0) throw new Failure(`${one}: no file fits this pattern`)
    // Below the part of the pattern that is fixed, as it would be with the folder itself.
    files.push(...found.map((path) => ({ path, folder: folderBelow(one, cwd, path) })))
  }
  return files
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Without what a terminal would obey. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd')

/** As a person would write it: from the working folder on, or in full when it lies elsewhere. */
export function shownPath(cwd: string, path: string): string {
  const near = relative(cwd, path)
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near
}
