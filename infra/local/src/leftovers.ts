import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname } from 'node:path'
import { isRunning, type ProcessRecord } from './process-identity.js'
import { readStackFile } from './stack-file.js'
import { waitUntil } from './wait.js'

export const SOCKET_DIR_PREFIX = 'filewright-'
const GRACE_MS = 3_000

/**
 * Stops what a killed supervisor left running: nothing else may hold the ports and the data while a new stack
 * starts.
 */
export async function clearLeftovers(stackFile: string, signal: AbortSignal): Promise<string[]> {
  const info = readStackFile(stackFile)
  if (info === null) return []
  const left = Object.entries(info.pids ?? {})
    .map(([name, pid]) => ({ name, pid, identity: info.identities?.[name] ?? '' }))
    .filter(isRunning)
  const allGone = async (): Promise<string | null> => (left.some(isRunning) ? 'some still run' : null)

  signalAll(left, 'SIGTERM')
  if ((await waitUntil(allGone, { signal, timeoutMs: GRACE_MS })) !== null) {
    signalAll(left, 'SIGKILL')
    await waitUntil(allGone, { signal, timeoutMs: GRACE_MS })
  }
  removeSocketDir(info.socketDir)
  rmSync(stackFile, { force: true })
  return left.map(({ name }) => name)
}

function signalAll(processes: readonly ProcessRecord[], signal: NodeJS.Signals): void {
  for (const { pid } of processes.filter(isRunning)) {
    try {
      process.kill(-pid, signal)
    } catch {} // it has already ended
  }
}

/** The path comes from a file: only a folder that can be ours is removed. */
function removeSocketDir(path: unknown): void {
  if (
    typeof path === 'string' &&
    dirname(path) === tmpdir() &&
    basename(path).startsWith(SOCKET_DIR_PREFIX)
  ) {
    rmSync(path, { recursive: true, force: true })
  }
}
