import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError } from '@filewright/runtime'
import type { MethodName, Methods, Reply, Request } from './methods.js'

export interface AnalysisPoolOptions {
  /** Threads; default one less than the cores, at most 4. Each holds about 200 MB when it has seen every language. */
  size?: number | undefined
  /** For one job, from the moment a thread has it; default 10 s. */
  timeoutMs?: number | undefined
  /** Jobs that may wait for a thread; default 256. */
  maxQueued?: number | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

interface Job {
  method: MethodName
  args: unknown[]
  signal: AbortSignal | undefined
  settle: (outcome: { result: unknown } | { error: unknown }) => void
}

interface Slot {
  worker: Worker
  isReady: boolean
  job: Job | null
  id: number
  timer: NodeJS.Timeout | null
}

export interface AnalysisPool {
  analyze: (input: Parameters<Methods['analyze']>[0], options?: CallOptions) => ReturnType<Methods['analyze']>
  checkSyntax: (code: string, language: Parameters<Methods['checkSyntax']>[1], options?: CallOptions) => ReturnType<Methods['checkSyntax']>
  exportsOf: (code: string, language: Parameters<Methods['exportsOf']>[1], options?: CallOptions) => ReturnType<Methods['exportsOf']>
  fix: (input: Parameters<Methods['fix']>[0], options?: CallOptions) => ReturnType<Methods['fix']>
  measure: (code: string, language: Parameters<Methods['measure']>[1], options?: CallOptions) => ReturnType<Methods['measure']>
  describeDiff: (before: string, after: string, options?: CallOptions) => Promise<ReturnType<Methods['describeDiff']>>
  /** Ends all threads; jobs under way fail with CANCELLED. */
  close: () => Promise<void>
}

/** A thread that does not come up within this is not going to. */
const startTimeoutMs = 60_000

/**
 * The analyzers in threads of their own, so that the caller's event loop stays free. A job that takes too long, or that brings its
 * thread down, fails alone: the thread is ended and a new one takes its place.
 */
export function createAnalysisPool ({ size = Math.max(1, Math.min(4, availableParallelism() - 1)), timeoutMs = 10_000, maxQueued = 256 }: AnalysisPoolOptions = {}): AnalysisPool {
  const slots = new Set<Slot>()
  const queue: Job[] = []
  let closed = false
  let lastId = 0

  function spawn (): void {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 768, stackSizeMb: 4 },
      // The parent's flags are not the thread's; nothing in its environment is needed.
      execArgv: [],
      env: {}
    })
    const slot: Slot = { worker, isReady: false, job: null, id: 0, timer: null }
    slots.add(slot)
    slot.timer = setTimeout(() => replace(slot, new AppError('JOB_FAILED', 'analysis thread did not start')), startTimeoutMs).unref()
    worker.on('message', (reply: Reply) => onReply(slot, reply))
    worker.on('error', (error) => replace(slot, new AppError('JOB_FAILED', `analysis thread failed: ${error.message}`, { cause: error })))
    worker.on('exit', () => replace(slot, new AppError('JOB_FAILED', 'analysis thread ended')))
    // Idle threads must not keep the process alive.
    worker.unref()
  }

  function replace (slot: Slot, error: AppError): void {
    if (!slots.delete(slot)) return
    if (slot.timer !== null) clearTimeout(slot.timer)
    slot.job?.settle({ error })
    void slot.worker.terminate()
    if (!closed && (queue.length > 0 || slots.size < size)) spawn()
    next()
  }

  function onReply (slot: Slot, reply: Reply): void {
    if ('ready' in reply) {
      slot.isReady = true
      if (slot.timer !== null) clearTimeout(slot.timer)
      next()
      return
    }
    if (slot.job === null || reply.id !== slot.id) return
    const { job } = slot
    slot.job = null
    if (slot.timer !== null) clearTimeout(slot.timer)
    slot.worker.unref()
    job.settle(reply.ok ? { result: reply.result } : { error: new AppError('JOB_FAILED', `analysis failed: ${reply.message}`) })
    if (reply.ok && reply.tainted) replace(slot, new AppError('JOB_FAILED', 'analysis thread replaced'))
    else next()
  }

  function next (): void {
    for (const slot of slots) {
      if (!slot.isReady || slot.job !== null) continue
      const job = queue.shift()
      if (job === undefined) return
      slot.job = job
      slot.id = ++lastId
      slot.worker.ref()
      slot.timer = setTimeout(() => replace(slot, new AppError('DEADLINE_EXCEEDED', `${job.method} took longer than ${timeoutMs} ms`)), timeoutMs)
      slot.worker.postMessage({ id: slot.id, method: job.method, args: job.args } satisfies Request)
    }
    // Threads that are still starting keep the process alive while somebody waits for them.
    for (const slot of slots) if (!slot.isReady && queue.length > 0) slot.worker.ref()
  }

  function run (method: MethodName, args: unknown[], { signal }: CallOptions = {}): Promise<never> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new AppError('CANCELLED', 'the analysis pool is closed'))
      if (signal?.aborted === true) return reject(cancelled(signal))
      if (queue.length >= maxQueued) return reject(new AppError('OVERLOADED', `${queue.length} analysis jobs are waiting`, { retryable: true }))
      const onAbort = (): void => {
        const waiting = queue.indexOf(job)
        if (waiting !== -1) queue.splice(waiting, 1)
        job.settle({ error: cancelled(signal!) })
        // The thread cannot be asked to stop in the middle of a parse.
        for (const slot of slots) if (slot.job === job) replace(slot, new AppError('CANCELLED', 'the caller left'))
      }
      const job: Job = {
        method,
        args,
        signal,
        settle (outcome) {
          signal?.removeEventListener('abort', onAbort)
          if ('error' in outcome) reject(outcome.error as Error)
          else resolve(outcome.result as never)
        }
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.push(job)
      while (slots.size < size) spawn()
      next()
    })
  }

  async function close (): Promise<void> {
    closed = true
    const error = new AppError('CANCELLED', 'the analysis pool is closed')
    for (const job of queue.splice(0)) job.settle({ error })
    await Promise.all([...slots].map((slot) => {
      replace(slot, error)
      return slot.worker.terminate()
    }))
  }

  for (let index = 0; index < size; index++) spawn()

  return {
    analyze: (input, options) => run('analyze', [input], options),
    checkSyntax: (code, language, options) => run('checkSyntax', [code, language], options),
    exportsOf: (code, language, options) => run('exportsOf', [code, language], options),
    fix: (input, options) => run('fix', [input], options),
    measure: (code, language, options) => run('measure', [code, language], options),
    describeDiff: (before, after, options) => run('describeDiff', [before, after], options),
    close
  }
}

function cancelled (signal: AbortSignal): AppError {
  return new AppError('CANCELLED', 'the caller left', { cause: signal.reason })
}
