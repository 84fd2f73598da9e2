import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export interface Repository {
  path: string
  git: (...args: string[]) => Promise<string>
  write: (files: Record<string, string | Buffer>) => Promise<void>
  commit: (files?: Record<string, string | Buffer>) => Promise<void>
}

/** A git repository that ignores the machine's git settings. */
export async function repositoryIn(path: string): Promise<Repository> {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com'
  }
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: path, env })).stdout
  const write: Repository['write'] = async (files) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(path, name)), { recursive: true })
      await writeFile(join(path, name), content)
    }
  }
  await git('init', '-q', '-b', 'main')
  return {
    path,
    git,
    write,
    commit: async (files = {}) => {
      await write(files)
      await git('add', '-A')
      await git('commit', '-q', '--allow-empty', '-m', 'change')
    }
  }
}
