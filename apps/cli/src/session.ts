import { readFileSync } from 'node:fs'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Filewright } from '@filewright/client'
import { allowanceOf, bulkPauseMs, paceNote, type Allowance } from '@filewright/contracts'
import { exitCodes, Failure } from './failure.js'
import type { Io } from './io.js'
import { findLocalStack } from './local-stack.js'
import { createRetryNotes } from './retry-notes.js'

export interface Account {
  server: string
  token: string
  /** The source of the server's address, for messages. */
  from: string
}

/** Covers a restart of the server and the lease of its predecessor. */
const RETRIES = 20
/** For a server that has not answered yet, which is probably not running. */
const FIRST_CONTACT_MS = 10_000

export function configPath({ env }: Pick<Io, 'env'>): string {
  const folder =
    env.XDG_CONFIG_HOME ||
    (process.platform === 'win32' ? env.APPDATA : undefined) ||
    join(env.HOME || homedir(), '.config')
  return join(folder, 'filewright', 'config.json')
}

function readJson(path: string): Record<string, unknown> | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  } catch {
    return null
  }
}

/** Normalizes the address as the client does: with or without `/api` and a trailing slash. */
function normalized(server: string): string {
  if (!URL.canParse(server)) return server
  const { origin, pathname } = new URL(server)
  return origin + pathname.replace(/\/+$/, '').replace(/\/api$/, '')
}

const isSame = (one: string, other: string): boolean => normalized(one) === normalized(other)

interface Saved {
  server: string
  token: string
}

function savedAccount(io: Io): Saved | null {
  const { server, token } = readJson(configPath(io)) ?? {}
  return typeof server === 'string' && typeof token === 'string' ? { server, token } : null
}

/**
 * The environment first, then the login, then the local stack. A token goes only to the server that its owner
 * named with it, and a local stack's token only to that stack.
 */
export function findAccount(io: Io): Account {
  const { FILEWRIGHT_URL: url, FILEWRIGHT_TOKEN: token } = io.env
  const saved = savedAccount(io)
  const server = url || saved?.server
  if (server && token) return usable({ server, token, from: 'the environment' })
  if (saved !== null && (!url || isSame(url, saved.server))) {
    return usable({ server: url || saved.server, token: saved.token, from: configPath(io) })
  }
  const { stack, refusals } = findLocalStack(io)
  if (url) {
    if (stack !== null && [stack.server, stack.baseUrl].some((own) => isSame(url, own))) {
      return usable({ server: url, token: stack.token, from: `the local stack in ${stack.dataDir}` })
    }
    const known = saved === null ? '' : `: the saved one is for ${saved.server}`
    throw notLoggedIn(
      `There is no token for ${url}${known}; run: filewright login ${url}, or set FILEWRIGHT_TOKEN`
    )
  }
  if (token) {
    const otherwise =
      stack === null ? '' : `, or unset FILEWRIGHT_TOKEN to use the local stack at ${stack.server}`
    throw notLoggedIn(
      `FILEWRIGHT_TOKEN is set, but nothing says which server it is for; set FILEWRIGHT_URL too${otherwise}`
    )
  }
  if (stack === null) throw notLoggedIn([...refusals, NO_SERVER].join('\n'))
  const { server: local, dataDir } = stack
  io.note(`Using the local stack at ${local} (${dataDir})\n`)
  return usable({ server: local, token: stack.token, from: `the local stack in ${dataDir}` })
}

const NO_SERVER =
  'You are not logged in; run: filewright login <server>, or set FILEWRIGHT_URL and FILEWRIGHT_TOKEN, or start a local server with npm start and work in its folder; if it has another data folder, set DATA_DIR to that'

const notLoggedIn = (sentence: string): Failure => new Failure(sentence, exitCodes.notLoggedIn)

/** Any other token could not be sent, which would look like an unreachable server. */
function usable(account: Account): Account {
  const { server, token, from } = account
  if (/^[\x21-\x7e]+$/.test(token)) return account
  throw notLoggedIn(`The token of ${from} contains invalid characters; run: filewright login ${server}`)
}

export function clientOf(
  { server, token }: Pick<Account, 'server' | 'token'>,
  io: Io,
  onResponse?: (response: Response, path: string) => void
): Filewright {
  try {
    return new Filewright({
      baseUrl: server,
      token,
      retries: RETRIES,
      connectWithinMs: FIRST_CONTACT_MS,
      onRetry: createRetryNotes(io),
      ...(onResponse === undefined ? {} : { onResponse })
    })
  } catch {
    throw new Failure(`${server} is not a valid URL; use one such as http://localhost:3000`, exitCodes.usage)
  }
}

export interface Connection {
  client: Filewright
  /** Without a trailing slash, for links into the console. */
  server: string
  /** The source of the server's address. */
  from: string
  /** The headers of the newest response. */
  headers: () => Headers
  /**
   * Call before each of many files: waits while the rest of the limit is reserved for the user's other
   * requests.
   */
  leaveRoom: () => Promise<void>
}

/** For commands that also print response headers. */
export function openConnection(io: Io): Connection {
  const account = findAccount(io)
  let headers = new Headers()
  let allowance: Allowance | null = null
  const client = clientOf(account, io, (response, path) => {
    headers = response.headers
    // AI requests have a separate limit.
    if (!path.startsWith('/api/ai/')) allowance = allowanceOf(headers)
  })
  let quietUntil = 0
  return {
    client,
    server: normalized(account.server),
    from: account.from,
    headers: () => headers,
    leaveRoom: async () => {
      const pauseMs = bulkPauseMs(allowance)
      if (pauseMs === 0) return
      if (Date.now() >= quietUntil) io.note(`${paceNote(pauseMs)}\n`)
      quietUntil = Date.now() + pauseMs
      await setTimeout(pauseMs)
    }
  }
}

export const connect = (io: Io): Filewright => openConnection(io).client

/** Mode 600 from the start. */
export async function saveAccount(
  io: Io,
  { server, token }: Pick<Account, 'server' | 'token'>
): Promise<string> {
  const path = configPath(io)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `${JSON.stringify({ server, token }, null, 2)}\n`, { mode: 0o600 })
  await chmod(draft, 0o600)
  await rename(draft, path)
  return path
}
