import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** npm finishes an install before it handles a signal; another run would then write into the same folder. */
const GRACE_MS = 10_000

/**
 * @typedef {object} RunResult
 * @property {number} code exit code, or 128 + the signal's number
 * @property {string} output stdout and stderr as they came
 */

/**
 * Runs a program to its end and keeps what it prints. It gets its own process group, so that a stop of ours
 * ends its helpers too: by SIGTERM, and by SIGKILL when that takes long or the user asks again.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onStdout?: (text: string) => void, timeoutMs?: number }} [options]
 * @returns {Promise<RunResult>}
 */
export function run(command, args, { cwd, env, onStdout, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true
    })
    let output = ''
    const take = (/** @type {string} */ text) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', take)
    if (onStdout !== undefined) child.stdout.on('data', onStdout)
    child.stderr.setEncoding('utf8').on('data', take)

    const kill = (/** @type {NodeJS.Signals} */ signal) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal)
      } catch {} // it has already ended
    }
    /** @type {NodeJS.Signals | undefined} */
    let stoppedBy
    const stop = (/** @type {NodeJS.Signals} */ signal) => {
      kill(stoppedBy === undefined ? 'SIGTERM' : 'SIGKILL')
      stoppedBy = signal
      setTimeout(() => {
        kill('SIGKILL')
      }, GRACE_MS).unref()
    }
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            kill('SIGKILL')
          }, timeoutMs)
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)

    const settle = (/** @type {number} */ code) => {
      clearTimeout(timer)
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      if (stoppedBy !== undefined) process.exit(128 + constants.signals[stoppedBy])
      resolve({ code, output })
    }
    child.once('error', (error) => {
      output += `${error.message}\n`
      settle(127)
    })
    child.once('close', (code, signal) => settle(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
  })
}

/**
 * The npm that runs us, else the one on PATH.
 * @param {readonly string[]} args
 * @param {{ cwd: string }} options
 */
export function runNpm(args, options) {
  const npmCli = process.env.npm_execpath
  return npmCli !== undefined && /npm-cli\.[cm]?js$/.test(npmCli)
    ? run(process.execPath, [npmCli, ...args], options)
    : run('npm', args, options)
}
