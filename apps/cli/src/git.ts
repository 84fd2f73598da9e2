import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { exitCodes, Failure } from './failure.js'

const run = promisify(execFile)
const MAX_BYTES = 256 * 1024 * 1024

export interface Git {
  /** The top folder of the work tree. */
  root: string
  read: (args: readonly string[], maxBytes?: number) => Promise<Buffer>
}

/** The first line that git wrote. */
const gitSentence = (error: unknown): string =>
  error instanceof Error && 'stderr' in error
    ? (String(error.stderr)
        .trim()
        .split('\n')[0]
        ?.replace(/^fatal: /, '') ?? '')
    : String(error)

/** In a hook, git sets variables that name its repository, but the analyzed folder may be in another one. */
export function withoutPlaces(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const places =
    /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE)$/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !places.test(name)))
}

/**
 * Variables that replace a repository's settings. A repository from an archive may name programs that git
 * would run: file system monitors, filters, and helpers that fetch missing objects.
 */
async function harmless(cwd: string): Promise<NodeJS.ProcessEnv> {
  const own: NodeJS.ProcessEnv = {
    ...withoutPlaces(process.env),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C'
  }
  const { stdout } = await run('git', ['config', '--null', '--name-only', '--list'], { cwd, env: own })
  const filters = stdout.split('\0').filter((key) => /^filter\..*\.(?:clean|smudge|process)$/s.test(key))
  const settings = [...new Set(filters)].map((key) => [key, ''] as const)
  const required = [...new Set(filters.map((key) => key.replace(/\.[a-z]+$/, '.required')))]
  const all = [
    ['core.fsmonitor', 'false'],
    ['core.hooksPath', '/dev/null'],
    ...settings,
    ...required.map((key) => [key, 'false'] as const)
  ]
  // The user may have set variables of the same kind, such as safe.directory in a container.
  const first = Number(own.GIT_CONFIG_COUNT ?? 0) || 0
  const numbered = all.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value]
  ])
  return { ...own, GIT_CONFIG_COUNT: String(first + all.length), ...Object.fromEntries(numbered) }
}

/** @throws Failure outside a work tree, or without git */
export async function openGit(cwd: string): Promise<Git> {
  let env: NodeJS.ProcessEnv
  let root: string
  try {
    env = await harmless(cwd)
    root = (await run('git', ['rev-parse', '--show-toplevel'], { cwd, env })).stdout.replace(/\n$/, '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Failure('git is not installed, and comparing with a ref needs it')
    }
    throw new Failure(`This folder is not in a git work tree: ${gitSentence(error)}`)
  }
  return {
    root,
    read: async (args, maxBytes = MAX_BYTES) =>
      (await run('git', ['--no-pager', ...args], { cwd: root, env, encoding: 'buffer', maxBuffer: maxBytes }))
        .stdout
  }
}

const textOf = async (git: Git, args: readonly string[]): Promise<string> =>
  (await git.read(args)).toString('utf8').trim()

/** A ref that begins with a dash would be an option. Refs cannot contain control characters. */
function assertRef(ref: string): void {
  if (/^-|^$|\p{Cc}/u.test(ref)) throw new Failure(`"${ref}" is not a git ref`, exitCodes.usage)
}

/** The merge base of the work tree and the ref: later commits of the ref are not part of the change. */
export async function baseOf(git: Git, ref: string): Promise<string> {
  assertRef(ref)
  const commitOf = async (name: string): Promise<string | null> =>
    await textOf(git, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]).catch(() => null)
  const isShallow = async (): Promise<boolean> =>
    (await textOf(git, ['rev-parse', '--is-shallow-repository'])) === 'true'

  const head = await commitOf('HEAD')
  if (head === null) throw new Failure('This repository has no commits yet: there is nothing to compare with')
  const commit = await commitOf(ref)
  if (commit === null) {
    throw new Failure(
      (await isShallow())
        ? `This clone is shallow and does not have ${ref}; get the history with: git fetch --unshallow (actions/checkout: fetch-depth: 0)`
        : `There is no commit ${ref} in this repository`
    )
  }
  const base = await textOf(git, ['merge-base', commit, head]).catch(() => null)
  if (base === null) {
    throw new Failure(
      (await isShallow())
        ? `This clone is shallow and does not reach back to where ${ref} begins; get the history with: git fetch --unshallow (actions/checkout: fetch-depth: 0)`
        : `${ref} and this work tree have no commit in common`
    )
  }
  return base.split('\n')[0] ?? base
}
