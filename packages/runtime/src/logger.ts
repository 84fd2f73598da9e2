import { pino, type Logger } from 'pino'

export type { Logger } from 'pino'

export interface LoggerOptions {
  name: string
  level: string
  pretty: boolean
}

/** JSON lines on stdout; secrets that could reach a log object are cut out by key. */
export function createLogger ({ name, level, pretty }: LoggerOptions): Logger {
  return pino({
    name,
    level,
    redact: ['req.headers.authorization', 'headers.authorization', '*.token', '*.password'],
    ...(pretty ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } } : {})
  })
}
