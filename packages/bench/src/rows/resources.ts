import { setTimeout as sleep } from 'node:timers/promises'
import { startStack, type RunningStack } from '@filewright/testing'
import type { BenchContext, Finding, Row } from '../context.js'
import { cpuMs, residentBytesOf } from '../processes.js'
import { benchSettings } from '../settings.js'

const FILE_BYTES = 50 * 1024 * 1024
const SAMPLE_MS = 50
/** A start leaves work behind for about a minute: what is loaded late, first looks of every timer, and V8 clearing up what only the start needed. */
const SETTLE_MS = { quick: 10_000, full: 60_000 }
const APPS = ['gateway', 'scan-worker-1', 'inference-worker-1']

/** A stack that has done nothing yet. */
async function withFreshStack<T> ({ postgres, model, quick }: BenchContext, database: string, use: (stack: RunningStack) => Promise<T>): Promise<T> {
  await postgres.createDatabase(database)
  const stack = await startStack(undefined, { env: { ...benchSettings, DATABASE_URL: postgres.urlOf(database), OLLAMA_HOST: model.origin } })
  try {
    await sleep(SETTLE_MS[quick ? 'quick' : 'full'])
    return await use(stack)
  } finally {
    await stack.stop()
  }
}

async function memory (context: BenchContext): Promise<Finding> {
  const uploads = context.quick ? 4 : 32
  return await withFreshStack(context, 'memory', async (stack) => {
    const pid = stack.pid('gateway') ?? 0
    const idle = residentBytesOf(pid)
    let peak = idle
    const sampling = setInterval(() => { peak = Math.max(peak, residentBytesOf(pid)) }, SAMPLE_MS)
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
  })
}

async function idle (context: BenchContext): Promise<Finding> {
  const watchMs = context.quick ? 8_000 : 30_000
  return await withFreshStack(context, 'idle', async (stack) => {
    const processes = Object.fromEntries(APPS.map((name) => [name, [stack.pid(name) ?? 0]]))
    const before = cpuMs(processes)
    await sleep(watchMs)
    const after = cpuMs(processes)
    const percents = APPS.map((name) => 100 * ((after[name] ?? 0) - (before[name] ?? 0)) / watchMs)
    return { value: percents.reduce((sum, percent) => sum + percent, 0), note: APPS.map((name, i) => `${name} ${percents[i]?.toFixed(2) ?? ''} %`).join(', ') }
  })
}

export const resourceRows: Row[] = [
  { name: '32 uploads of 50 MiB at once', measure: 'gateway resident memory above idle, MB', goal: { atMost: 150 }, run: memory },
  { name: 'idle', measure: 'CPU of gateway and both workers together, % of one core', goal: { atMost: 2 }, run: idle }
]
