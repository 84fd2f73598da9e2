import { execFileSync } from 'node:child_process'
import { findProgram } from './find-program.js'

export interface Command {
  command: string
  args: readonly string[]
}

/**
 * Other programs do not know our IPC channel. On Linux the kernel can signal them when their parent is gone,
 * even by kill -9; `setpriv` of util-linux requests that and then becomes the program. Elsewhere the next
 * start stops what was left.
 */
export function createParentGuard(): (command: string, args: readonly string[]) => Command {
  const setpriv = process.platform === 'linux' ? findProgram(['setpriv']) : null
  const flags = ['--pdeathsig', 'TERM', '--']
  const works = setpriv !== null && canRun(setpriv, [...flags, 'true'])
  return (command, args) =>
    works ? { command: setpriv, args: [...flags, command, ...args] } : { command, args }
}

function canRun(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 2_000 })
    return true
  } catch {
    return false
  }
}
