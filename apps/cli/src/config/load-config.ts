import { isUtf8 } from 'node:buffer'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '@filewright/contracts'
import { Failure } from '../failure.js'
import { openGit, type Git } from '../git.js'
import { CONFIG_FILE, noConfig, parseConfig, type ProjectConfig } from './parse-config.js'

const MAX_BYTES = 64 * 1024

function parsed(bytes: Buffer, name: string): ProjectConfig {
  if (bytes.length > MAX_BYTES) throw new Failure(`${name}: it is larger than ${formatBytes(MAX_BYTES)}`)
  if (!isUtf8(bytes)) throw new Failure(`${name}: it is not UTF-8`)
  try {
    return parseConfig(bytes.toString('utf8'), name)
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw new Failure(`${name}: it is nested too deeply`)
    throw error
  }
}

export interface LoadedConfig {
  config: ProjectConfig
  /** The folder that its patterns are about. */
  root: string
}

/** At the top of the repository, or in the working folder where there is none. */
export async function loadConfig(cwd: string): Promise<LoadedConfig> {
  const root = await openGit(cwd).then(
    (git) => git.root,
    () => cwd
  )
  const path = join(root, CONFIG_FILE)
  const facts = await lstat(path).catch(() => null)
  if (facts === null) return { config: noConfig, root }
  // A link could make the command read, and quote, any file of this machine.
  if (!facts.isFile()) throw new Failure(`${CONFIG_FILE} is not a regular file`)
  if (facts.size > MAX_BYTES) throw new Failure(`${CONFIG_FILE}: it is larger than ${formatBytes(MAX_BYTES)}`)
  return { config: parsed(await readFile(path), CONFIG_FILE), root }
}

/** As the base has it: a change does not decide how it is reviewed. */
export async function loadConfigAt(git: Git, commit: string): Promise<LoadedConfig> {
  const listed = (await git.read(['ls-tree', '-z', commit, '--', CONFIG_FILE])).toString('utf8')
  const [, mode, blob] = /^(\d+) blob ([0-9a-f]+)\t/.exec(listed) ?? []
  if (blob === undefined) return { config: noConfig, root: git.root }
  if (!mode?.startsWith('100')) throw new Failure(`${CONFIG_FILE} of the base is not a regular file`)
  const size = Number((await git.read(['cat-file', '-s', blob])).toString('utf8'))
  if (size > MAX_BYTES) throw new Failure(`${CONFIG_FILE}: it is larger than ${formatBytes(MAX_BYTES)}`)
  return { config: parsed(await git.read(['cat-file', 'blob', blob]), CONFIG_FILE), root: git.root }
}
