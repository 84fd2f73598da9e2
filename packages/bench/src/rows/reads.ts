import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { alternate, type Contender } from '../alternate.js'
import { startFloor } from '../floors/start-floor.js'
import type { BenchContext, Measurement, Row } from '../context.js'
import { storeFiles } from '../stored-files.js'

const FILE_BYTES = 1024 * 1024

interface Reads {
  kind?: 'get' | 'head'
  paths: string[]
  concurrency: number
}

function productReads(
  { stack, productProcesses }: BenchContext,
  { kind = 'get', paths, concurrency }: Reads
): Contender {
  return {
    spec: {
      origin: stack.baseUrl,
      headers: { authorization: `Bearer ${stack.token}` },
      call: { kind, paths },
      concurrency,
      status: 200
    },
    processes: productProcesses
  }
}

async function compareReads(context: BenchContext, reads: Reads, floor: Contender): Promise<Measurement> {
  const { ratio, product, floor: bare } = await alternate(context, productReads(context, reads), floor)
  return { value: ratio.median, min: ratio.min, max: ratio.max, product, floor: bare }
}

async function downloads(context: BenchContext): Promise<Measurement> {
  const [id = ''] = await storeFiles(context.stack, { count: 1, sizeBytes: FILE_BYTES })
  const file = join(context.stack.dataDir, 'floor-file')
  await writeFile(file, randomBytes(FILE_BYTES))
  const floor = await startFloor({ kind: 'stream', file, sizeBytes: FILE_BYTES })
  try {
    return await compareReads(
      context,
      { paths: [`/api/files/${id}/download`], concurrency: 32 },
      {
        spec: {
          origin: floor.origin,
          headers: {},
          call: { kind: 'get', paths: ['/file'] },
          concurrency: 32,
          status: 200
        },
        processes: () => ({ server: [floor.pid] })
      }
    )
  } finally {
    await floor.stop()
    await rm(file, { force: true })
  }
}

async function infos(context: BenchContext): Promise<Measurement> {
  const ids = await storeFiles(context.stack, { count: 100, sizeBytes: 1024 })
  const floor = await startFloor({ kind: 'info', databaseUrl: context.databaseUrl })
  try {
    return await compareReads(
      context,
      { paths: ids.map((id) => `/api/files/${id}`), concurrency: 64 },
      {
        spec: {
          origin: floor.origin,
          headers: {},
          call: { kind: 'get', paths: ids.map((id) => `/files/${id}`) },
          concurrency: 64,
          status: 200
        },
        processes: () => ({ server: [floor.pid], postgres: context.productProcesses()['postgres'] ?? [] })
      }
    )
  } finally {
    await floor.stop()
  }
}

async function heads(context: BenchContext): Promise<Measurement> {
  const ids = await storeFiles(context.stack, { count: 100, sizeBytes: 1024 })
  return await compareReads(
    context,
    { kind: 'head', paths: ids.map((id) => `/api/files/${id}/download`), concurrency: 64 },
    productReads(context, { paths: ids.map((id) => `/api/files/${id}`), concurrency: 64 })
  )
}

export const readRows: Row[] = [
  {
    name: 'download 1 MiB, 32 at once',
    measure: 'requests/s ÷ bare Fastify stream',
    goal: { atLeast: 0.85 },
    run: downloads
  },
  {
    name: 'file info, 64 at once',
    measure: 'requests/s ÷ bare Fastify + pg',
    goal: { atLeast: 0.65 },
    run: infos
  },
  {
    name: 'HEAD of a file, 64 at once',
    measure: 'requests/s ÷ file info',
    goal: { atLeast: 0.95 },
    run: heads
  }
]
