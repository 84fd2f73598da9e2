import { isAppError } from './errors.js'
import type { Logger } from './logger.js'
import { installShutdown, type ShutdownStep } from './shutdown.js'

export interface RunningService {
  logger: Logger
  steps: ShutdownStep[]
  /** Default 8 s. */
  stopGraceMs?: number
}

/**
 * Used by every `main.ts`: starts, then stops in order on a signal; a failed start prints one sentence and
 * exits with code 1.
 */
export async function runService(start: () => Promise<RunningService>): Promise<void> {
  try {
    const service = await start()
    const { logger, steps, stopGraceMs: timeoutMs } = service
    installShutdown({ logger, steps, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
    service.logger.info('started')
    // Tells the parent process over IPC: another program may answer on the port before that.
    process.send?.('started')
  } catch (error) {
    endWithSentence(error)
  }
}

/** There is no log before the service exists, so the message goes to stderr. */
export function endWithSentence(error: unknown): never {
  process.stderr.write(`${sentenceOf(error)}\n`)
  process.exit(1)
}

/**
 * Expected failures, ours and the system's (a port in use), are explained by one line; others need their
 * stack.
 */
function sentenceOf(error: unknown): string {
  const { code, message, stack } = error as NodeJS.ErrnoException
  return isAppError(error) || code !== undefined ? message : (stack ?? message)
}
