import { readFile, readdir, readlink } from 'node:fs/promises'
import type { RunningStack } from '@filewright/testing'

const APPS = /^(gateway|scan-worker|inference-worker|delivery-worker)/

/** The number of sockets of each of our own processes, without this process's connections to the gateway. */
export async function socketCounts({
  baseUrl,
  info
}: Pick<RunningStack, 'baseUrl' | 'info'>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, pid] of Object.entries(info().pids)) {
    if (APPS.test(name)) counts[name] = (await socketInodes(pid)).length
  }
  if (counts['gateway'] !== undefined) {
    counts['gateway'] -= await connectionsTo(process.pid, Number(new URL(baseUrl).port))
  }
  return counts
}

/** The number of connections of the process to a loopback port. */
export async function connectionsTo(pid: number, port: number): Promise<number> {
  const table = await readFile(`/proc/${pid}/net/tcp`, 'utf8').catch(() => '')
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const established = table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[2]?.endsWith(remote) === true && fields[3] === '01')
  const inodes = new Set(established.map((fields) => fields[9]))
  return (await socketInodes(pid)).filter((inode) => inodes.has(inode)).length
}

async function socketInodes(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder).catch(() => [])
  const targets = await Promise.all(
    names.map(async (name) => await readlink(`${folder}/${name}`).catch(() => ''))
  )
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [])
}
