import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningStack } from '@filewright/testing'
import type { BenchContext, Measurement, Row } from '../context.js'
import { cpuMs, residentBytesOf } from '../processes.js'

const FILE_BYTES = 50 * 1024 * 1024
const SAMPLE_MS = 50
/** A start leaves work for about a minute: late loading, first timers, and garbage collection. */
const SETTLE_MS = 60_000
const APPS = ['gateway', 'scan-worker-1', 'inference-worker-1']

/** A stack that has been idle for a while. */
async function settledStack({ resting }: BenchContext): Promise<RunningStack> {
  if (resting === undefined) throw new Error('this row needs the idle stack')
  await sleep(Math.max(0, resting.sinceMs + SETTLE_MS - performance.now()))
  return resting.stack
}

async function memory(context: BenchContext): Promise<Measurement> {
  const uploads = context.quick ? 4 : 32
  const stack = await settledStack(context)
  const pid = stack.pid('gateway') ?? 0
  const idle = residentBytesOf(pid)
  let peak = idle
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentBytesOf(pid))
  }, SAMPLE_MS)
  const { requests, failures, firstFailure } = await context.load.ask({
    origin: stack.baseUrl,
    headers: { authorization: `Bearer ${stack.token}` },
    call: { kind: 'upload', path: '/api/files/upload', sizeBytes: FILE_BYTES },
    concurrency: uploads,
    durationMs: 600_000,
    maxRequests: uploads,
    status: 201
  })
  clearInterval(sampling)
  if (requests < uploads) throw new Error(`${failures} of ${uploads} uploads failed: ${firstFailure ?? ''}`)
  const mb = (bytes: number): number => Math.round(bytes / 1e6)
  return { value: mb(peak - idle), note: `${uploads} uploads; idle ${mb(idle)} MB, peak ${mb(peak)} MB` }
}

async function idle(context: BenchContext): Promise<Measurement> {
  const watchMs = context.quick ? 8_000 : 30_000
  const stack = await settledStack(context)
  const processes = Object.fromEntries(APPS.map((name) => [name, [stack.pid(name) ?? 0]]))
  const before = cpuMs(processes)
  await sleep(watchMs)
  const after = cpuMs(processes)
  const percents = APPS.map((name) => (100 * ((after[name] ?? 0) - (before[name] ?? 0))) / watchMs)
  return {
    value: percents.reduce((sum, percent) => sum + percent, 0),
    note: APPS.map((name, i) => `${name} ${percents[i]?.toFixed(2) ?? ''} %`).join(', ')
  }
}

/** The idle one first: the other one puts it under load. */
export const resourceRows: Row[] = [
  {
    name: 'idle',
    measure: 'CPU of gateway and both workers together, % of one core',
    goal: { atMost: 2 },
    usesRestingStack: true,
    run: idle
  },
  {
    name: '32 uploads of 50 MiB at once',
    measure: 'gateway resident memory above idle, MB',
    goal: { atMost: 150 },
    usesRestingStack: true,
    run: memory
  }
]
