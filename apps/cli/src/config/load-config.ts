import { isUtf8 } from 'node:buffer'
import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { formatBytes } from '@filewright/contracts'
import { Failure } from '../failure.js'
import { openGit, type Git } from '../git.js'
import { shownPath } from '../local-files.js'
import { CONFIG_FILE, noConfig, parseConfig, type ProjectConfig } from './parse-config.js'

const MAX_BYTES = 64 * 1024

function parsed(bytes: Buffer, name: string): ProjectConfig {
  if (bytes.length > MAX_BYTES) throw new Failure(`${name}: it is larger than ${formatBytes(MAX_BYTES)}`)
  if (!isUtf8(bytes)) throw new Failure(`${name}: it is not UTF-8`)
  try {
    return parseConfig(bytes.toString('utf8'), name)
  } catch (error) {
    // The parser is recursive.
    if (error instanceof RangeError) throw new Failure(`${name}: it is nested too deeply`)
    throw error
  }
}

export interface LoadedConfig {
  config: ProjectConfig
  /** The folder that it applies to. Patterns are relative to it. */
  root: string
  /** Folders that the user reached through a link: the given path and the real one. */
  links?: ReadonlyArray<readonly [given: string, real: string]>
}

/** The top of the repository that contains the folder, or the working folder if there is none. */
async function rootOf(folder: string, cwd: string): Promise<string> {
  return await openGit(folder).then(
    (git) => git.root,
    () => cwd
  )
}

async function loadFrom(root: string, cwd: string): Promise<LoadedConfig> {
  const path = join(root, CONFIG_FILE)
  const name = shownPath(cwd, path)
  const facts = await lstat(path).catch(() => null)
  if (facts === null) return { config: noConfig, root }
  // A link could make the command read, and quote, any file of this machine.
  if (!facts.isFile()) throw new Failure(`${name} is not a regular file`)
  if (facts.size > MAX_BYTES) throw new Failure(`${name}: it is larger than ${formatBytes(MAX_BYTES)}`)
  return { config: parsed(await readFile(path), name), root }
}

/** Loads the configuration of the working folder's repository. */
export async function loadConfig(cwd: string): Promise<LoadedConfig> {
  return await loadFrom(await rootOf(cwd, cwd), cwd)
}

/** Loads the configurations of the repositories that contain the paths, the innermost first. */
export async function loadConfigs(cwd: string, given: readonly string[]): Promise<LoadedConfig[]> {
  const folders = new Set<string>()
  for (const one of given) {
    const path = resolve(cwd, one)
    folders.add((await stat(path)).isDirectory() ? path : dirname(path))
  }
  const links: Array<readonly [string, string]> = []
  const roots = new Set<string>()
  for (const folder of folders) {
    const real = await realpath(folder)
    if (real !== folder) links.push([folder, real])
    roots.add(await rootOf(real, cwd))
  }
  const configs: LoadedConfig[] = []
  for (const root of [...roots].sort((a, b) => b.length - a.length)) {
    configs.push({ ...(await loadFrom(root, cwd)), links })
  }
  return configs
}

/** Loads the configuration at the base, because a change must not decide how it is reviewed. */
export async function loadConfigAt(git: Git, commit: string): Promise<LoadedConfig> {
  const listed = (await git.read(['ls-tree', '-z', commit, '--', CONFIG_FILE])).toString('utf8')
  const [, mode, blob] = /^(\d+) blob ([0-9a-f]+)\t/.exec(listed) ?? []
  if (blob === undefined) return { config: noConfig, root: git.root }
  if (!mode?.startsWith('100')) throw new Failure(`${CONFIG_FILE} of the base is not a regular file`)
  const size = Number((await git.read(['cat-file', '-s', blob])).toString('utf8'))
  if (size > MAX_BYTES) throw new Failure(`${CONFIG_FILE}: it is larger than ${formatBytes(MAX_BYTES)}`)
  return { config: parsed(await git.read(['cat-file', 'blob', blob]), CONFIG_FILE), root: git.root }
}
