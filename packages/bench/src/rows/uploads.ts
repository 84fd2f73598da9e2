import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { alternate } from '../alternate.js'
import { startFloor } from '../floors/start-floor.js'
import type { BenchContext, Measurement, Row } from '../context.js'

const authorized = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

/** The same bytes to the product and to the bare server, on the same disk. */
async function compareUploads(
  context: BenchContext,
  { sizeBytes, concurrency }: { sizeBytes: number; concurrency: number }
): Promise<Measurement> {
  const { stack, clamdSocket } = context
  const folder = await mkdtemp(join(stack.dataDir, 'floor-'))
  const floor = await startFloor({ kind: 'upload', folder, clamdSocket })
  try {
    const {
      ratio,
      product,
      floor: bare
    } = await alternate(
      context,
      {
        spec: {
          origin: stack.baseUrl,
          headers: authorized(stack.token),
          call: { kind: 'upload', path: '/api/files/upload', sizeBytes },
          concurrency,
          status: 201
        },
        processes: context.productProcesses
      },
      {
        spec: {
          origin: floor.origin,
          headers: {},
          call: { kind: 'upload', path: '/upload', sizeBytes },
          concurrency,
          status: 201
        },
        processes: () => ({ server: [floor.pid], clamd: context.productProcesses()['clamd'] ?? [] })
      }
    )
    return { value: ratio.median, min: ratio.min, max: ratio.max, product, floor: bare }
  } finally {
    await floor.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export const uploadRows: Row[] = [
  {
    name: 'upload 4 KiB, 16 at once',
    measure: 'requests/s ÷ bare upload+scan server',
    goal: { atLeast: 0.7 },
    run: async (context) => await compareUploads(context, { sizeBytes: 4 * 1024, concurrency: 16 })
  },
  {
    name: 'upload 1 MiB, 16 at once',
    measure: 'MB/s ÷ bare upload+scan server',
    goal: { atLeast: 0.85 },
    run: async (context) => await compareUploads(context, { sizeBytes: 1024 * 1024, concurrency: 16 })
  }
]
