import { Worker } from 'node:worker_threads'
import type { Logger } from '@filewright/runtime'

const TICK_MS = 1_000
/** The time that the process has to exit before it is killed. Only a blocked event loop takes longer. */
const EXIT_TICKS = 5

export interface WatchdogOptions {
  /** Longer than any job may take; 0 turns it off. */
  seconds: number
  logger: Logger
  /** Ends the process. Default: with exit code 1, without returning jobs to the queue. */
  end?: () => void
}

export interface Watchdog {
  /** The handler, with its jobs counted. */
  watched: <A extends unknown[], R>(handle: (...args: A) => Promise<R>) => (...args: A) => Promise<R>
  stop: () => Promise<void>
}

const LONGEST_JOBS = 3

/** @param wanted the setting; 0 turns it off */
export function watchdogSeconds(wanted: number, longestJobMs: number): number {
  return wanted === 0 ? 0 : Math.max(wanted, Math.ceil((LONGEST_JOBS * longestJobMs) / 1_000))
}

/**
 * Ends the process if it has had jobs for that many seconds without finishing one, so that its supervisor
 * restarts it. The jobs' locks expire, and other workers take them. They are not returned to the queue,
 * because that would cost no attempt, and a job that hangs every worker must eventually fail.
 *
 * A separate thread counts, because a blocked event loop cannot. It counts its own ticks, so neither a
 * clock jump nor a frozen process looks like a hanging job.
 */
export function startWatchdog({ seconds, logger, end = () => process.exit(1) }: WatchdogOptions): Watchdog {
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const thread =
    seconds === 0
      ? undefined
      : new Worker(THREAD, {
          eval: true,
          execArgv: [],
          env: {},
          workerData: { state, ticks: seconds, tickMs: TICK_MS, exitTicks: EXIT_TICKS }
        })
  thread?.unref()
  thread?.on('message', () => {
    logger.fatal({ seconds }, 'the worker has jobs and finishes none: it ends, to be started again')
    logger.flush(end)
  })
  thread?.on('error', (error) => logger.warn({ err: error }, 'the watchdog has ended'))

  return {
    watched:
      (handle) =>
      async (...args) => {
        Atomics.add(state, 0, 1)
        try {
          return await handle(...args)
        } finally {
          Atomics.sub(state, 0, 1)
          Atomics.add(state, 1, 1)
        }
      },
    stop: async () => {
      await thread?.terminate()
    }
  }
}

/**
 * A string, so that it is part of the bundle. `state` contains the number of running jobs and of ended jobs.
 */
const THREAD = `
const { parentPort, workerData: { state, ticks, tickMs, exitTicks } } = require('node:worker_threads')
let ended = 0
let silent = 0
setInterval(() => {
  const endedNow = Atomics.load(state, 1)
  silent = Atomics.load(state, 0) === 0 || endedNow !== ended ? 0 : silent + 1
  ended = endedNow
  if (silent === ticks) parentPort.postMessage('stuck')
  if (silent >= ticks + exitTicks) process.kill(process.pid, 'SIGKILL')
}, tickMs)
`
