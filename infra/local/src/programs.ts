import { readFileSync } from 'node:fs'
import { findApt, type Apt } from './apt.js'
import { StackError, messageOf } from './errors.js'
import { findProgram } from './find-program.js'

/** The last three are only for the tests: the local stack has its own PostgreSQL in WebAssembly. */
export type ProgramName = 'redis' | 'clamd' | 'postgres' | 'chromium' | 'pgbouncer'

interface Program {
  names: readonly string[]
  aptPackage: string
  /** The setting that replaces it. */
  setting: string
}

const PROGRAMS: Record<ProgramName, Program> = {
  redis: { names: ['redis-server', 'valkey-server'], aptPackage: 'redis-server', setting: 'REDIS_URL' },
  clamd: { names: ['clamd'], aptPackage: 'clamav-daemon', setting: 'CLAMD_SOCKET or CLAMD_HOST' },
  postgres: { names: ['initdb'], aptPackage: 'postgresql', setting: 'PATH' },
  chromium: {
    names: ['chromium', 'chromium-browser', 'google-chrome'],
    aptPackage: 'chromium',
    setting: 'PATH'
  },
  pgbouncer: { names: ['pgbouncer'], aptPackage: 'pgbouncer', setting: 'PATH' }
}

/** By system: the package manager, and its package names. */
const INSTALLERS: Array<{ ids: string[]; command: string; packages: Record<ProgramName, string> }> = [
  {
    ids: ['debian', 'ubuntu'],
    command: 'sudo apt-get install',
    packages: {
      redis: 'redis-server',
      clamd: 'clamav-daemon',
      postgres: 'postgresql',
      chromium: 'chromium',
      pgbouncer: 'pgbouncer'
    }
  },
  {
    ids: ['fedora', 'rhel', 'centos'],
    command: 'sudo dnf install',
    packages: {
      redis: 'valkey',
      clamd: 'clamd',
      postgres: 'postgresql-server',
      chromium: 'chromium',
      pgbouncer: 'pgbouncer'
    }
  },
  {
    ids: ['arch'],
    command: 'sudo pacman -S',
    packages: {
      redis: 'valkey',
      clamd: 'clamav',
      postgres: 'postgresql',
      chromium: 'chromium',
      pgbouncer: 'pgbouncer'
    }
  },
  {
    ids: ['alpine'],
    command: 'apk add',
    packages: {
      redis: 'redis',
      clamd: 'clamav-daemon',
      postgres: 'postgresql',
      chromium: 'chromium',
      pgbouncer: 'pgbouncer'
    }
  },
  {
    ids: ['suse', 'opensuse'],
    command: 'sudo zypper install',
    packages: {
      redis: 'redis',
      clamd: 'clamav',
      postgres: 'postgresql',
      chromium: 'chromium',
      pgbouncer: 'pgbouncer'
    }
  },
  {
    ids: ['darwin'],
    command: 'brew install',
    packages: {
      redis: 'redis',
      clamd: 'clamav',
      postgres: 'postgresql',
      chromium: '--cask chromium',
      pgbouncer: 'pgbouncer'
    }
  }
]

export interface ProgramsDeps {
  say: (line: string) => void
  find?: (names: readonly string[]) => string | null
  apt?: () => Promise<Apt | null>
  /** Ids of this system, most specific first. */
  system?: () => string[]
}

/** Full paths of the requested programs; missing ones are installed where possible, with a message. */
export async function ensurePrograms<Name extends ProgramName>(
  wanted: readonly Name[],
  { say, find = findProgram, apt = findApt, system = systemIds }: ProgramsDeps,
  signal: AbortSignal
): Promise<Record<Name, string>> {
  const missing = wanted.filter((name) => find(PROGRAMS[name].names) === null)
  if (missing.length > 0) {
    const installer = await apt()
    if (installer === null) throw new StackError(missingSentence(missing, system()))
    const packages = missing.map((name) => PROGRAMS[name].aptPackage)
    say(
      `Installing ${packages.join(' and ')} with apt-get (not found on this system; takes about half a minute)…`
    )
    try {
      await installer.install(packages, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw new StackError(
        `apt-get could not install ${packages.join(' and ')}: ${messageOf(error)}. ${missingSentence(missing, system())}`,
        { cause: error }
      )
    }
  }
  const paths: Partial<Record<Name, string>> = {}
  for (const name of wanted) {
    const path = find(PROGRAMS[name].names)
    if (path === null) throw new StackError(missingSentence([name], system()))
    paths[name] = path
  }
  return paths as Record<Name, string>
}

function missingSentence(missing: readonly ProgramName[], ids: readonly string[]): string {
  const what = missing.map((name) => PROGRAMS[name].names.join(' or ')).join(' and ')
  const settings = missing.map((name) => PROGRAMS[name].setting).join(' and ')
  const installer = INSTALLERS.find((candidate) => candidate.ids.some((id) => ids.includes(id)))
  const how =
    installer === undefined
      ? 'install with your package manager'
      : `install with: ${installer.command} ${missing.map((name) => installer.packages[name]).join(' ')}`
  return `Filewright needs ${what}, which this system lacks: ${how} (or set ${settings} to use one that runs elsewhere).`
}

export function systemIds(osRelease = '/etc/os-release'): string[] {
  if (process.platform !== 'linux') return [process.platform]
  try {
    const text = readFileSync(osRelease, 'utf8')
    return ['ID', 'ID_LIKE'].flatMap(
      (key) => new RegExp(`^${key}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1]?.split(' ') ?? []
    )
  } catch {
    return []
  }
}
