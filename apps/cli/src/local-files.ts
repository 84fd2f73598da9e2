import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isWithdrawnNote } from './withdrawn-note.js'

export interface LocalFile {
  path: string
  /** Relative to what the user named, with slashes; empty for a file that the user named. */
  folder: string
}

/** Leaves room for the rest of a name, which may have 255 bytes on most systems. */
const MAX_KEPT_BYTES = 200

/** Where a file is written until it is complete, beside its target; `mark` has 16 hexadecimal digits. */
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

/** The 16 digits in the name of a draft. */
export const markOf = (name: string): string | undefined => DRAFT.exec(name)?.[1]

/** Whether the name is a draft of the file, in any Unicode form. */
export function isDraftOf(name: string, file: string): boolean {
  const mark = markOf(name)
  return mark !== undefined && name.normalize('NFC') === draftOf(file.normalize('NFC'), mark)
}

/**
 * Files in a folder and below it. Links are not followed, or a loop would never end.
 * @param opens decides by its path below `root`, with slashes, whether a folder is opened
 */
export async function filesIn(
  root: string,
  opens: (folder: string) => boolean = () => true
): Promise<LocalFile[]> {
  const files: LocalFile[] = []
  for await (const file of walk(root, '', opens)) files.push(file)
  return files
}

async function* walk(
  root: string,
  folder: string,
  opens: (folder: string) => boolean
): AsyncGenerator<LocalFile> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isFile()) {
      const path = join(root, below)
      if (!(await isWithdrawnNote(path))) yield { path, folder }
    } else if (entry.isDirectory() && opens(below)) yield* walk(root, below, opens)
  }
}

/**
 * Why the service cannot store the name, or null. It treats text before a backslash as a folder, a form
 * cannot contain control characters, and a name that is not UTF-8 cannot be read here.
 */
export function nameProblem({ path, folder }: LocalFile): string | null {
  const name = `${folder}/${basename(path)}`
  if (name.includes('\ufffd')) return 'its name is not valid UTF-8; rename it'
  if (name.includes('\\')) return 'its name contains a backslash; rename it'
  if (/\p{Cc}/u.test(name)) return 'its name contains a control character; rename it'
  return null
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * Whether git takes a name for the folder of its own files, in which settings name programs to run. Some file
 * systems ignore case, invisible characters, or dots and spaces at the end.
 */
export function isGitName(name: string): boolean {
  const plain = name
    .normalize('NFKC')
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .toLowerCase()
  return /^(?:\.git|git~1)(?:[. ]*$|:)/.test(plain)
}

export const isOfGit = (path: string): boolean => path.split('/').some(isGitName)

/** Without terminal control characters. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd')

/** Relative to the working folder, or absolute when it is elsewhere. */
export function shownPath(cwd: string, path: string): string {
  const near = relative(cwd, path)
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near
}
