import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// Daemons are in sbin folders, which an ordinary user's PATH lacks.
const BESIDE_PATH = [
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/usr/bin',
  '/opt/homebrew/bin',
  '/opt/homebrew/sbin'
]

/** Debian's PostgreSQL, by version. */
const POSTGRES = '/usr/lib/postgresql'

/** Full path of the first of these programs that is executable, or null. */
export function findProgram(
  names: readonly string[],
  path: string = process.env.PATH ?? '',
  beside: readonly string[] = besidePath()
): string | null {
  const folders = [...path.split(delimiter).filter((folder) => folder !== ''), ...beside]
  for (const name of names) {
    for (const folder of folders) {
      const candidate = join(folder, name)
      if (isRunnable(candidate)) return candidate
    }
  }
  return null
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function besidePath(): string[] {
  try {
    return [...BESIDE_PATH, ...readdirSync(POSTGRES).map((version) => join(POSTGRES, version, 'bin'))]
  } catch {
    return BESIDE_PATH
  }
}
