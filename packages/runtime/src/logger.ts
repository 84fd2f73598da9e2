import { pino, type Logger } from 'pino'
import { logFields } from './log-context.js'

export type { Logger } from 'pino'

export interface LoggerOptions {
  name: string
  level: string
  /** Default: on a terminal. */
  pretty?: boolean | undefined
}

/** JSON lines on stdout; secrets that could reach a log object are cut out by key. */
export function createLogger ({ name, level, pretty = process.stdout.isTTY }: LoggerOptions): Logger {
  return pino({
    name,
    level,
    mixin: logFields,
    redact: ['headers.authorization', '*.headers.authorization', '*.token', '*.password'],
    ...(pretty ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } } : {})
  })
}
