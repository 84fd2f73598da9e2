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
 * What every `main.ts` does: start, then stop in order on a signal; a failed start is one sentence and exit
 * code 1.
 */
export async function runService(start: () => Promise<RunningService>): Promise<void> {
  try {
    const service = await start()
    const { logger, steps, stopGraceMs: timeoutMs } = service
    installShutdown({ logger, steps, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
    service.logger.info('started')
    // To who started it with a channel: whatever answers on the port before may be another program.
    process.send?.('started')
  } catch (error) {
    endWithSentence(error)
  }
}

/** Before there is a service there is no log to read: the sentence goes where the operator looks. */
export function endWithSentence(error: unknown): never {
  process.stderr.write(`${sentenceOf(error)}\n`)
  process.exit(1)
}

/**
 * Foreseen failures, ours and the system's (a port in use), say enough in one line; the rest needs its stack.
 */
function sentenceOf(error: unknown): string {
  const { code, message, stack } = error as NodeJS.ErrnoException
  return isAppError(error) || code !== undefined ? message : (stack ?? message)
}
