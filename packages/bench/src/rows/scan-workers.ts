import { startStack } from '@filewright/testing'
import type { BenchContext, Measurement, Row } from '../context.js'
import { startSlowClamd } from '../floors/slow-clamd.js'
import { benchSettings } from '../settings.js'
import { spreadOf, type Spread } from '../statistics.js'

const SCAN_MS = 50
const WORKERS = [1, 2, 4] as const
/** Enough to keep four workers busy. */
const UPLOADS_AT_ONCE = 16

type SpeedUps = Record<2 | 4, Spread>

/** Three stacks on one PostgreSQL, in turn. Each worker scans one file at a time. */
async function measure({
  postgres,
  model,
  load,
  heavyRounds,
  roundMs,
  quick
}: BenchContext): Promise<SpeedUps> {
  const clamd = await startSlowClamd(SCAN_MS)
  const undo: Array<() => Promise<unknown>> = []
  try {
    const lanes: Array<() => Promise<number>> = []
    for (const workers of WORKERS) {
      const database = `workers_${workers}`
      await postgres.createDatabase(database)
      const stack = await startStack(undefined, {
        args: ['--scan-workers', String(workers)],
        env: {
          ...benchSettings,
          DATABASE_URL: postgres.urlOf(database),
          OLLAMA_HOST: model.origin,
          CLAMD_HOST: '127.0.0.1',
          CLAMD_PORT: String(clamd.port),
          SCAN_CONCURRENCY: '1'
        }
      })
      undo.push(stack.stop)
      const run = async (durationMs: number): Promise<number> =>
        (
          await load.ask({
            origin: stack.baseUrl,
            headers: { authorization: `Bearer ${stack.token}` },
            call: { kind: 'upload', path: '/api/files/upload', sizeBytes: 4 * 1024 },
            concurrency: UPLOADS_AT_ONCE,
            durationMs,
            status: 201
          })
        ).perSecond
      await run(quick ? 1_000 : 10_000)
      lanes.push(async () => await run(roundMs))
    }
    const speeds: number[][] = []
    for (let round = 0; round < heavyRounds; round++) {
      const speed: number[] = []
      for (const lane of lanes) speed.push(await lane())
      speeds.push(speed)
    }
    const speedUp = (lane: number): Spread =>
      spreadOf(speeds.map((speed) => (speed[lane] ?? NaN) / (speed[0] ?? NaN)))
    return { 2: speedUp(1), 4: speedUp(2) }
  } finally {
    for (const each of undo) await each()
    clamd.close()
  }
}

/** Both rows come from one run. */
const measured = new WeakMap<BenchContext, Promise<SpeedUps>>()

async function speedUp(context: BenchContext, workers: 2 | 4): Promise<Measurement> {
  let running = measured.get(context)
  if (running === undefined) {
    running = measure(context)
    measured.set(context, running)
  }
  const { median, min, max } = (await running)[workers]
  return { value: median, min, max }
}

export const scanWorkerRows: Row[] = [
  {
    name: 'scan workers 1 → 2, 50 ms per scan',
    measure: 'speed-up',
    goal: { atLeast: 1.9 },
    run: async (context) => await speedUp(context, 2)
  },
  {
    name: 'scan workers 1 → 4, 50 ms per scan',
    measure: 'speed-up',
    goal: { atLeast: 3.7 },
    run: async (context) => await speedUp(context, 4)
  }
]
