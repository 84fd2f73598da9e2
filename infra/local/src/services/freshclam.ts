import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onAbort } from '@filewright/runtime'
import { findProgram } from '../find-program.js'
import type { ClamdAddress } from '../options.js'
import type { Command } from '../parent-guard.js'
import { officialIn, reloadClamd } from './clamd.js'

const exec = promisify(execFile)
const MIRROR = 'https://database.clamav.net'
const PROBE_TIMEOUT_MS = 5_000
const FETCH_TIMEOUT_MS = 20 * 60_000
const EVERY_MS = 12 * 60 * 60_000

export interface SignatureUpdatesDeps {
  signaturesDir: string
  socketDir: string
  clamd: ClamdAddress
  guard: (command: string, args: readonly string[]) => Command
  notice: (line: string) => void
  signal: AbortSignal
  env: NodeJS.ProcessEnv
  find?: (names: readonly string[]) => string | null
  mirror?: string
}

/**
 * Downloads the official signatures in the background, now and twice a day. A failure is ignored: the
 * baseline stays, and most machines without them cannot reach the mirrors anyway.
 */
export function startSignatureUpdates(deps: SignatureUpdatesDeps): void {
  const program = (deps.find ?? findProgram)(['freshclam'])
  if (program === null) return
  const update = (): void => {
    fetchSignatures(program, deps).catch(() => {})
  }
  update()
  const timer = setInterval(update, EVERY_MS)
  timer.unref()
  onAbort(deps.signal, () => clearInterval(timer))
}

export async function fetchSignatures(program: string, deps: SignatureUpdatesDeps): Promise<void> {
  const { signaturesDir, socketDir, clamd, guard, notice, signal, env, mirror = MIRROR } = deps
  await fetch(mirror, {
    method: 'HEAD',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)])
  })
  const first = officialIn(signaturesDir).length === 0
  const confFile = join(socketDir, 'freshclam.conf')
  // No path of the data folder here, for the same reason as in clamd.conf.
  const lines = [
    `DatabaseDirectory ${join(socketDir, 'signatures')}`,
    'DatabaseMirror database.clamav.net',
    'Bytecode yes'
  ]
  // Started by root, it would switch to a user who cannot write here.
  if (process.getuid?.() === 0) lines.push('DatabaseOwner root')
  writeFileSync(confFile, `${lines.join('\n')}\n`, { mode: 0o600 })
  const { command, args } = guard(program, ['--stdout', '--foreground', `--config-file=${confFile}`])
  await exec(command, args, { signal, timeout: FETCH_TIMEOUT_MS, env, maxBuffer: 16 * 1024 * 1024 })
  if (officialIn(signaturesDir).length === 0) return
  await reloadClamd(clamd, AbortSignal.any([signal, AbortSignal.timeout(10_000)]))
  if (first) notice("ClamAV's official signatures were fetched and are in use.")
}
