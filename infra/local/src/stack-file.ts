import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { ClamdAddress } from './options.js'
import { identityOf } from './process-identity.js'

/** What tests, both command lines and the next start need to know about a running stack. */
export interface StackInfo {
  /** Of the supervisor. */
  pid: number
  /** Distinguishes the supervisor from a later process with the same pid. */
  identity: string
  baseUrl: string
  /** Where the gateway listens on this machine. `localhost` could lead to another user's port on `::1`. */
  listenUrl: string
  adminUrl: string
  databaseUrl: string
  redisUrl: string
  clamd: ClamdAddress
  ollamaUrl: string
  /** Settings of the blob store, as the apps got them. */
  store: Record<string, string>
  quotas: Record<string, string>
  /** Settings of webhooks, as the gateway got them, with the key of their secrets. */
  webhooks: Record<string, string>
  /** Of each worker: its health probes and metrics. */
  probeUrls: Record<string, string>
  dataDir: string
  /** Short-lived folder for sockets, outside the data folder. */
  socketDir: string
  /**
   * By service: gateway, scan-worker-1, inference-worker-1, redis, clamd, postgres, sandbox-model or ollama.
   * A service that is down is absent.
   */
  pids: Record<string, number>
  /** For each pid, what distinguishes the process from a later one with the same pid. */
  identities: Record<string, string>
}

export interface StackFile {
  setPid: (name: string, pid: number | undefined) => void
  remove: () => void
}

export type StackFacts = Omit<StackInfo, 'pid' | 'identity' | 'pids' | 'identities'>

/**
 * Keeps the file up to date. Mode 600: it contains passwords and keys. Later writes may fail, as on a full
 * disk: a running stack is worth more than the file.
 */
export function createStackFile(
  path: string,
  facts: StackFacts,
  notice: (line: string) => void = () => {}
): StackFile {
  const info: StackInfo = {
    pid: process.pid,
    identity: identityOf(process.pid) ?? '',
    ...facts,
    pids: {},
    identities: {}
  }
  let removed = false

  function write(): void {
    if (removed) return
    const draft = `${path}.${process.pid}`
    try {
      writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 })
      renameSync(draft, path)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  }

  write()
  return {
    setPid: (name, pid) => {
      const identity = pid === undefined ? null : identityOf(pid)
      if (pid === undefined || identity === null) {
        delete info.pids[name]
        delete info.identities[name]
      } else {
        info.pids[name] = pid
        info.identities[name] = identity
      }
      try {
        write()
      } catch (error) {
        notice(`${path} is out of date: ${(error as Error).message}.`)
      }
    },
    remove: () => {
      removed = true
      rmSync(path, { force: true })
    }
  }
}

/** Null when there is no stack file, or it is unreadable. */
export function readStackFile(path: string): StackInfo | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as StackInfo
  } catch {
    return null
  }
}
