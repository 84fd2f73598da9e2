import type { Logger } from './logger.js'

export interface ShutdownStep {
  name: string
  /** May return a promise, which is waited for. */
  run: () => unknown
}

export interface ShutdownOptions {
  logger: Logger
  /** Taken in order; each is tried even if the one before it failed. */
  steps: ShutdownStep[]
  /**
   * After this the process exits with 1, done or not. Default 8 s: below the 10 s that orchestrators give.
   */
  timeoutMs?: number
  /**
   * Set to false when no parent process holds our IPC channel. Default true: a vanished supervisor ends its
   * children.
   */
  exitWithParent?: boolean
}

const FLUSH_MS = 500

/**
 * At the exit pino writes what it still holds, and tries for ever when nobody reads its output any more, as
 * after the death of the supervisor. A write before that finds out, and makes it give up.
 */
async function flushed(logger: Logger): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, FLUSH_MS)
    logger.flush(() => {
      resolve()
    })
  })
}

/** Runs the steps once, on SIGTERM, SIGINT or the loss of the parent, then exits: 0 if all went well. */
export function installShutdown({
  logger,
  steps,
  timeoutMs = 8_000,
  exitWithParent = true
}: ShutdownOptions): void {
  let stopping = false

  async function stop(reason: string): Promise<void> {
    if (stopping) return
    stopping = true
    logger.info({ reason }, 'stopping')
    setTimeout(() => {
      logger.error('shutdown took too long')
      void flushed(logger).then(() => process.exit(1))
    }, timeoutMs).unref()

    let failed = false
    for (const step of steps) {
      try {
        await step.run()
      } catch (error) {
        failed = true
        logger.error({ err: error, step: step.name }, 'shutdown step failed')
      }
    }
    logger.info('stopped')
    await flushed(logger)
    process.exit(failed ? 1 : 0)
  }

  process.once('SIGTERM', () => {
    void stop('SIGTERM')
  })
  process.once('SIGINT', () => {
    void stop('SIGINT')
  })
  if (exitWithParent && process.channel != null) {
    process.once('disconnect', () => {
      void stop('parent gone')
    })
  }
}
