import { exitCodes, Failure } from '../failure.js'
import type { Io } from '../io.js'

export const hostNames = ['github', 'gitea', 'gitlab'] as const
export type HostName = (typeof hostNames)[number]

/** The API addresses and credentials for a pull request's comments. */
export interface Host {
  name: HostName
  /** The only address that the token is sent to. */
  api: string
  headers: Record<string, string>
  /** The comments of the pull request; a new one is posted there. */
  comments: string
  comment: (id: number) => string
  updateMethod: 'PATCH' | 'PUT'
  /** The user name to assume if the API does not tell the token's user; absent if it does. */
  fallbackUser?: string
}

type Env = Io['env']

function needed(env: Env, names: readonly string[], what: string): string {
  for (const name of names) {
    const value = env[name]
    if (value !== undefined && value !== '') return value
  }
  throw new Failure(`--post needs ${what} in ${names.join(' or ')}`, exitCodes.usage)
}

function addressOf(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new Failure(`${name} is not the address of an API`, exitCodes.usage)
  }
  return text.replace(/\/+$/, '')
}

function numberOf(text: string | undefined, names: string): string {
  if (text !== undefined && /^[1-9]\d{0,14}$/.test(text)) return text
  throw new Failure(`--post needs the number of the pull request in ${names}`, exitCodes.usage)
}

function repositoryOf(env: Env): string {
  const name = needed(env, ['GITHUB_REPOSITORY'], 'the repository')
  if (!/^[\w.-]+\/[\w.-]+$/.test(name) || name.split('/').some((part) => /^\.+$/.test(part))) {
    throw new Failure('GITHUB_REPOSITORY must be owner/name', exitCodes.usage)
  }
  return name
}

/** From `refs/pull/12/merge`, which GitHub and Gitea set in a pull request. */
const pullNumber = (env: Env): string =>
  numberOf(
    env.FILEWRIGHT_PULL_REQUEST ?? /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1],
    'FILEWRIGHT_PULL_REQUEST or GITHUB_REF'
  )

function githubOrGitea(name: 'github' | 'gitea', env: Env): Host {
  const token = needed(env, name === 'github' ? ['GITHUB_TOKEN'] : ['GITEA_TOKEN', 'GITHUB_TOKEN'], 'a token')
  const api =
    name === 'github'
      ? addressOf(env.GITHUB_API_URL ?? 'https://api.github.com', 'GITHUB_API_URL')
      : `${addressOf(needed(env, ['GITHUB_SERVER_URL'], 'the address of the server'), 'GITHUB_SERVER_URL')}/api/v1`
  const issues = `${api}/repos/${repositoryOf(env)}/issues`
  return {
    name,
    api,
    headers: {
      authorization: name === 'github' ? `Bearer ${token}` : `token ${token}`,
      accept: name === 'github' ? 'application/vnd.github+json' : 'application/json',
      ...(name === 'github' ? { 'x-github-api-version': '2022-11-28' } : {})
    },
    comments: `${issues}/${pullNumber(env)}/comments`,
    comment: (id) => `${issues}/comments/${id}`,
    updateMethod: 'PATCH',
    // A workflow's token has no user and cannot query it.
    ...(name === 'github' ? { fallbackUser: 'github-actions[bot]' } : {})
  }
}

function gitlab(env: Env): Host {
  const api = addressOf(needed(env, ['CI_API_V4_URL'], 'the address of the API'), 'CI_API_V4_URL')
  const project = encodeURIComponent(needed(env, ['CI_PROJECT_ID'], 'the project'))
  const notes = `${api}/projects/${project}/merge_requests/${numberOf(env.CI_MERGE_REQUEST_IID, 'CI_MERGE_REQUEST_IID')}/notes`
  return {
    name: 'gitlab',
    api,
    headers: { 'private-token': needed(env, ['GITLAB_TOKEN'], 'a token') },
    comments: notes,
    comment: (id) => `${notes}/${id}`,
    updateMethod: 'PUT'
  }
}

export const hostFor = (name: HostName, env: Env): Host =>
  name === 'gitlab' ? gitlab(env) : githubOrGitea(name, env)
