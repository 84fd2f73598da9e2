import { isUtf8 } from 'node:buffer'
import { execFile } from 'node:child_process'
import { lstat, readFile, stat } from 'node:fs/promises'
import { basename, extname, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import {
  analyzedLanguages,
  canonicalLanguage,
  formatBytes,
  limits,
  type Language
} from '@filewright/contracts'
import { exitCodes, Failure } from '../failure.js'
import { withoutPlaces } from '../git.js'
import { counted } from '../io.js'
import { filesIn, shownPath } from '../local-files.js'

export interface SourceFile {
  /** As shown to the user: relative to the current folder, with slashes. */
  path: string
  absolute: string
  language: Language
  /** Named by the user, not found in a folder. */
  isNamed: boolean
}

export interface Sources {
  files: SourceFile[]
  /** Files found in folders that no analyzer supports: their kinds and counts. */
  leftOut: ReadonlyMap<string, number>
}

/** Other files in a folder are skipped. */
const analyzed = new Set<Language>(analyzedLanguages)
const skippedFolders = new Set([
  'node_modules',
  'dist',
  'build',
  'vendor',
  'target',
  'coverage',
  '__pycache__'
])

export function languageOf(path: string): Language | null {
  const name = basename(path).toLowerCase()
  return canonicalLanguage(extname(name).slice(1)) ?? canonicalLanguage(name)
}

/** Files that git tracks or would add; null outside a work tree, or without git. */
async function ofGit(folder: string): Promise<string[] | null> {
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      // The configuration of a repository from an archive may name a program that git would run.
      ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      { cwd: folder, env: withoutPlaces(process.env), maxBuffer: 256 * 1024 * 1024 }
    )
    return stdout
      .split('\0')
      .filter((path) => path !== '')
      .map((path) => join(folder, path))
  } catch {
    return null
  }
}

async function pathsIn(folder: string): Promise<string[]> {
  const known = (await ofGit(folder)) ?? []
  // A folder that git ignores is still analyzed when the user names it.
  if (known.length > 0) return known
  return (await filesIn(folder))
    .map(({ path }) => path)
    .filter(
      (path) =>
        !relative(folder, path)
          .split(sep)
          .some((part) => skippedFolders.has(part) || part.startsWith('.'))
    )
}

export const kindOf = (path: string): string => languageOf(path) ?? (extname(path).toLowerCase() || 'other')

const MAX_KINDS = 8

/** `3 files in languages without an analyzer: 2 c, 1 php`, the most frequent kinds first. */
export function leftOutText(leftOut: Sources['leftOut']): string {
  const kinds = [...leftOut].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const sumOf = (some: typeof kinds): number => some.reduce((sum, [, count]) => sum + count, 0)
  const rest = sumOf(kinds.slice(MAX_KINDS))
  const named = kinds.slice(0, MAX_KINDS).map(([kind, count]) => `${count} ${kind}`)
  return `${counted(sumOf(kinds), 'file')} of kinds without an analyzer: ${[...named, ...(rest === 0 ? [] : [`${rest} others`])].join(', ')}`
}

export function forcedLanguage(forced: string | undefined): Language | undefined {
  const language = forced === undefined ? undefined : canonicalLanguage(forced)
  if (language !== null) return language
  throw new Failure(
    `${forced ?? ''} is not a language the service knows; leave --language out, or name one such as python`,
    exitCodes.usage
  )
}

/** Whether to analyze a file found in a folder, by its absolute path and language. */
export type Filter = (absolute: string, language: Language) => boolean

/** Whether files of the language are analyzed when found in a folder. */
export const isAnalyzed = (language: Language | null): language is Language =>
  language !== null && analyzed.has(language)

/**
 * In folders, finds the files in languages with analyzers. A file that the user names may be in any known
 * language.
 */
export async function findSources(
  given: readonly string[],
  cwd: string,
  forced?: string,
  isWanted: Filter = () => true
): Promise<Sources> {
  const language = forcedLanguage(forced)
  const sources = new Map<string, SourceFile>()
  const leftOut = new Map<string, number>()
  const add = (absolute: string, known: Language, isNamed: boolean): void => {
    const path = shownPath(cwd, absolute).split(sep).join('/')
    sources.set(absolute, { absolute, language: known, path, isNamed })
  }
  for (const one of given) {
    const absolute = resolve(cwd, one)
    if ((await stat(absolute)).isDirectory()) {
      for (const path of await pathsIn(absolute)) {
        const own = languageOf(path)
        if (isAnalyzed(own)) {
          if (isWanted(path, own)) add(path, language ?? own, false)
        } else leftOut.set(kindOf(path), (leftOut.get(kindOf(path)) ?? 0) + 1)
      }
      continue
    }
    const known = language ?? languageOf(absolute)
    if (known === null) {
      throw new Failure(
        `${one}: its language is not known from its name; say it with --language`,
        exitCodes.usage
      )
    }
    add(absolute, known, true)
  }
  const files = [...sources.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files, leftOut }
}

/** Why the service cannot analyze a file with this name, or null. */
export function pathProblem(path: string): string | null {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\u0000-\u001f]/.test(path)) return 'its name has a control character'
  return path.length > limits.filePathChars ? 'its name is too long' : null
}

/** Skips files that are empty, too large, not text, or were deleted since they were listed. */
export async function readSource({
  path,
  absolute,
  isNamed
}: SourceFile): Promise<{ code: string } | { skipped: string }> {
  // In a folder from someone else, a link may point to any file on this machine.
  const facts = await (isNamed ? stat : lstat)(absolute).catch(() => null)
  if (facts?.isSymbolicLink() === true) return { skipped: 'it is a link' }
  if (facts?.isFile() === false) return { skipped: 'it is not a regular file' }
  if (facts !== null && facts.size > limits.codeBytes) {
    return { skipped: `it is larger than ${formatBytes(limits.codeBytes)}` }
  }
  const problem = pathProblem(path)
  if (problem !== null) return { skipped: problem }
  const bytes = await readFile(absolute).catch(() => null)
  if (bytes === null) return { skipped: 'it cannot be read' }
  if (!isUtf8(bytes)) return { skipped: 'it is not UTF-8' }
  const code = bytes.toString('utf8')
  return code.trim() === '' ? { skipped: 'it is empty' } : { code }
}

/** A file of the user, or its version in git. */
export interface NamedSource {
  path: string
  language: Language
}

export interface ReadSource extends NamedSource {
  code: string
}

/** Small enough for early first findings, large enough to stay below the rate limit. */
export const FILES_PER_BATCH = 50

/** Groups files into requests that the service accepts. */
export async function* inBatches(
  sources: AsyncIterable<ReadSource>,
  filesPerBatch: number
): AsyncGenerator<ReadSource[]> {
  let batch: ReadSource[] = []
  let bytes = 0
  for await (const source of sources) {
    const more = Buffer.byteLength(source.code)
    if (batch.length === filesPerBatch || bytes + more > limits.codeBytes) {
      if (batch.length > 0) yield batch
      batch = []
      bytes = 0
    }
    batch.push(source)
    bytes += more
  }
  if (batch.length > 0) yield batch
}
