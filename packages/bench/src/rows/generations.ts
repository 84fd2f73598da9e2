import { alternate, type Contender } from '../alternate.js'
import { startFloor } from '../floors/start-floor.js'
import type { BenchContext, Measurement, Row } from '../context.js'
import { models } from '../settings.js'

const CHAT = JSON.stringify({
  model: models[0],
  stream: false,
  messages: [{ role: 'user', content: 'Say ok.' }]
})

const product = ({ stack, productProcesses }: BenchContext, concurrency: number): Contender => ({
  spec: {
    origin: stack.baseUrl,
    headers: { authorization: `Bearer ${stack.token}` },
    call: {
      kind: 'post',
      path: '/api/ai/generate',
      body: JSON.stringify({ prompt: 'Say ok.', type: 'content' })
    },
    concurrency,
    status: 200
  },
  processes: productProcesses
})

const direct = (origin: string, pid: number, concurrency: number): Contender => ({
  spec: {
    origin,
    headers: {},
    call: { kind: 'post', path: '/api/chat', body: CHAT },
    concurrency,
    status: 200
  },
  processes: () => ({ server: [pid] })
})

async function alone(context: BenchContext): Promise<Measurement> {
  const { model } = context
  const {
    difference,
    product: ours,
    floor
  } = await alternate(context, product(context, 1), direct(model.origin, model.pid, 1), ({ p50Ms }) => p50Ms)
  return { value: difference.median, min: difference.min, max: difference.max, product: ours, floor }
}

async function many(context: BenchContext): Promise<Measurement> {
  const proxy = await startFloor({ kind: 'proxy', ollamaUrl: context.model.origin })
  try {
    const {
      ratio,
      product: ours,
      floor
    } = await alternate(context, product(context, 64), direct(proxy.origin, proxy.pid, 64))
    return { value: ratio.median, min: ratio.min, max: ratio.max, product: ours, floor }
  } finally {
    await proxy.stop()
  }
}

export const generationRows: Row[] = [
  {
    name: 'generate, instant model, alone',
    measure: 'added p50 over the direct call, ms',
    goal: { atMost: 6 },
    run: alone
  },
  {
    name: 'generate, instant model, 64 at once',
    measure: 'requests/s ÷ direct calls through one bare Fastify proxy',
    goal: { atLeast: 0.5 },
    run: many
  }
]
