import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { StackError, messageOf } from '../errors.js'
import type { ClamdAddress } from '../options.js'
import { ask, waitUntil } from '../wait.js'
import type { Service, ServiceContext } from './service.js'

const SYSTEM_SIGNATURES = '/var/lib/clamav'
const OFFICIAL = /\.(cvd|cld)$/
const ELSEWHERE_TIMEOUT_MS = 5_000

export interface ClamdContext extends ServiceContext {
  systemSignatures?: string
}

export interface ClamdPart extends Service<ClamdAddress> {
  /** There is only our own baseline, no official database. */
  baselineOnly: boolean
  /** No other program updates its signatures. */
  updatable: boolean
  /** Settings for the scan workers besides the address. */
  workerEnv: NodeJS.ProcessEnv
}

/** `CLAMD_SOCKET` or `CLAMD_HOST`, otherwise a private clamd with our own settings. */
export function planClamd(
  choice: { address: ClamdAddress } | { program: string },
  context: ClamdContext
): ClamdPart {
  return 'address' in choice ? clamdElsewhere(choice.address) : privateClamd(choice.program, context)
}

function clamdElsewhere(address: ClamdAddress): ClamdPart {
  const where = 'socket' in address ? address.socket : `${address.host}:${address.port}`
  return {
    address,
    note: `clamd at ${where} (${'socket' in address ? 'CLAMD_SOCKET' : 'CLAMD_HOST'})`,
    baselineOnly: false,
    updatable: false,
    workerEnv: {},
    check: async (signal) => {
      const missing = await waitUntil(async (soon) => await ping(address, soon).catch(messageOf), {
        signal,
        timeoutMs: ELSEWHERE_TIMEOUT_MS
      })
      if (missing !== null) throw new StackError(`clamd at ${where} cannot be reached: ${missing}.`)
    }
  }
}

function privateClamd(program: string, context: ClamdContext): ClamdPart {
  const { paths, env, guard, socketDir, systemSignatures = SYSTEM_SIGNATURES } = context
  const address = { socket: join(socketDir, 'clamd.sock') }
  // Through a link: clamd.conf cannot escape every character that the data folder's path may contain.
  const databaseDir = join(socketDir, 'signatures')
  const tempDir = join(socketDir, 'scan')
  const confFile = join(socketDir, 'clamd.conf')
  linkSystemSignatures(paths.signatures, systemSignatures)
  symlinkSync(paths.signatures, databaseDir)
  const official = officialIn(paths.signatures)
  return {
    address,
    note: `clamd: private ${program}, ${official.length > 0 ? `official signatures (${official.join(', ')}) and our baseline` : 'baseline signatures only'}`,
    baselineOnly: official.length === 0,
    updatable: officialIn(systemSignatures).length === 0,
    workerEnv: { CLAMD_DATABASE_DIR: paths.signatures },
    setUp: async () => {
      // Loaded here because it takes a while, during which PostgreSQL and Redis can start.
      const { baselineSignaturesDir, renderClamdConf } = await import('@filewright/scanner')
      const baseline = baselineSignaturesDir()
      // Files of an earlier version are removed.
      const earlier = readdirSync(paths.signatures).filter((name) => name.startsWith('filewright.'))
      for (const name of earlier) rmSync(join(paths.signatures, name))
      for (const name of readdirSync(baseline)) {
        copyFileSync(join(baseline, name), join(paths.signatures, name))
        chmodSync(join(paths.signatures, name), 0o600)
      }
      writeFileSync(confFile, await renderClamdConf({ socketPath: address.socket, databaseDir, tempDir }), {
        mode: 0o600
      })
    },
    child: {
      name: 'clamd',
      tier: 'base',
      ...guard(program, ['--foreground', `--config-file=${confFile}`]),
      env,
      logFile: join(paths.logs, 'clamd.log'),
      ipc: false,
      prepare: () => {
        // A killed clamd leaves its socket and the files it was unpacking.
        rmSync(address.socket, { force: true })
        rmSync(tempDir, { recursive: true, force: true })
        mkdirSync(tempDir, { mode: 0o700 })
      },
      ready: async (signal) => await ping(address, signal).catch(() => 'it is loading its signatures'),
      // The official database takes half a minute on a slow machine.
      readyTimeoutMs: 180_000
    }
  }
}

/**
 * Links the system's official signatures, if there are any, beside our own and those that freshclam
 * downloaded here. Links, so that updates by the system's freshclam are seen without copying 300 MB.
 */
export function linkSystemSignatures(folder: string, systemSignatures: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) {
    if (lstatSync(join(folder, name)).isSymbolicLink()) rmSync(join(folder, name))
  }
  for (const name of officialIn(systemSignatures)) {
    rmSync(join(folder, name), { force: true })
    symlinkSync(join(systemSignatures, name), join(folder, name))
  }
}

export function officialIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => OFFICIAL.test(name))
      .sort()
  } catch {
    return []
  }
}

async function ping(address: ClamdAddress, signal: AbortSignal): Promise<string | null> {
  return await command(address, 'PING', 'PONG', signal)
}

/** Null when clamd gives the expected reply, otherwise its reply. */
async function command(
  address: ClamdAddress,
  name: string,
  expected: string,
  signal: AbortSignal
): Promise<string | null> {
  const reply = await ask(
    'socket' in address ? { path: address.socket } : address,
    `z${name}\0`,
    (text) => text.endsWith('\0'),
    signal
  )
  return reply === `${expected}\0` ? null : `it answers ${JSON.stringify(reply)}`
}

/** Makes clamd load new signatures while it continues to scan. */
export async function reloadClamd(address: ClamdAddress, signal: AbortSignal): Promise<void> {
  await command(address, 'RELOAD', 'RELOADING', signal)
}
