import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { AppError } from '@filewright/runtime'

/**
 * The repository's infra/clamav. Found by the package's name, which also works in the local stack's bundle.
 */
const infraFolder = (): string =>
  join(createRequire(import.meta.url).resolve('@filewright/scanner/package.json'), '../../../infra/clamav')

/**
 * The kernel's sun_path has 108 bytes including the NUL; clamd would only report "Socket file could not be
 * bound".
 */
const SOCKET_PATH_BYTES = 107

export interface ClamdConfOptions {
  socketPath: string
  /** Must contain at least one signature file, or clamd does not start. */
  databaseDir: string
  tempDir: string
  /** Default: clamd logs to its standard output. */
  logFile?: string
  pidFile?: string
}

/** Our clamd.conf for these paths. A setting without a path is left out. */
export async function renderClamdConf(options: ClamdConfOptions): Promise<string> {
  const values: Record<string, string | undefined> = {
    SOCKET: options.socketPath,
    DATABASE_DIR: options.databaseDir,
    TEMP_DIR: options.tempDir,
    LOG_FILE: options.logFile,
    PID_FILE: options.pidFile
  }
  for (const [name, value] of Object.entries(values)) {
    // clamd.conf quotes with " and has no escapes.
    if (value !== undefined && /["\n\r\0]/.test(value)) {
      throw new AppError('CONFIG_INVALID', `${name} of clamd must not contain quotes or line breaks`)
    }
  }
  if (Buffer.byteLength(options.socketPath) > SOCKET_PATH_BYTES) {
    throw new AppError(
      'CONFIG_INVALID',
      `the socket path of clamd is longer than ${SOCKET_PATH_BYTES} bytes: ${options.socketPath}`
    )
  }
  const template = await readFile(join(infraFolder(), 'clamd.conf'), 'utf8')
  return template
    .split('\n')
    .flatMap((line) => {
      const placeholder = /^[^#]*\{\{(\w+)\}\}/.exec(line)?.[1]
      if (placeholder === undefined) return [line]
      const value = values[placeholder]
      return value === undefined ? [] : [line.replace(`{{${placeholder}}}`, () => value)]
    })
    .join('\n')
}

/** The folder with our own signature files, to be copied into clamd's database directory. */
export function baselineSignaturesDir(): string {
  return join(infraFolder(), 'signatures')
}
