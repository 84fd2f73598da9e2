import { AppError, onAbort } from '@filewright/runtime'
import type { DescribeOptions } from '@filewright/analysis'
import { startAnalysisProcess, type AnalysisProcess, type Job } from './analysis-process.js'
import { createJobLine, type Amount, type ProcessKind } from './job-line.js'
import { charsOf, isSmallJob } from './job-size.js'
import type { MethodName, Methods } from './methods.js'
import { defaultPoolSize } from './pool-size.js'

export interface AnalysisPoolOptions {
  /**
   * Processes that take every job; by default as many as cores and memory allow, at most 4. One more takes
   * small jobs only. Each uses about 200 MB once it has seen every language, and at most 768 MB.
   */
  size?: number | undefined
  /**
   * CPU time for one job of the maximum size, once its parsers are loaded; default 10 s. Small jobs get at
   * least a fifth of it. A job that takes more fails with DEADLINE_EXCEEDED: the time depends on the machine,
   * so partial results would differ between runs.
   */
  maxCpuMs?: number | undefined
  /**
   * Wall-clock time for one job in a process; default 90 s. Only a job whose process hardly runs reaches it,
   * and fails with DEADLINE_EXCEEDED.
   */
  timeoutMs?: number | undefined
  /**
   * What one lane may queue; more is refused. Default: 256 jobs, and as much code as 256 jobs of the maximum
   * size.
   */
  maxPerLane?: Amount | undefined
  /** What all lanes together may queue. Default: twice as much. */
  maxInTotal?: Amount | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** The owner of the job. Lanes take turns. Default: one lane for all. */
  lane?: string | undefined
}

type Input<M extends MethodName> = Parameters<Methods[M]>[0]
type LanguageOf<M extends 'checkSyntax' | 'exportsOf' | 'measure'> = Parameters<Methods[M]>[1]
type Result<M extends MethodName> = Promise<Awaited<ReturnType<Methods[M]>>>

export interface Analyzers {
  analyze: (input: Input<'analyze'>, options?: CallOptions) => Result<'analyze'>
  checkSyntax: (
    code: string,
    language: LanguageOf<'checkSyntax'>,
    options?: CallOptions
  ) => Result<'checkSyntax'>
  exportsOf: (code: string, language: LanguageOf<'exportsOf'>, options?: CallOptions) => Result<'exportsOf'>
  fix: (input: Input<'fix'>, options?: CallOptions) => Result<'fix'>
  measure: (code: string, language: LanguageOf<'measure'>, options?: CallOptions) => Result<'measure'>
  describeDiff: (
    before: string,
    after: string,
    options?: CallOptions & DescribeOptions
  ) => Result<'describeDiff'>
  compareRewrite: (input: Input<'compareRewrite'>, options?: CallOptions) => Result<'compareRewrite'>
  mergeRewrite: (input: Input<'mergeRewrite'>, options?: CallOptions) => Result<'mergeRewrite'>
  partsOf: (input: Input<'partsOf'>, options?: CallOptions) => Result<'partsOf'>
  prove: (input: Input<'prove'>, options?: CallOptions) => Result<'prove'>
  runCheck: (input: Input<'runCheck'>, options?: CallOptions) => Result<'runCheck'>
}

export interface AnalysisPool extends Analyzers {
  /** The same analyzers, with every job in this lane. */
  inLane: (lane: string | undefined) => Analyzers
  /** Starts the process for small jobs before the first one arrives. */
  start: () => void
  /** Ends all processes; running jobs fail with CANCELLED. */
  close: () => Promise<void>
}

// A worker runs at most 256 jobs (the maximum INFERENCE_CONCURRENCY), each with one call at a time and at
// most 256 KiB of code, so none of its calls is refused. The limits protect against callers without such a
// bound.
const laneLimit: Amount = { jobs: 256, chars: 256 * 262_144 }
const totalLimit: Amount = { jobs: 2 * laneLimit.jobs, chars: 2 * laneLimit.chars }

/**
 * Runs the analyzers in separate processes, so that the caller's event loop stays free. Processes rather than
 * threads, because parsers are native code: a thread cannot be stopped inside one, and a crash there takes
 * the whole process along. A job that takes too much work, or crashes its process, fails alone: the
 * process is replaced by a new one. A process is started only when no existing one can take a waiting job,
 * so an installation with few analyses uses little memory.
 *
 * If a caller leaves, its waiting job is removed. A running job continues and its result is discarded:
 * killing the process would make other jobs wait for a new one.
 */
export function createAnalysisPool(options: AnalysisPoolOptions = {}): AnalysisPool {
  const {
    size = defaultPoolSize(),
    maxCpuMs = 10_000,
    timeoutMs = 90_000,
    maxPerLane = laneLimit,
    maxInTotal = totalLimit
  } = options
  // The process for small jobs is started first and used last: it is reserved for lanes without another
  // process.
  const kinds: ProcessKind[] = ['small', ...Array.from({ length: size }, () => 'general' as const)]
  const processes: Array<AnalysisProcess | null> = kinds.map(() => null)
  const line = createJobLine<Job>({
    maxPerLane,
    maxInTotal,
    isRunning: (lane) => processes.some((each) => each?.lane() === lane)
  })
  let closed = false

  function spawn(index: number): void {
    processes[index] = startAnalysisProcess({
      kind: kinds[index]!,
      maxCpuMs,
      timeoutMs,
      onSpent: ({ lane }, cpuMs) => line.charge(lane, cpuMs),
      onSlow: ({ lane }) => line.bar(lane),
      mustYield: () => line.hasFor('small'),
      onYielded: (job) => {
        if (!job.isWanted) return
        line.push(job)
        spawnFor({ isSmall: false })
      },
      onFree: next,
      onGone: (wasReady) => {
        processes[index] = null
        // A process that cannot even start is not restarted until the next request.
        if (!closed && (wasReady || line.size() > 0)) spawn(index)
        next()
      }
    })
  }

  function next(): void {
    for (const each of processes.toReversed()) {
      const job = each?.isFree() === true ? line.take(each.kind) : undefined
      if (job !== undefined) each?.run(job)
    }
    // An idle process, or one whose result is not needed, must not keep the caller's process alive.
    for (const each of processes) each?.hold(line.size() > 0 || each.isWanted())
  }

  function run(method: MethodName, args: unknown[], options: CallOptions = {}): Promise<never> {
    const { signal, lane = 'shared' } = options
    return new Promise((resolve, reject) => {
      if (closed) return reject(new AppError('CANCELLED', 'the analysis pool is closed'))
      if (signal?.aborted === true) return reject(cancelled(signal.reason))
      const chars = charsOf(args)
      const job: Job = {
        lane,
        method,
        args,
        chars,
        isSmall: isSmallJob(method, chars),
        isWanted: true,
        settle(outcome) {
          stopListening()
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.result as never)
        }
      }
      const refusal = line.refusalOf(job)
      if (refusal !== null) return reject(new AppError('OVERLOADED', refusal, { retryable: true }))
      const stopListening = onAbort(signal, (reason) => {
        job.isWanted = false
        line.remove(job)
        job.settle({ error: cancelled(reason) })
        next()
      })
      line.push(job)
      next()
      if (line.isWaiting(job)) spawnFor(job)
    })
  }

  function spawnFor(job: Pick<Job, 'isSmall'>): void {
    const index = kinds.findIndex((kind, i) => processes[i] === null && (job.isSmall || kind === 'general'))
    if (index !== -1) spawn(index)
    next()
  }

  function start(): void {
    if (processes[0] === null) spawn(0)
  }

  async function close(): Promise<void> {
    closed = true
    const error = new AppError('CANCELLED', 'the analysis pool is closed')
    for (const job of line.drain()) job.settle({ error })
    await Promise.all(
      processes.map(async (each) => {
        await each?.kill(error)
      })
    )
  }

  return {
    ...analyzersOf(run),
    inLane: (lane) => analyzersOf((method, args, options) => run(method, args, { ...options, lane })),
    start,
    close
  }
}

type Run = (method: MethodName, args: unknown[], options?: CallOptions) => Promise<never>

function analyzersOf(run: Run): Analyzers {
  return {
    analyze: (input, options) => run('analyze', [input], options),
    checkSyntax: (code, language, options) => run('checkSyntax', [code, language], options),
    exportsOf: (code, language, options) => run('exportsOf', [code, language], options),
    fix: (input, options) => run('fix', [input], options),
    measure: (code, language, options) => run('measure', [code, language], options),
    describeDiff: (before, after, { words, language, hasEveryHunk, ...options } = {}) =>
      run('describeDiff', [before, after, { words, language, hasEveryHunk }], options),
    compareRewrite: (input, options) => run('compareRewrite', [input], options),
    mergeRewrite: (input, options) => run('mergeRewrite', [input], options),
    partsOf: (input, options) => run('partsOf', [input], options),
    prove: (input, options) => run('prove', [input], options),
    runCheck: (input, options) => run('runCheck', [input], options)
  }
}

function cancelled(reason: unknown): AppError {
  return new AppError('CANCELLED', 'the caller left', { cause: reason })
}
