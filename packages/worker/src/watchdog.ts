import { Worker } from 'node:worker_threads'
import type { Logger } from '@filewright/runtime'

const TICK_MS = 1_000
/** How long the process has to end by itself before it is killed. Only a blocked event loop takes longer. */
const EXIT_TICKS = 5

export interface WatchdogOptions {
  /** Longer than any job may take; 0 turns it off. */
  seconds: number
  logger: Logger
  /** How the process ends. Default: with exit code 1, without giving jobs back. */
  end?: () => void
}

export interface Watchdog {
  /** The handler, with its jobs counted. */
  watched: <A extends unknown[], R>(handle: (...args: A) => Promise<R>) => (...args: A) => Promise<R>
  stop: () => Promise<void>
}

const LONGEST_JOBS = 3

/** @param wanted 0 turns it off */
export function watchdogSeconds(wanted: number, longestJobMs: number): number {
  return wanted === 0 ? 0 : Math.max(wanted, Math.ceil((LONGEST_JOBS * longestJobMs) / 1_000))
}

/**
 * Ends the process when it has had jobs for so many seconds and finished none of them, so that its supervisor
 * starts it again. The jobs' locks run out, and other workers take them. They are not given back: that costs a
 * job nothing, and one that hangs every worker must end at last.
 *
 * A thread counts, because a blocked event loop counts nothing. It counts ticks of its own: neither a jump of
 * the clock nor a process that was frozen looks like a job that hangs.
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
  thread?.on('error', (error) => {
    logger.warn({ err: error }, 'the watchdog has ended')
  })

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

/** As text, so that it is a part of the bundle. In `state` are the jobs at work and the number that have ended. */
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
