import { readFileSync } from 'node:fs'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Filewright } from '@filewright/client'
import { exitCodes, Failure } from './failure.js'
import type { Io } from './io.js'
import { createRetryNotes } from './retry-notes.js'

export interface Account {
  server: string
  token: string
  /** Who named it, for people. */
  from: string
}

/** Long enough for a restart of the server and the lease that its predecessor left. */
const RETRIES = 20
/** Of a server that has not answered yet; more likely it is not there at all. */
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

function isRunning(pid: unknown): boolean {
  try {
    return typeof pid === 'number' && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The stack that `npm start` runs in this folder or one above, or on DATA_DIR. */
function localStack({ env, cwd }: Pick<Io, 'env' | 'cwd'>): Account | null {
  const folders: string[] = []
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(join(folder, '.data'))
    if (folder === dirname(folder)) break
  }
  for (const folder of env.DATA_DIR ? [resolve(cwd, env.DATA_DIR)] : folders) {
    const stack = readJson(join(folder, 'run', 'stack.json'))
    if (stack === null || !isRunning(stack.pid) || typeof stack.baseUrl !== 'string') continue
    try {
      const token = readFileSync(join(folder, 'access-token'), 'utf8').trim()
      return { server: stack.baseUrl, token, from: `the local stack in ${folder}` }
    } catch {
      // Another user's, or one that was given its token.
    }
  }
  return null
}

/** The environment first, then what was saved at login, then the local stack where one runs. */
export function findAccount(io: Io): Account {
  const { FILEWRIGHT_URL: url, FILEWRIGHT_TOKEN: envToken } = io.env
  const saved = readJson(configPath(io))
  const savedServer = typeof saved?.server === 'string' ? saved.server : undefined
  const savedToken = typeof saved?.token === 'string' ? saved.token : undefined
  const local = localStack(io)
  const server = url || savedServer || local?.server
  const token =
    envToken ||
    (server === savedServer ? savedToken : undefined) ||
    (server === local?.server ? local?.token : undefined)
  if (server !== undefined && token !== undefined && token !== '') {
    const from =
      url || envToken ? 'the environment' : server === savedServer ? configPath(io) : (local?.from ?? '')
    // It could not be sent, which would look like a server that does not answer.
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new Failure(
        `The token of ${from} holds characters that no token has; run: filewright login ${server}`,
        exitCodes.notLoggedIn
      )
    }
    return { server, token, from }
  }
  throw new Failure(
    server === undefined
      ? 'You are not logged in; run: filewright login <server>, or set FILEWRIGHT_URL and FILEWRIGHT_TOKEN, or start a local server with npm start and work in its folder'
      : `There is no token for ${server}; run: filewright login ${server}, or set FILEWRIGHT_TOKEN`,
    exitCodes.notLoggedIn
  )
}

export function clientOf({ server, token }: Pick<Account, 'server' | 'token'>, io: Io): Filewright {
  try {
    return new Filewright({
      baseUrl: server,
      token,
      retries: RETRIES,
      connectWithinMs: FIRST_CONTACT_MS,
      onRetry: createRetryNotes(io)
    })
  } catch {
    throw new Failure(`${server} is not an address; give one such as http://localhost:3000`, exitCodes.usage)
  }
}

export const connect = (io: Io): Filewright => clientOf(findAccount(io), io)

/** Mode 600 from its first byte on. */
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
