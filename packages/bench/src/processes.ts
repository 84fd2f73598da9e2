import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second, on every architecture that Node supports. */
const MS_PER_TICK = 10

/** Names of parts and their processes. */
export type Processes = Record<string, readonly number[]>

function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses, which may contain anything.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** User and system time of the process, its threads and the children it has waited for. */
function cpuMsOf(pid: number): number {
  const stat = statOf(pid)
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(stat[field] ?? 0), 0) * MS_PER_TICK
}

export function cpuMs(processes: Processes): Record<string, number> {
  return Object.fromEntries(
    Object.entries(processes).map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0)])
  )
}

/** Resident memory; for a part with several processes the sum without shared pages. */
export function residentMb(processes: Processes): Record<string, number> {
  return Object.fromEntries(
    Object.entries(processes).map(([name, pids]) => [
      name,
      Math.round(pids.reduce((sum, pid) => sum + residentBytesOf(pid), 0) / 1e6)
    ])
  )
}

export function residentBytesOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kb = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return (kb('VmRSS') - kb('RssShmem')) * 1024
  } catch {
    return 0
  }
}

/** The process and all its descendants. */
export function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const child = Number(name)
    if (!Number.isInteger(child)) continue
    const parent = Number(statOf(child)[1])
    children.set(parent, [...(children.get(parent) ?? []), child])
  }
  const family = [pid]
  for (const member of family) family.push(...(children.get(member) ?? []))
  return family
}
