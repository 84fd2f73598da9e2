import { baselineSignaturesDir, renderClamdConf } from '@filewright/scanner'
import { freePort, startClamdServer, startStack, type RunningStack } from '@filewright/testing'
import { alternate, type Contender } from '../alternate.js'
import { processesOf } from '../bench.js'
import type { BenchContext, Measurement, Row } from '../context.js'
import { benchSettings } from '../settings.js'

interface Uploads {
  sizeBytes: number
  concurrency: number
}

/** Two stacks on one clamd, which listens on both. */
async function compare(context: BenchContext, { sizeBytes, concurrency }: Uploads): Promise<Measurement> {
  const { postgres, model } = context
  const undo: Array<() => Promise<unknown>> = []
  try {
    const port = await freePort()
    const clamd = await startClamdServer({
      renderConf: async (paths) => `${await renderClamdConf(paths)}\nTCPAddr 127.0.0.1\nTCPSocket ${port}\n`,
      signaturesDir: baselineSignaturesDir()
    })
    undo.push(clamd.stop)

    const contender = async (name: string, env: Record<string, string>): Promise<Contender> => {
      const database = `${name}_${sizeBytes}_${concurrency}`
      await postgres.createDatabase(database)
      const stack: RunningStack = await startStack(undefined, {
        env: { ...benchSettings, DATABASE_URL: postgres.urlOf(database), OLLAMA_HOST: model.origin, ...env }
      })
      undo.push(stack.stop)
      return {
        spec: {
          origin: stack.baseUrl,
          headers: { authorization: `Bearer ${stack.token}` },
          call: { kind: 'upload', path: '/api/files/upload', sizeBytes },
          concurrency,
          status: 201
        },
        processes: () => ({ ...processesOf(stack, postgres.pid()), clamd: [clamd.pid] })
      }
    }
    const tcp = await contender('tcp', { CLAMD_HOST: '127.0.0.1', CLAMD_PORT: String(port) })
    const unix = await contender('unix', { CLAMD_SOCKET: clamd.socketPath })

    const { ratio, product, floor } = await alternate(context, tcp, unix)
    return { value: ratio.median, min: ratio.min, max: ratio.max, product, floor }
  } finally {
    for (const each of undo.reverse()) await each()
  }
}

const measure = 'requests/s with clamd over TCP ÷ over its unix socket'

export const clamdOverTcpRows: Row[] = [
  {
    name: 'clamd over TCP: upload 4 KiB, 16 at once',
    measure,
    goal: { atLeast: 0.9 },
    run: async (context) => await compare(context, { sizeBytes: 4 * 1024, concurrency: 16 })
  },
  {
    name: 'clamd over TCP: upload 4 KiB, one after another',
    measure,
    goal: { atLeast: 0.9 },
    run: async (context) => await compare(context, { sizeBytes: 4 * 1024, concurrency: 1 })
  },
  {
    name: 'clamd over TCP: upload 1 MiB, 16 at once',
    measure,
    goal: { atLeast: 0.9 },
    run: async (context) => await compare(context, { sizeBytes: 1024 * 1024, concurrency: 16 })
  }
]
