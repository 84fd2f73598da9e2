import { pino, type Logger } from 'pino'

export type { Logger } from 'pino'

export interface LoggerOptions {
  name: string
  level: string
}

/**
 * A busy service writes many lines at once. The rest is flushed at exit, and immediately after a `fatal`
 * line.
 */
const BUFFER_CHARS = 4_096
const FLUSH_MS = 100
/** Removes secrets that could reach a log object, by key. */
const REDACT = ['headers.authorization', '*.headers.authorization', '*.token', '*.password']

/** JSON lines on stdout. */
export function createLogger(options: LoggerOptions): Logger {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: BUFFER_CHARS,
    periodicFlush: FLUSH_MS
  })
  return pino({ ...options, redact: REDACT }, destination)
}

/** The logger of an app: human-readable on a terminal, or with `pretty`. */
export async function createAppLogger({
  pretty = process.stdout.isTTY,
  ...options
}: LoggerOptions & { pretty?: boolean | undefined }): Promise<Logger> {
  if (!pretty) return createLogger(options)
  // A stream instead of a pino transport, which would look for its own files that a bundle does not have.
  const { default: prettyStream } = await import('pino-pretty')
  return pino({ ...options, redact: REDACT }, prettyStream({ ignore: 'pid,hostname' }))
}
