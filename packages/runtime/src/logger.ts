import { pino, type Logger } from 'pino'

export type { Logger } from 'pino'

export interface LoggerOptions {
  name: string
  level: string
}

/**
 * A busy service writes many lines at once; a quiet one soon enough. What is left at the end goes out with
 * the exit, a `fatal` line at once.
 */
const BUFFER_CHARS = 4_096
const FLUSH_MS = 100
/** Secrets that could reach a log object are cut out by key. */
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

/** The logger of an app: lines for people on a terminal, or where `pretty` asks for them. */
export async function createAppLogger({
  pretty = process.stdout.isTTY,
  ...options
}: LoggerOptions & { pretty?: boolean | undefined }): Promise<Logger> {
  if (!pretty) return createLogger(options)
  // A stream, not a transport of pino's: that would look for files of its own, which a bundle does not have.
  const { default: prettyStream } = await import('pino-pretty')
  return pino({ ...options, redact: REDACT }, prettyStream({ ignore: 'pid,hostname' }))
}
