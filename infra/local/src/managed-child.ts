import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { StackError } from './errors.js'
import { lastLogLine } from './log-file.js'
import { pumpLines } from './log-pump.js'
import { createRotatingLog } from './rotating-log.js'
import { waitUntil, type Check } from './wait.js'

/** The shutdown order: what takes requests, then what works on them, then the dependencies of both. */
export type Tier = 'gateway' | 'worker' | 'base'

export interface ChildSpec {
  name: string
  tier: Tier
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  logFile: string
  /**
   * Our own Node programs get an IPC channel and exit when it closes, so they never outlive the supervisor.
   */
  ipc: boolean
  /**
   * Reports on its channel when it listens. Only then is it probed: before that, another program might answer
   * on its port.
   */
  announces?: true
  ready: Check
  readyTimeoutMs: number
  /** Before each launch: removes leftovers of a killed predecessor. */
  prepare?: () => void
}

export interface ManagedChildDeps {
  /** The pid after each launch, undefined when the process has ended. */
  onPid: (name: string, pid: number | undefined) => void
  notice: (line: string) => void
}

export interface ManagedChild {
  readonly spec: ChildSpec
  /** Resolves when it is ready; rejects when it ends before, or is not ready in time. */
  start: (signal: AbortSignal) => Promise<void>
  /** SIGTERM, then SIGKILL after the grace. */
  stop: (graceMs: number) => Promise<void>
  kill: () => void
}

const FIRST_DELAY_MS = 150
const MAX_DELAY_MS = 3_000

/** A grandchild may keep the output open; it is not waited for longer. */
const LAST_WORDS_MS = 1_000

interface Run {
  process: ChildProcess
  exited: Promise<string>
  /** All its output is in the log. */
  logged: Promise<unknown>
  started: boolean
  ready: boolean
}

export function createManagedChild(spec: ChildSpec, { onPid, notice }: ManagedChildDeps): ManagedChild {
  const stopping = new AbortController()
  const log = createRotatingLog({ path: spec.logFile })
  let current: Run | undefined

  function launch(): Run {
    spec.prepare?.()
    const child = spawn(spec.command, spec.args, {
      env: spec.env,
      // Not the file itself: then it could not be rotated while the process writes.
      stdio: spec.ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
      // Its own process group: Ctrl-C in a terminal reaches only the supervisor, which then stops its
      // children in order.
      detached: true
    })
    const logged = Promise.all(
      [child.stdout, child.stderr].map(async (stream) => {
        if (stream !== null) await pumpLines(stream, log)
      })
    )
    onPid(spec.name, child.pid)
    const exited = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    }).finally(() => onPid(spec.name, undefined))
    const run: Run = { process: child, exited, logged, started: spec.announces !== true, ready: false }
    child.on('message', (message) => {
      if (message === 'started') run.started = true
    })
    current = run
    return run
  }

  /** Returns what is missing, null once ready. Ends early when the process does. */
  async function becomeReady(run: Run, signal: AbortSignal, timeoutMs: number): Promise<string | null> {
    const ended = new AbortController()
    void run.exited.then((how) => ended.abort(how))
    const check: Check = async (signal) => (run.started ? await spec.ready(signal) : 'it does not listen yet')
    const missing = await waitUntil(check, {
      signal: AbortSignal.any([signal, stopping.signal, ended.signal]),
      timeoutMs
    })
    run.ready = missing === null
    return missing
  }

  /**
   * Restarts it for as long as the stack runs, at once at first and with growing delays while it does not
   * become ready.
   */
  async function keepRunning(first: Run): Promise<void> {
    let run = first
    let delayMs = FIRST_DELAY_MS
    for (;;) {
      const how = await run.exited
      if (stopping.signal.aborted) return
      delayMs = run.ready ? FIRST_DELAY_MS : Math.min(delayMs * 2, MAX_DELAY_MS)
      if (run.ready) {
        // A killed process has no message, and is restarted at once.
        const said = how === 'exit code 1' ? await lastSaid(run) : ''
        notice(`${spec.name} stopped (${how}${said}) and is being restarted.`)
      }
      const launched = await launchAgain(delayMs)
      if (launched === null) return
      run = launched
      void becomeReady(launched, stopping.signal, Infinity).then(
        () => notice(`${spec.name} is running again.`),
        () => {}
      )
    }
  }

  /** Null when the stack stops. A prerequisite may be missing for a while, such as disk space. */
  async function launchAgain(firstDelayMs: number): Promise<Run | null> {
    let told = false
    for (let delayMs = firstDelayMs; ; delayMs = MAX_DELAY_MS) {
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return null
      try {
        return launch()
      } catch (error) {
        if (!told) notice(`${spec.name} cannot be started: ${(error as Error).message}. Retrying.`)
        told = true
      }
    }
  }

  /** A process that has printed nothing has no log. */
  const logHint = (): string => (existsSync(spec.logFile) ? ` (log: ${spec.logFile})` : '')

  async function start(signal: AbortSignal): Promise<void> {
    const run = launch()
    try {
      const missing = await becomeReady(run, signal, spec.readyTimeoutMs)
      if (missing !== null) {
        throw new StackError(
          `${spec.name} was not ready after ${spec.readyTimeoutMs / 1000} s: ${missing}${logHint()}.`
        )
      }
    } catch (error) {
      if (signal.aborted || stopping.signal.aborted || error instanceof StackError) throw error
      const how = await run.exited
      throw new StackError(`${spec.name} failed to start (${how})${await lastSaid(run)}${logHint()}.`)
    }
    void keepRunning(run)
  }

  async function lastSaid(run: Run): Promise<string> {
    await finalOutput(run)
    const own = lastLogLine(spec.logFile)
    return own === null ? '' : `: ${own}`
  }

  async function finalOutput({ logged }: Run): Promise<void> {
    const late = new AbortController()
    await Promise.race([logged, sleep(LAST_WORDS_MS, undefined, { signal: late.signal }).catch(() => {})])
    late.abort()
  }

  function signalGroup(signal: NodeJS.Signals): void {
    const child = current?.process
    // Once it has ended, its pid may belong to another process.
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, signal)
    } catch {} // it has already ended
  }

  return {
    spec,
    start,
    stop: async (graceMs) => {
      stopping.abort()
      if (current === undefined) return
      signalGroup('SIGTERM')
      const timer = setTimeout(() => signalGroup('SIGKILL'), graceMs)
      await current.exited
      clearTimeout(timer)
      await finalOutput(current)
      log.close()
    },
    kill: () => signalGroup('SIGKILL')
  }
}
