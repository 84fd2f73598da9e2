import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { AppError } from '@filewright/runtime'
import type { MethodName, Methods, Reply, Request } from './methods.js'

export interface AnalysisPoolOptions {
  /** Processes; default one less than the cores, at most 4. Each holds about 200 MB when it has seen every language. */
  size?: number | undefined
  /** For one job of the largest size, from the moment a process has it; default 10 s. Small ones get two fifths of it, once their parsers are loaded. */
  timeoutMs?: number | undefined
  /** Jobs that may wait for a process; default 256. */
  maxQueued?: number | undefined
  /** Characters of code in jobs that wait; one more job is refused above it. Default three of the largest: half a minute of work. */
  maxQueuedChars?: number | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

export interface AnalysisPool {
  analyze: (input: Parameters<Methods['analyze']>[0], options?: CallOptions) => ReturnType<Methods['analyze']>
  checkSyntax: (code: string, language: Parameters<Methods['checkSyntax']>[1], options?: CallOptions) => ReturnType<Methods['checkSyntax']>
  exportsOf: (code: string, language: Parameters<Methods['exportsOf']>[1], options?: CallOptions) => ReturnType<Methods['exportsOf']>
  fix: (input: Parameters<Methods['fix']>[0], options?: CallOptions) => ReturnType<Methods['fix']>
  measure: (code: string, language: Parameters<Methods['measure']>[1], options?: CallOptions) => ReturnType<Methods['measure']>
  describeDiff: (before: string, after: string, options?: CallOptions) => Promise<ReturnType<Methods['describeDiff']>>
  /** Starts the processes before the first job asks for them. */
  start: () => void
  /** Ends all processes; jobs under way fail with CANCELLED. */
  close: () => Promise<void>
}

interface Job {
  method: MethodName
  args: unknown[]
  chars: number
  settle: (outcome: { result: unknown } | { error: Error }) => void
}

interface Slot {
  child: ChildProcess
  isReady: boolean
  job: Job | null
  id: number
  timer: NodeJS.Timeout
}

/** A process that does not come up within this is not going to. */
const startTimeoutMs = 60_000

/**
 * The analyzers in processes of their own, so that the caller's event loop stays free. Processes rather than threads, because parsers are
 * native code: a thread cannot be stopped inside one, and a crash there takes the whole process along. A job that takes too long, or that
 * brings its process down, fails alone: the process is killed and a new one takes its place. The first are made when a job comes, or by `start`.
 */
export function createAnalysisPool (options: AnalysisPoolOptions = {}): AnalysisPool {
  const { size = Math.max(1, Math.min(4, availableParallelism() - 1)), timeoutMs = 10_000, maxQueued = 256, maxQueuedChars = 800_000 } = options
  const slots = new Set<Slot>()
  const queue: Job[] = []
  let closed = false
  let lastId = 0

  function spawn (): void {
    // By its package, not by its place beside this file: the apps are bundled.
    const child = fork(new URL(import.meta.resolve('@filewright/analysis/worker')), {
      execArgv: ['--max-old-space-size=768'],
      // It handles hostile code: nothing of our environment is its business.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc']
    })
    const timer = setTimeout(() => replace(slot, new AppError('JOB_FAILED', 'analysis process did not start')), startTimeoutMs).unref()
    const slot: Slot = { child, isReady: false, job: null, id: 0, timer }
    slots.add(slot)
    child.on('message', (reply) => onReply(slot, reply as Reply))
    child.on('error', (error) => replace(slot, new AppError('JOB_FAILED', `analysis process failed: ${error.message}`, { cause: error })))
    child.on('exit', (code, signal) => replace(slot, new AppError('JOB_FAILED', `analysis process ended (${signal ?? code ?? 'unknown'})`)))
    holdOpen(slot, queue.length > 0)
  }

  /** An idle process must not keep the caller's alive. */
  function holdOpen ({ child }: Slot, isHeld: boolean): void {
    if (isHeld) {
      child.ref()
      child.channel?.ref()
    } else {
      child.unref()
      child.channel?.unref()
    }
  }

  function replace (slot: Slot, error: AppError): void {
    if (!slots.delete(slot)) return
    clearTimeout(slot.timer)
    slot.child.kill('SIGKILL')
    slot.job?.settle({ error })
    // One that cannot even start is not tried again until somebody asks.
    if (!closed && (slot.isReady || queue.length > 0)) spawn()
    next()
  }

  function onReply (slot: Slot, reply: Reply): void {
    if ('ready' in reply) {
      slot.isReady = true
      clearTimeout(slot.timer)
      holdOpen(slot, false)
      next()
      return
    }
    const { job } = slot
    if (job === null || reply.id !== slot.id) return
    if ('isLoaded' in reply) return limit(slot, job, limitOf(job.chars, timeoutMs))
    slot.job = null
    clearTimeout(slot.timer)
    holdOpen(slot, false)
    job.settle(reply.ok ? { result: reply.result } : { error: new AppError('JOB_FAILED', `analysis failed: ${reply.message}`) })
    if (reply.ok && reply.tainted) replace(slot, new AppError('JOB_FAILED', 'analysis process replaced'))
    else next()
  }

  function limit (slot: Slot, job: Job, ms: number): void {
    clearTimeout(slot.timer)
    slot.timer = setTimeout(() => replace(slot, new AppError('DEADLINE_EXCEEDED', `${job.method} of ${job.chars} characters took longer than ${ms} ms`)), ms)
  }

  function next (): void {
    for (const slot of slots) {
      if (!slot.isReady || slot.job !== null) continue
      const job = takeShortest(queue)
      if (job === undefined) return
      slot.job = job
      slot.id = ++lastId
      holdOpen(slot, true)
      limit(slot, job, timeoutMs)
      slot.child.send({ id: slot.id, method: job.method, args: job.args } satisfies Request)
    }
    if (queue.length > 0) for (const slot of slots) if (!slot.isReady) holdOpen(slot, true)
  }

  function run (method: MethodName, args: unknown[], { signal }: CallOptions = {}): Promise<never> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new AppError('CANCELLED', 'the analysis pool is closed'))
      if (signal?.aborted === true) return reject(cancelled(signal))
      const chars = charsOf(args)
      const waitingChars = queue.reduce((sum, waiting) => sum + waiting.chars, 0)
      if (queue.length >= maxQueued || (waitingChars > 0 && waitingChars + chars > maxQueuedChars)) {
        return reject(new AppError('OVERLOADED', `${queue.length} analysis jobs of ${waitingChars} characters are waiting`, { retryable: true }))
      }
      const onAbort = (): void => {
        const waiting = queue.indexOf(job)
        if (waiting !== -1) queue.splice(waiting, 1)
        job.settle({ error: cancelled(signal!) })
        // A parser cannot be asked to stop half way.
        for (const slot of slots) if (slot.job === job) replace(slot, cancelled(signal!))
      }
      const job: Job = {
        method,
        args,
        chars,
        settle (outcome) {
          signal?.removeEventListener('abort', onAbort)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.result as never)
        }
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.push(job)
      start()
      next()
    })
  }

  function start (): void {
    while (slots.size < size) spawn()
  }

  async function close (): Promise<void> {
    closed = true
    const error = new AppError('CANCELLED', 'the analysis pool is closed')
    for (const job of queue.splice(0)) job.settle({ error })
    await Promise.all([...slots].map(async (slot) => {
      const exited = slot.child.exitCode === null && slot.child.signalCode === null ? once(slot.child, 'exit') : null
      slot.child.ref()
      replace(slot, error)
      await exited
    }))
  }

  return {
    analyze: (input, options) => run('analyze', [input], options),
    checkSyntax: (code, language, options) => run('checkSyntax', [code, language], options),
    exportsOf: (code, language, options) => run('exportsOf', [code, language], options),
    fix: (input, options) => run('fix', [input], options),
    measure: (code, language, options) => run('measure', [code, language], options),
    describeDiff: (before, after, options) => run('describeDiff', [before, after], options),
    start,
    close
  }
}

/** The size from which a job has the whole time. */
const fullTimeChars = 32_768
/** What the smallest job has of it. */
const leastShare = 0.4

/** A small input that is dear to analyze does not hold a process for as long as a large one may; loading parsers is not counted. */
export function limitOf (chars: number, timeoutMs: number): number {
  return Math.ceil(timeoutMs * Math.min(1, leastShare + (1 - leastShare) * chars / fullTimeChars))
}

/** A line of code does not wait behind somebody's quarter of a megabyte. */
function takeShortest (queue: Job[]): Job | undefined {
  const shortest = queue.reduce<Job | undefined>((best, job) => best === undefined || job.chars < best.chars ? job : best, undefined)
  if (shortest !== undefined) queue.splice(queue.indexOf(shortest), 1)
  return shortest
}

function charsOf (args: unknown[]): number {
  return args.flatMap((value) => typeof value === 'object' && value !== null ? Object.values(value) : [value])
    .reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}

function cancelled (signal: AbortSignal): AppError {
  return new AppError('CANCELLED', 'the caller left', { cause: signal.reason })
}
