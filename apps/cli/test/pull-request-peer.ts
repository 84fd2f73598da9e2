import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import type { HostName } from '../src/review/hosts.js'

interface Comment {
  id: number
  user: string
  body: string
}

export interface Peer {
  url: string
  comments: Comment[]
  /** Method and path of each request. */
  requests: string[]
  /** Failures for the next requests, one by one. */
  failures: Array<{ status: number; headers?: Record<string, string> }>
  /** A workflow's token on GitHub cannot query its user. */
  isAnonymous: boolean
  env: Record<string, string>
}

export const TOKEN = 'secret-token-of-the-host'
const ME = { github: 'review-bot', gitea: 'review-bot', gitlab: 'review-bot' }

/** A fake server with the documented API for pull request comments. */
export async function startPeer(
  t: { teardown: (end: () => unknown) => void },
  name: HostName,
  perPage = 100
): Promise<Peer> {
  const paths = {
    github: {
      user: '/user',
      list: '/repos/o/r/issues/7/comments',
      one: /^\/repos\/o\/r\/issues\/comments\/(\d+)$/
    },
    gitea: {
      user: '/api/v1/user',
      list: '/api/v1/repos/o/r/issues/7/comments',
      one: /^\/api\/v1\/repos\/o\/r\/issues\/comments\/(\d+)$/
    },
    gitlab: {
      user: '/api/v4/user',
      list: '/api/v4/projects/42/merge_requests/7/notes',
      one: /^\/api\/v4\/projects\/42\/merge_requests\/7\/notes\/(\d+)$/
    }
  }[name]
  const userKey = name === 'gitlab' ? 'username' : 'login'
  const shown = ({ id, user, body }: Comment): object => ({
    id,
    body,
    [name === 'gitlab' ? 'author' : 'user']: { [userKey]: user }
  })
  const tokenOf = ({ headers }: IncomingMessage): unknown =>
    name === 'gitlab' ? headers['private-token'] : headers.authorization?.replace(/^(?:Bearer|token) /, '')
  const peer: Peer = {
    url: '',
    comments: [],
    requests: [],
    failures: [],
    isAnonymous: false,
    env: {}
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://peer')
    const reply = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    }
    peer.requests.push(`${request.method ?? ''} ${pathname}`)
    const content = await text(request)
    const failure = peer.failures.shift()
    if (failure !== undefined) return reply(failure.status, { message: 'no' }, failure.headers)
    if (tokenOf(request) !== TOKEN) return reply(401, { message: 'Bad credentials' })
    if (pathname === paths.user) {
      return peer.isAnonymous
        ? reply(403, { message: 'Resource not accessible' })
        : reply(200, { [userKey]: ME[name] })
    }
    const body = content === '' ? {} : (JSON.parse(content) as { body?: unknown })
    if (request.method !== 'GET' && typeof body.body !== 'string') return reply(422, { message: 'body' })
    const me = peer.isAnonymous ? 'github-actions[bot]' : ME[name]
    if (pathname === paths.list && request.method === 'POST') {
      const comment = { id: peer.comments.length + 1, user: me, body: String(body.body) }
      peer.comments.push(comment)
      return reply(201, shown(comment))
    }
    if (pathname === paths.list) {
      // Gitea lists an issue's comments without pagination.
      if (name === 'gitea') return reply(200, peer.comments.map(shown))
      const page = Number(searchParams.get('page') ?? 1)
      return reply(200, peer.comments.slice((page - 1) * perPage, page * perPage).map(shown))
    }
    const own = peer.comments.find(({ id }) => id === Number(paths.one.exec(pathname)?.[1]))
    if (own === undefined || request.method !== (name === 'gitlab' ? 'PUT' : 'PATCH')) return reply(404, {})
    if (own.user !== me) return reply(403, {})
    own.body = String(body.body)
    reply(200, shown(own))
  }

  const server = createServer((request, response) => {
    void answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  peer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  peer.env = {
    github: {
      GITHUB_TOKEN: TOKEN,
      GITHUB_API_URL: peer.url,
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_REF: 'refs/pull/7/merge'
    },
    gitea: {
      GITEA_TOKEN: TOKEN,
      GITHUB_SERVER_URL: peer.url,
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_REF: 'refs/pull/7/head'
    },
    gitlab: {
      GITLAB_TOKEN: TOKEN,
      CI_API_V4_URL: `${peer.url}/api/v4`,
      CI_PROJECT_ID: '42',
      CI_MERGE_REQUEST_IID: '7'
    }
  }[name]
  return peer
}
