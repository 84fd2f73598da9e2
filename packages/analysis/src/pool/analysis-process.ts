import { fork } from 'node:child_process'
import { once } from 'node:events'
import { AppError } from '@filewright/runtime'
import type { LineJob, ProcessKind } from './job-line.js'
import { limitOf } from './job-size.js'
import type { MethodName, Reply, Request } from './methods.js'
import { PROCESS_HEAP_MB } from './pool-size.js'

export interface Job extends LineJob {
  method: MethodName
  args: unknown[]
  /** False from the moment its caller left. */
  isWanted: boolean
  /** Only the first call counts. */
  settle: (outcome: { result: unknown } | { error: Error }) => void
}

export interface AnalysisProcessOptions {
  kind: ProcessKind
  /** For one job of the largest size. */
  timeoutMs: number
  /** It can take a job: after its start, and after each job. */
  onFree: () => void
  /** It is gone, and its job has failed. `wasReady`: it had started. */
  onGone: (wasReady: boolean) => void
}

export interface AnalysisProcess {
  kind: ProcessKind
  isFree: () => boolean
  /** A caller waits for the job it has. */
  isWanted: () => boolean
  run: (job: Job) => void
  /** Whether it keeps the caller's process alive. */
  hold: (isHeld: boolean) => void
  /** Ends it and its job, and waits for the end. */
  kill: (error: AppError) => Promise<void>
}

/** A process that does not come up within this is not going to. */
const startTimeoutMs = 60_000

/**
 * One process with the analyzers in it. A job that takes too long, or that brings the process down, ends the
 * process: a parser is native code and cannot be asked to stop half way.
 */
export function startAnalysisProcess(options: AnalysisProcessOptions): AnalysisProcess {
  const { kind, timeoutMs, onFree, onGone } = options
  // Beside this file in a bundle, too, which has it under the same name.
  const child = fork(new URL('./analysis.worker.js', import.meta.url), {
    // V8's optimizing compiler takes seconds of a core for a large WebAssembly module, while the first
    // callers wait, and the parsers are hardly faster for it.
    execArgv: [`--max-old-space-size=${PROCESS_HEAP_MB}`, '--liftoff-only'],
    // It handles hostile code: nothing of our environment is its business.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  let job: Job | null = null
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
    child.kill('SIGKILL')
    job?.settle({ error })
    job = null
    onGone(isReady)
  }

  function limit({ method, chars }: Job, ms: number): void {
    clearTimeout(timer)
    const sentence = `${method} of ${chars} characters took longer than ${ms} ms`
    timer = setTimeout(() => end(new AppError('DEADLINE_EXCEEDED', sentence)), ms)
    hold(isHeld)
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
    if ('isLoaded' in reply) return limit(job, limitOf(job.chars, timeoutMs))
    clearTimeout(timer)
    const { settle } = job
    job = null
    if (reply.ok) settle({ result: reply.result })
    else settle({ error: new AppError('JOB_FAILED', `analysis failed: ${reply.message}`) })
    if (reply.ok && reply.tainted) end(new AppError('JOB_FAILED', 'analysis process replaced'))
    else onFree()
  }

  return {
    kind,
    isFree: () => isReady && !isGone && job === null,
    isWanted: () => job?.isWanted === true,
    run: (next) => {
      job = next
      limit(next, timeoutMs)
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
