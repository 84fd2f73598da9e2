import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { basename, extname, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { canonicalLanguage, formatBytes, limits, type Language } from '@filewright/contracts'
import { exitCodes, Failure } from '../failure.js'
import { filesIn, shownPath } from '../local-files.js'

export interface SourceFile {
  /** As it is shown: below the current folder, with slashes. */
  path: string
  absolute: string
  language: Language
}

/** Those with analyzers of their own; in a folder nothing else is looked at. */
const analyzed = new Set<Language>([
  'javascript',
  'jsx',
  'typescript',
  'tsx',
  'python',
  'go',
  'java',
  'rust',
  'sql',
  'shell',
  'css',
  'html'
])
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

/** What git knows or would add; null where it is no work tree, or git is not there. */
async function ofGit(folder: string): Promise<string[] | null> {
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      { cwd: folder, maxBuffer: 256 * 1024 * 1024 }
    )
    return stdout
      .split('\0')
      .filter((path) => path !== '')
      .map((path) => join(folder, path))
  } catch {
    return null
  }
}

async function ofFolder(folder: string): Promise<string[]> {
  const paths =
    (await ofGit(folder)) ??
    (await filesIn(folder))
      .map(({ path }) => path)
      .filter(
        (path) =>
          !relative(folder, path)
            .split(sep)
            .some((part) => skippedFolders.has(part) || part.startsWith('.'))
      )
  return paths.filter((path) => {
    const language = languageOf(path)
    return language !== null && analyzed.has(language)
  })
}

/**
 * Folders give the files in languages with analyzers; a file that is named itself may be in any known one.
 */
export async function findSources(
  given: readonly string[],
  cwd: string,
  forced?: string
): Promise<SourceFile[]> {
  const language = forced === undefined ? undefined : canonicalLanguage(forced)
  if (language === null) {
    throw new Failure(`${forced ?? ''} is not a language the service knows`, exitCodes.usage)
  }
  const sources = new Map<string, SourceFile>()
  const add = (absolute: string, known: Language): void => {
    sources.set(absolute, { absolute, language: known, path: shownPath(cwd, absolute).split(sep).join('/') })
  }
  for (const one of given) {
    const absolute = resolve(cwd, one)
    if ((await stat(absolute)).isDirectory()) {
      for (const path of await ofFolder(absolute)) add(path, language ?? languageOf(path) ?? 'text')
      continue
    }
    const known = language ?? languageOf(absolute)
    if (known === null) {
      throw new Failure(
        `${one}: its language is not known from its name; say it with --language`,
        exitCodes.usage
      )
    }
    add(absolute, known)
  }
  return [...sources.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Not what is empty, too large, or gone since it was listed. */
export async function readSource({ absolute }: SourceFile): Promise<{ code: string } | { skipped: string }> {
  const bytes = await readFile(absolute).catch(() => null)
  if (bytes === null) return { skipped: 'it cannot be read' }
  if (bytes.byteLength > limits.codeBytes) {
    return { skipped: `it is larger than ${formatBytes(limits.codeBytes)}` }
  }
  const code = bytes.toString('utf8')
  return code.trim() === '' ? { skipped: 'it is empty' } : { code }
}
