import { lstat, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Minimatch } from 'minimatch'
import { Failure } from './failure.js'
import { filesIn, type LocalFile } from './local-files.js'

const hasWildcard = (text: string): boolean => /[*?[{]/.test(text)

/** macOS stores names in a different Unicode form than the keyboard produces. */
const normal = (text: string): string => text.normalize('NFC')

/**
 * Selects what a shell would select, because most shells expand patterns before this command runs. `**`
 * matches any number of folders.
 */
async function matches(pattern: string, cwd: string): Promise<LocalFile[]> {
  const parts = pattern.split('/')
  const firstWildcard = parts.findIndex(hasWildcard)
  const fixed = parts.slice(0, firstWildcard).join('/')
  const root = resolve(cwd, fixed || (pattern.startsWith('/') ? '/' : '.'))
  // Node.js 20 has no glob. A leading `!` or `#` is part of the name, as in a shell.
  const wanted = new Minimatch(normal(parts.slice(firstWildcard).join('/')), {
    nonegate: true,
    nocomment: true,
    noext: true
  })
  const isPresent = await stat(root).then(
    (facts) => facts.isDirectory(),
    () => false
  )
  if (!isPresent) return []
  const files = await filesIn(root, (folder) => wanted.match(normal(folder), true))
  return files.filter(({ path, folder }) =>
    wanted.match(normal(folder === '' ? basename(path) : `${folder}/${basename(path)}`))
  )
}

/**
 * A folder keeps its name: `upload src` puts its files into `src`; `src/` puts them directly into the target.
 */
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

/** The files that paths and patterns select. Files from a pattern keep their folder below its fixed part. */
export async function expand(given: readonly string[], cwd: string): Promise<LocalFile[]> {
  const files: LocalFile[] = []
  for (const one of given) {
    const isThere = await lstat(resolve(cwd, one)).then(
      () => true,
      () => false
    )
    if (isThere || !hasWildcard(one)) {
      files.push(...(await expandOne(one, cwd)))
      continue
    }
    const found = await matches(one, cwd)
    if (found.length === 0) throw new Failure(`${one}: no file matches this pattern`)
    files.push(...found)
  }
  return files
}
