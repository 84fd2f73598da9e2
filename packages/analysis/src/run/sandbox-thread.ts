import { Worker } from 'node:worker_threads'
import type { FunctionRun, Versions } from './compare-runs.js'

export type Question = { versions: Versions } | { mutant: string } | { areYouThere: true }
export type Answer =
  | { isThere: true }
  | { functions: FunctionRun[] | null }
  | { isNoticed: boolean }
  | { failure: string }

/** Code in the sandbox took more of the processor than it may; its thread is gone. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError'
}

const LOOK_EVERY_MS = 20
/** Of the processor, for one call: the steps that it may take need a twentieth of this. */
const MAX_CALL_MS = 1_000

interface Thread {
  worker: Worker
  /** Calls and loads that began so far, counted by the thread. */
  calls: Int32Array
}
let kept: Thread | null = null

/**
 * Asks the thread with the sandbox. The sandbox counts steps, but a single step may take minutes: a power of
 * large integers, a search in a list of four billion holes. A thread can be ended in the middle of one.
 *
 * @param hasTime is asked while the thread works.
 */
export function askSandbox(question: Question, hasTime: () => boolean): Promise<Answer> {
  const thread = (kept ??= start())
  const { worker, calls } = thread
  return new Promise((resolve, reject) => {
    let seen = Atomics.load(calls, 0)
    let since = process.cpuUsage()
    const hangs = (): boolean => {
      const now = Atomics.load(calls, 0)
      if (now !== seen) [seen, since] = [now, process.cpuUsage()]
      const { user, system } = process.cpuUsage(since)
      return 'versions' in question && (user + system) / 1_000 > MAX_CALL_MS
    }
    const watch = setInterval(() => {
      if (!hasTime() || hangs()) end(() => reject(new OutOfTimeError()))
    }, LOOK_EVERY_MS)
    const onMessage = (answer: Answer): void => {
      stop()
      resolve(answer)
    }
    const onGone = (): void => end(() => reject(new Error('the thread of the sandbox ended')))
    worker.on('message', onMessage).on('error', onGone).on('exit', onGone)
    worker.ref()
    worker.postMessage(question)

    function stop(): void {
      clearInterval(watch)
      worker.off('message', onMessage).off('error', onGone).off('exit', onGone)
      worker.unref()
    }

    function end(settle: () => void): void {
      stop()
      if (kept === thread) kept = null
      // An error that comes with its end has nobody left to tell.
      worker.on('error', () => {})
      void worker.terminate().then(settle, settle)
    }
  })
}

function start(): Thread {
  const calls = new Int32Array(new SharedArrayBuffer(4))
  // Beside this file in a bundle, too, which has it under the same name.
  const worker = new Worker(new URL('./sandbox.worker.js', import.meta.url), {
    env: {},
    workerData: calls,
    stdout: false,
    resourceLimits: { maxOldGenerationSizeMb: 128 }
  })
  worker.unref()
  return { worker, calls }
}
