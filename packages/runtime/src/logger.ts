import { pino, type Logger } from 'pino'

export type { Logger } from 'pino'

export interface LoggerOptions {
  name: string
  level: string
  /** Default: on a terminal. */
  pretty?: boolean | undefined
}

/** A busy service writes many lines at once; a quiet one soon enough. What is left at the end goes out with the exit, a `fatal` line at once. */
const BUFFER_CHARS = 4_096
const FLUSH_MS = 100

/** JSON lines on stdout; secrets that could reach a log object are cut out by key. */
export function createLogger ({ name, level, pretty = process.stdout.isTTY }: LoggerOptions): Logger {
  const options = {
    name,
    level,
    redact: ['headers.authorization', '*.headers.authorization', '*.token', '*.password']
  }
  if (pretty) return pino({ ...options, transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } })
  return pino(options, pino.destination({ dest: 1, sync: false, minLength: BUFFER_CHARS, periodicFlush: FLUSH_MS }))
}
