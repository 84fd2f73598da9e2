import { Failure } from '../failure.js'
import type { Host } from './hosts.js'

/** Invisible in the comment. Others can write it as well, so the comment's author is checked, too. */
export const MARK = '<!-- filewright-review -->'

const TIMEOUT_MS = 30_000
const PER_PAGE = 100
const MAX_PAGES = 100
const MAX_RETRIES = 3
const MAX_WAIT_S = 60
/** Below the limits of all three platforms. */
const MAX_CHARS = 60_000

interface Comment {
  id: number
  user: string
  body: string
}

const problems: Record<number, string> = {
  401: 'the token is not accepted',
  403: 'the token may not do this; it needs to write comments of pull requests',
  404: 'there is no such pull request, or the token may not see it',
  422: 'the comment is refused'
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined

/** Seconds to wait, or null if a retry does not help. */
function waitOf({ status, headers }: Response): number | null {
  const isLimit =
    status === 429 ||
    (status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'))
  if (!isLimit && status < 500) return null
  const after = Number(headers.get('retry-after') ?? Number.NaN)
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN)
  if (Number.isFinite(after)) return Math.max(0, after)
  return isLimit && Number.isFinite(reset) ? Math.max(0, reset - Date.now() / 1000) : 1
}

export interface Poster {
  /** @returns whether the comment was created, updated, unchanged, or not needed */
  post: (body: string, isEmpty: boolean) => Promise<'created' | 'updated' | 'unchanged' | 'none'>
  /** The comment's current text; null if there is none. */
  current: () => Promise<string | null>
}

/** @param sleep replaced in tests */
export function createPoster(
  { name, headers, comments, comment, api, updateMethod, fallbackUser }: Host,
  sleep: (ms: number) => Promise<void> = async (ms) => await new Promise((resolve) => setTimeout(resolve, ms))
): Poster {
  async function ask(method: string, url: string, body?: object): Promise<Response> {
    for (let tries = 0; ; tries++) {
      let response: Response
      try {
        response = await fetch(url, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          // The token goes to this address only.
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS)
        })
      } catch {
        throw new Failure(`${name} cannot be reached, so the review was not posted`)
      }
      const seconds = waitOf(response)
      // A failed POST may have been executed, and a second comment is worse than none.
      const isSafe = method !== 'POST' || response.status === 429 || response.status === 403
      if (seconds === null || !isSafe || tries === MAX_RETRIES || seconds > MAX_WAIT_S) return response
      await sleep(seconds * 1000)
    }
  }

  async function json(method: string, url: string, body?: object): Promise<unknown> {
    const response = await ask(method, url, body)
    if (!response.ok) {
      throw new Failure(
        `${name} answers ${response.status}, so the review was not posted: ${problems[response.status] ?? 'try again later'}`
      )
    }
    return await response.json().catch(() => null)
  }

  async function ownUser(): Promise<string> {
    const response = await ask('GET', `${api}/user`)
    if (response.status === 403 && fallbackUser !== undefined) return fallbackUser
    if (!response.ok) {
      throw new Failure(
        `${name} answers ${response.status}: ${problems[response.status] ?? 'try again later'}`
      )
    }
    const user: unknown = await response.json().catch(() => null)
    const login = at(user, name === 'gitlab' ? 'username' : 'login')
    if (typeof login === 'string' && login !== '') return login
    throw new Failure(`${name} does not say whose token it is, so the review was not posted`)
  }

  function commentOf(value: unknown): Comment {
    const author = at(value, name === 'gitlab' ? 'author' : 'user')
    const [id, user, body] = [
      at(value, 'id'),
      at(author, name === 'gitlab' ? 'username' : 'login'),
      at(value, 'body')
    ]
    return {
      id: typeof id === 'number' && Number.isSafeInteger(id) ? id : -1,
      user: typeof user === 'string' ? user : '',
      body: typeof body === 'string' ? body : ''
    }
  }

  async function find(): Promise<Comment | null> {
    const user = await ownUser()
    const seen = new Set<number>()
    for (let page = 1; page <= MAX_PAGES; page++) {
      const size = `per_page=${PER_PAGE}&limit=${PER_PAGE}`
      const list = await json('GET', `${comments}?${size}&page=${page}`)
      if (!Array.isArray(list)) throw new Failure(`${name} does not answer with a list of comments`)
      const found = list.map(commentOf)
      const own = found.find(
        ({ id, user: author, body }) => id > 0 && author === user && body.startsWith(MARK)
      )
      if (own !== undefined) return own
      // A server without pagination returns all comments each time.
      if (found.length === 0 || found.every(({ id }) => seen.has(id))) return null
      for (const { id } of found) seen.add(id)
    }
    throw new Failure(`The pull request has too many comments to find our own, so the review was not posted`)
  }

  let known: Promise<Comment | null> | undefined
  return {
    current: async () => (await (known ??= find()))?.body ?? null,
    post: async (text, isEmpty) => {
      const body = `${MARK}\n${text}`.slice(0, MAX_CHARS)
      const own = await (known ??= find())
      if (own === null) {
        // A pull request without findings gets no comment that says so.
        if (isEmpty) return 'none'
        await json('POST', comments, { body })
        return 'created'
      }
      // Some platforms remove trailing spaces.
      if (own.body.trimEnd() === body.trimEnd()) return 'unchanged'
      await json(updateMethod, comment(own.id), { body })
      return 'updated'
    }
  }
}
