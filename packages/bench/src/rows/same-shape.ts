import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { alternate, type Contender } from '../alternate.js'
import type { BenchContext, Measurement, Floor, Row } from '../context.js'
import type { BareWorkerSpec } from '../floors/bare-worker.js'
import { startFloor } from '../floors/start-floor.js'
import { benchSettings, models } from '../settings.js'

const GENERATE = JSON.stringify({ prompt: 'Say ok.', type: 'content' })

type Server = (meeting: { databaseUrl: string; redisUrl: string; prefix: string }) => Promise<Floor>

/** The product against a bare server and a bare worker that use the same Redis and database. */
async function compare(
  context: BenchContext,
  startServer: Server,
  worker: Pick<BareWorkerSpec, 'work' | 'concurrency'>,
  specs: { product: Contender['spec']; floor: (origin: string) => Contender['spec'] }
): Promise<Measurement> {
  const { redisUrl } = context.stack.info()
  const prefix = `floor-${process.pid}`
  const bare = await startFloor({ kind: 'worker', spec: { ...worker, redisUrl, prefix } })
  try {
    const server = await startServer({ databaseUrl: context.databaseUrl, redisUrl, prefix })
    try {
      const { ratio, product, floor } = await alternate(
        context,
        { spec: specs.product, processes: context.productProcesses },
        {
          spec: specs.floor(server.origin),
          // Read each time: PostgreSQL has a process for each connection of the floor.
          processes: () => {
            const { clamd = [], redis = [], postgres = [] } = context.productProcesses()
            return { server: [server.pid], worker: [bare.pid], clamd, redis, postgres }
          }
        }
      )
      return { value: ratio.median, min: ratio.min, max: ratio.max, product, floor }
    } finally {
      await server.stop()
    }
  } finally {
    await bare.stop()
  }
}

async function upload(context: BenchContext): Promise<Measurement> {
  const { stack, clamdSocket } = context
  const folder = await mkdtemp(join(stack.dataDir, 'floor-'))
  const common = { concurrency: 16, status: 201 }
  const sizeBytes = 4 * 1024
  try {
    return await compare(
      context,
      async (meeting) => await startFloor({ kind: 'queued-upload', folder, ...meeting }),
      { work: { kind: 'scan', clamdSocket }, concurrency: Number(benchSettings.SCAN_CONCURRENCY) },
      {
        product: {
          ...common,
          origin: stack.baseUrl,
          headers: { authorization: `Bearer ${stack.token}` },
          call: { kind: 'upload', path: '/api/files/upload', sizeBytes }
        },
        floor: (origin) => ({
          ...common,
          origin,
          headers: {},
          call: { kind: 'upload', path: '/upload', sizeBytes }
        })
      }
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function generate(context: BenchContext): Promise<Measurement> {
  const { stack, model } = context
  const common = { concurrency: 64, status: 200 }
  return await compare(
    context,
    async (meeting) => await startFloor({ kind: 'queued-generate', ...meeting }),
    {
      work: { kind: 'generate', ollamaUrl: model.origin, model: models[0]! },
      concurrency: Number(benchSettings.INFERENCE_CONCURRENCY)
    },
    {
      product: {
        ...common,
        origin: stack.baseUrl,
        headers: { authorization: `Bearer ${stack.token}` },
        call: { kind: 'post', path: '/api/ai/generate', body: GENERATE }
      },
      floor: (origin) => ({
        ...common,
        origin,
        headers: {},
        call: { kind: 'post', path: '/generate', body: GENERATE }
      })
    }
  )
}

const measure = 'requests/s ÷ bare Fastify, BullMQ and worker with the same statements'

export const sameShapeRows: Row[] = [
  { name: 'same shape: upload 4 KiB, 16 at once', measure, goal: { atLeast: 0.8 }, run: upload },
  { name: 'same shape: generate, 64 at once', measure, goal: { atLeast: 0.8 }, run: generate }
]
