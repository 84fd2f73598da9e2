import { fork } from 'node:child_process'
import { once } from 'node:events'
import { AppError } from '@filewright/runtime'
import { createCpuClock } from './cpu-clock.js'
import type { LineJob, ProcessKind } from './job-line.js'
import { maxCpuMsOf, slowCpuMsOf, YIELD_CPU_MS } from './job-size.js'
import type { MethodName, Reply, Request } from './methods.js'
import { PROCESS_HEAP_MB } from './pool-size.js'

export interface Job extends LineJob {
  method: MethodName
  args: unknown[]
  /** False once its caller has left. */
  isWanted: boolean
  /** Only the first call counts. */
  settle: (outcome: { result: unknown } | { error: Error }) => void
}

export interface AnalysisProcessOptions {
  kind: ProcessKind
  /** CPU time for one job of the maximum size. */
  maxCpuMs: number
  /** Wall-clock time for one job: only a guard against a process that hangs. */
  timeoutMs: number
  /** CPU time of the job since the last report. */
  onSpent: (job: Job, cpuMs: number) => void
  /** A small job uses more CPU time than such jobs usually do. */
  onSlow: (job: Job) => void
  /** Whether others wait for a process for small jobs. */
  mustYield: () => boolean
  /** The job had to yield and its process has ended: the job starts again in another process. */
  onYielded: (job: Job) => void
  /** The process can take a job: after its start, and after each job. */
  onFree: () => void
  /** The process has ended and its job has failed. `wasReady`: it had started. */
  onGone: (wasReady: boolean) => void
}

export interface AnalysisProcess {
  kind: ProcessKind
  isFree: () => boolean
  lane: () => string | undefined
  /** A caller waits for its current job. */
  isWanted: () => boolean
  run: (job: Job) => void
  /** Whether it keeps the caller's process alive. */
  hold: (isHeld: boolean) => void
  /** Ends the process and its job, and waits for the exit. */
  kill: (error: AppError) => Promise<void>
}

/** A process that has not started after this long never will. */
const startTimeoutMs = 60_000
const LOOK_EVERY_MS = 50

/**
 * One process with the analyzers. A job that uses too much CPU time or crashes ends the process, because a
 * native parser cannot be interrupted.
 */
export function startAnalysisProcess(options: AnalysisProcessOptions): AnalysisProcess {
  const { kind, maxCpuMs, timeoutMs, onSpent, onSlow, mustYield, onYielded, onFree, onGone } = options
  // Beside this file, also in a bundle, under the same name.
  const child = fork(new URL('./analysis.worker.js', import.meta.url), {
    // V8's optimizing compiler takes seconds of a core for a large WebAssembly module while the first callers
    // wait, and hardly makes the parsers faster.
    execArgv: [`--max-old-space-size=${PROCESS_HEAP_MB}`, '--liftoff-only'],
    // It handles hostile code, so it gets no environment variables.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const cpuMs = createCpuClock(child.pid ?? 0)
  let job: Job | null = null
  /** CPU time: at the last report, and when the parsers were loaded. */
  let toldMs = 0
  let loadedMs: number | null = null
  let watch: NodeJS.Timeout | undefined
  let lastId = 0
  let isReady = false
  let isGone = false
  let isHeld = false
  let timer = setTimeout(() => {
    end(new AppError('JOB_FAILED', 'analysis process did not start'))
  }, startTimeoutMs)

  child.on('message', (reply) => onReply(reply as Reply))
  child.on('error', (error) => {
    end(new AppError('JOB_FAILED', `analysis process failed: ${error.message}`, { cause: error }))
  })
  child.on('exit', (code, signal) => {
    end(new AppError('JOB_FAILED', `analysis process ended (${signal ?? code ?? 'unknown'})`))
  })
  hold(false)

  function hold(held: boolean): void {
    isHeld = held
    for (const handle of [child, child.channel, timer]) {
      if (held) handle?.ref()
      else handle?.unref()
    }
  }

  function end(error: AppError): void {
    if (isGone) return
    isGone = true
    clearTimeout(timer)
    reportCpuTime()
    child.kill('SIGKILL')
    takeJob()?.settle({ error })
    onGone(isReady)
  }

  function takeJob(): Job | null {
    const taken = job
    job = null
    clearInterval(watch)
    return taken
  }

  function guard({ method, chars }: Job): void {
    clearTimeout(timer)
    const sentence = `${method} of ${chars} characters took longer than ${timeoutMs} ms`
    timer = setTimeout(() => end(new AppError('DEADLINE_EXCEEDED', sentence)), timeoutMs)
    hold(isHeld)
  }

  function reportCpuTime(): void {
    if (job === null) return
    const now = cpuMs()
    onSpent(job, now - toldMs)
    toldMs = now
  }

  function look(): void {
    reportCpuTime()
    if (job === null || loadedMs === null) return
    const { method, chars } = job
    const usedMs = toldMs - loadedMs
    const mayUseMs = maxCpuMsOf(job, maxCpuMs)
    if (usedMs > mayUseMs) {
      const sentence = `${method} of ${chars} characters took more than ${mayUseMs} ms of the processor`
      end(new AppError('DEADLINE_EXCEEDED', sentence))
      return
    }
    if (job.isSmall && usedMs > slowCpuMsOf(method)) onSlow(job)
    if (kind === 'small' && usedMs > YIELD_CPU_MS && mustYield()) {
      const yielded = takeJob()!
      end(new AppError('JOB_FAILED', 'a job yielded its process'))
      onYielded(yielded)
    }
  }

  function onReply(reply: Reply): void {
    if (isGone) return
    if ('ready' in reply) {
      isReady = true
      clearTimeout(timer)
      onFree()
      return
    }
    if (job === null || reply.id !== lastId) return
    if ('isLoaded' in reply) {
      loadedMs = cpuMs()
      return guard(job)
    }
    clearTimeout(timer)
    reportCpuTime()
    const { settle } = takeJob()!
    if (reply.ok) settle({ result: reply.result })
    else settle({ error: new AppError('JOB_FAILED', `analysis failed: ${reply.message}`) })
    if (reply.ok && reply.tainted) end(new AppError('JOB_FAILED', 'analysis process replaced'))
    else onFree()
  }

  return {
    kind,
    isFree: () => isReady && !isGone && job === null,
    lane: () => job?.lane,
    isWanted: () => job?.isWanted === true,
    run: (next) => {
      job = next
      toldMs = cpuMs()
      loadedMs = null
      watch = setInterval(look, LOOK_EVERY_MS).unref()
      guard(next)
      child.send({ id: ++lastId, method: next.method, args: next.args } satisfies Request)
    },
    hold,
    kill: async (error) => {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
      child.ref()
      end(error)
      await exited
    }
  }
}
