import type { Logger } from './logger.js'

export interface ShutdownStep {
  name: string
  /** May return a promise, which is awaited. */
  run: () => unknown
}

export interface ShutdownOptions {
  logger: Logger
  /** Run in order; each runs even if the one before it failed. */
  steps: ShutdownStep[]
  /**
   * After this the process exits with 1, finished or not. Default 8 s: below the 10 s that orchestrators
   * allow.
   */
  timeoutMs?: number
  /**
   * Set to false when no parent process holds our IPC channel. Default true: children exit when their
   * supervisor is gone.
   */
  exitWithParent?: boolean
}

const FLUSH_MS = 500

/**
 * At exit pino flushes its buffer, and retries forever when its output is no longer read, as after the
 * supervisor's death. A write before that detects this, and makes it give up.
 */
async function flushed(logger: Logger): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, FLUSH_MS)
    logger.flush(() => resolve())
  })
}

/** Runs the steps once, on SIGTERM, SIGINT or the loss of the parent, then exits: 0 if all succeeded. */
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
