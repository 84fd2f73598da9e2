import { lstat, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { Language } from '@filewright/contracts'
import { filterOf } from './apply-config.js'
import { loadConfigAt, type LoadedConfig } from '../config/load-config.js'
import { Failure } from '../failure.js'
import { baseOf, openGit, type Git } from '../git.js'
import { shownPath } from '../local-files.js'
import { changesSince, readBlob } from './changes.js'
import {
  forcedLanguage,
  isAnalyzed,
  kindOf,
  languageOf,
  pathProblem,
  type NamedSource,
  type SourceFile
} from './sources.js'

/** A file's version at the base. */
export interface OldSource extends NamedSource {
  blob: string
}

export interface SinceSources {
  git: Git
  base: string
  /** The configuration at the base. */
  config: LoadedConfig
  files: SourceFile[]
  old: OldSource[]
  /** The old path of a file that was renamed since. */
  oldPath: (path: string) => string
  leftOut: ReadonlyMap<string, number>
  skipped: Array<{ path: string; why: string }>
}

/** The changed files at or below the given paths, with their old versions. */
export async function findChanged(
  ref: string,
  given: readonly string[],
  workingFolder: string,
  forced?: string
): Promise<SinceSources> {
  const language = forcedLanguage(forced)
  // git resolves links in the path of its root.
  const cwd = await realpath(workingFolder)
  const git = await openGit(cwd)
  const base = await baseOf(git, ref)
  const config = await loadConfigAt(git, base)
  const isIncluded = filterOf([config])
  const roots: string[] = []
  for (const one of given.length === 0 ? ['.'] : given) {
    const path = resolve(cwd, one)
    roots.push(await realpath(path).catch(() => path))
  }
  const isAt = (root: string, path: string | null | undefined): path is string =>
    typeof path === 'string' &&
    (path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))
  const isWanted = (path: string | null | undefined): boolean => roots.some((root) => isAt(root, path))
  const shown = (path: string): string => shownPath(cwd, path).split(sep).join('/')

  const leftOut = new Map<string, number>()
  const languageIn = (path: string, isCounted: boolean): Language | null => {
    const own = languageOf(path)
    if (own !== null && roots.includes(path)) return language ?? own
    if (isAnalyzed(own)) return isIncluded(path, own) ? (language ?? own) : null
    if (isCounted) leftOut.set(kindOf(path), (leftOut.get(kindOf(path)) ?? 0) + 1)
    return null
  }

  const top = resolve(git.root)
  const stray = roots.find((root) => !isAt(top, root) && !isAt(root, top))
  if (stray !== undefined) {
    throw new Failure(
      `${shownPath(cwd, stray)} is not in this folder's repository, ${top}; run the command in the repository that contains it`
    )
  }
  const changes = await changesSince(git, base)
  for (const root of roots) {
    const isKnown = changes.files.some(({ path, old }) => isAt(root, path) || isAt(root, old?.path))
    if (isKnown || (await lstat(root).catch(() => null)) !== null) continue
    throw new Failure(`${shownPath(cwd, root)}: there is no such file or folder; check the path`)
  }
  const files: SourceFile[] = []
  const olds: OldSource[] = []
  const oldPaths = new Map<string, string>()
  for (const { path, old } of changes.files) {
    if (!isWanted(path) && !isWanted(old?.path)) continue
    const own = path === null ? null : languageIn(path, true)
    if (path !== null && own !== null) {
      files.push({ path: shown(path), absolute: path, language: own, isNamed: roots.includes(path) })
      if (old !== null) oldPaths.set(shown(path), shown(old.path))
    }
    // The old version counts even if the file was moved from an excluded folder.
    const oldLanguage =
      old === null ? null : own !== null ? languageOf(old.path) : languageIn(old.path, false)
    if (old !== null && oldLanguage !== null) {
      olds.push({ path: shown(old.path), language: oldLanguage, blob: old.blob })
    }
  }
  return {
    git,
    base,
    config,
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    old: olds,
    oldPath: (path) => oldPaths.get(path) ?? path,
    leftOut,
    skipped: changes.skipped
      .filter(({ path }) => isWanted(path))
      .map(({ path, why }) => ({ path: shown(path), why }))
  }
}

/** The old content of a file. */
export async function readOld(
  git: Git,
  { path, blob }: OldSource
): Promise<{ code: string } | { skipped: string }> {
  const problem = pathProblem(path)
  return problem === null ? await readBlob(git, blob) : { skipped: problem }
}
