import { quantile } from '../statistics.js'
import { createHeap } from './heap.js'

/** A part with this many CPUs, each of which does one task at a time, first come, first served. */
export interface Station {
  name: string
  servers: number
  /** Mean time of one visit. */
  visitMs: number
}

export interface SimulationOptions {
  stations: readonly Station[]
  /** Names of stations, in the order in which an upload visits them. */
  path: readonly string[]
  perSecond: number
  uploads: number
  /** Between 0 and 1. */
  random: () => number
}

export interface Simulation {
  p50Ms: number
  p95Ms: number
  meanWaitMs: number
  /** Share of the time that a station's processors are busy. */
  busy: Record<string, number>
}

interface Upload {
  startedAt: number
  step: number
}

/**
 * Uploads arrive at random times and take random times: both exponential, which is worse than measured. The
 * first tenth only fills the queues and is not counted.
 */
export function simulate({ stations, path, perSecond, uploads, random }: SimulationOptions): Simulation {
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const parts = new Map(
    stations.map((station) => [
      station.name,
      {
        ...station,
        free: station.servers,
        busyMs: 0,
        waiting: [] as Upload[],
        since: new Map<Upload, number>()
      }
    ])
  )
  const partAt = (step: number) => {
    const part = parts.get(path[step] ?? '')
    if (part === undefined) throw new Error(`no station is called ${path[step]}`)
    return part
  }
  const events = createHeap<{ at: number; upload: Upload; ends: boolean }>((event) => event.at)
  let arrived = 0
  let waitedMs = 0
  const times: number[] = []
  const arrive = (at: number): void => {
    if (arrived++ < uploads) events.push({ at, upload: { startedAt: at, step: 0 }, ends: false })
  }

  const serve = (upload: Upload, at: number): void => {
    const part = partAt(upload.step)
    part.free--
    const ms = exponential(part.visitMs)
    part.busyMs += ms
    events.push({ at: at + ms, upload, ends: true })
  }

  arrive(0)
  let now = 0
  for (let event = events.pop(); event !== undefined; event = events.pop()) {
    const { upload, ends } = event
    now = event.at
    if (!ends && upload.step === 0) arrive(now + exponential(1_000 / perSecond))
    if (ends) {
      const left = partAt(upload.step)
      left.free++
      const next = left.waiting.shift()
      if (next !== undefined) {
        waitedMs += now - (left.since.get(next) ?? now)
        left.since.delete(next)
        serve(next, now)
      }
      upload.step++
      if (upload.step === path.length) {
        times.push(now - upload.startedAt)
        continue
      }
    }
    const part = partAt(upload.step)
    if (part.free > 0) serve(upload, now)
    else {
      part.waiting.push(upload)
      part.since.set(upload, now)
    }
  }

  const counted = times.slice(Math.floor(times.length / 10)).sort((a, b) => a - b)
  return {
    p50Ms: quantile(counted, 0.5),
    p95Ms: quantile(counted, 0.95),
    meanWaitMs: waitedMs / uploads,
    busy: Object.fromEntries(
      [...parts.values()].map(({ name, busyMs, servers }) => [name, busyMs / (now * servers)])
    )
  }
}
