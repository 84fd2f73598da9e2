import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Io } from './io.js'

/** A stack that this user runs with `npm start`. Its token works only there. */
export interface LocalStack {
  /** Where its gateway listens. */
  server: string
  /** The address that it gives to clients. */
  baseUrl: string
  token: string
  dataDir: string
}

export interface FoundStacks {
  stack: LocalStack | null
  /** One message for each stack that is not trusted. */
  refusals: string[]
}

const WRITABLE_BY_OTHERS = 0o022
const READABLE_BY_OTHERS = 0o044

class Refusal extends Error {}

/**
 * The stack in this folder or one above, or in DATA_DIR. A folder may come from anyone, as a clone or an
 * archive, so its files count only if this user's own running process wrote them.
 */
export function findLocalStack(io: Pick<Io, 'env' | 'cwd'>): FoundStacks {
  const refusals: string[] = []
  for (const dataDir of dataFolders(io)) {
    try {
      const stack = stackOn(dataDir)
      if (stack !== null) return { stack, refusals }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push(`The local stack in ${dataDir} was not used: ${error.message}`)
    }
  }
  return { stack: null, refusals }
}

function dataFolders({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string[] {
  if (env.DATA_DIR) {
    const named = resolve(cwd, env.DATA_DIR)
    try {
      // The user chose this folder, so a link to it is fine.
      return [realpathSync(named)]
    } catch {
      return [named]
    }
  }
  const folders: string[] = []
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(join(folder, '.data'))
    if (folder === dirname(folder)) return folders
  }
}

function stackOn(dataDir: string): LocalStack | null {
  const run = join(dataDir, 'run')
  const stackFile = join(run, 'stack.json')
  const tokenFile = join(dataDir, 'access-token')
  if (!isThere(stackFile)) return null
  for (const folder of [dataDir, run]) assertOwn(folder, { isFolder: true })
  assertOwn(stackFile)
  const stack = parse(readFileSync(stackFile, 'utf8'))
  if (stack === null || !isOwnProcess(stack.pid, stack.identity)) return null
  const { listenUrl, baseUrl } = stack
  if (typeof listenUrl !== 'string' || !isLoopback(listenUrl)) {
    throw new Refusal('its address is not on this machine; set FILEWRIGHT_URL and FILEWRIGHT_TOKEN')
  }
  if (!isThere(tokenFile)) {
    throw new Refusal(`${tokenFile} is missing; set FILEWRIGHT_URL and FILEWRIGHT_TOKEN`)
  }
  assertOwn(tokenFile, { isSecret: true })
  const token = readFileSync(tokenFile, 'utf8').trim()
  return { server: listenUrl, baseUrl: String(baseUrl), token, dataDir }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // Another user's folder that this user cannot read.
    return false
  }
}

/** On Windows, Node.js reports neither the owner nor write permissions. */
function assertOwn(path: string, { isFolder = false, isSecret = false } = {}): void {
  const facts = lstatSync(path)
  if (facts.isSymbolicLink()) throw new Refusal(`${path} is a symbolic link`)
  if (isFolder ? !facts.isDirectory() : !facts.isFile()) throw new Refusal(`${path} is of the wrong kind`)
  const user = process.geteuid?.()
  if (user === undefined) return
  if (facts.uid !== user) throw new Refusal(`${path} belongs to another user`)
  if ((facts.mode & WRITABLE_BY_OTHERS) !== 0) throw new Refusal(`${path} can be written by other users`)
  if (isSecret && (facts.mode & READABLE_BY_OTHERS) !== 0) {
    throw new Refusal(`${path} can be read by other users`)
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown> | null
  } catch {
    return null
  }
}

/** Checks only the parsed host: the string may contain a loopback address as a user name or a subdomain. */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password } = new URL(address)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/**
 * The start time of a process cannot be known in advance, so a file from elsewhere cannot contain it. Systems
 * other than Linux tell only whether this user may signal the process.
 */
function isOwnProcess(pid: unknown, identity: unknown): boolean {
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return false
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0)
    const [, user] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(user) === process.geteuid?.() && identityOf(pid) === identity
  } catch {
    return false
  }
}

/** As written by `npm start`: the boot id and the time since boot. */
function identityOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the program's name in parentheses, which may contain spaces and parentheses.
  const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startTicks}`
}
