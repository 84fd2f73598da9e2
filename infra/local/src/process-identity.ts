import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Distinguishes a process from a later one with the same pid: its start time in this boot. Null when there is
 * none. A recorded pid is signalled only after this was compared.
 */
export function identityOf(pid: number): string | null {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses, which may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const state = fields[0]
    const startTicks = fields[19]
    if (state === 'Z' || startTicks === undefined) return null
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startTicks}`
  } catch {
    return null
  }
}

export interface ProcessRecord {
  pid: number
  identity: string
}

export function isRunning({ pid, identity }: ProcessRecord): boolean {
  return identityOf(pid) === identity
}
