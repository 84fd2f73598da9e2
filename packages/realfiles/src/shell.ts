import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const TIMEOUT_MS = 5 * 60_000
const OUTPUT_BYTES = 64 * 1024 * 1024

export interface ShellOptions {
  folder: string
  env?: Record<string, string>
}

/** Runs a script in a folder, stops at its first failing command, and returns its output. */
export async function shell(script: string, { folder, env = {} }: ShellOptions): Promise<string> {
  try {
    const options = {
      cwd: folder,
      env: { ...process.env, ...env },
      timeout: TIMEOUT_MS,
      maxBuffer: OUTPUT_BYTES
    }
    const { stdout } = await exec('/bin/bash', ['-e', '-o', 'pipefail', '-c', script], options)
    return stdout
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    throw new Error((stderr ?? message).trim().split('\n').slice(-3).join(' ').slice(0, 300), {
      cause: error
    })
  }
}
