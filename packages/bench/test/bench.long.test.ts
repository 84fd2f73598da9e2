import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { alternate, type Contender } from '../src/alternate.js'
import { startChild } from '../src/child.js'
import type { BenchContext, RowResult } from '../src/context.js'
import { startFloor } from '../src/floors/start-floor.js'
import { createForms } from '../src/load/forms.js'
import type { LoadResult, LoadSpec } from '../src/load/load-spec.js'
import { costsOf, rows, tableOf } from '../src/index.js'
import { spreadOf } from '../src/statistics.js'

t.test('two servers are measured in turn, with their speed, times, CPU time and memory', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-bench-test-'))
  const file = join(folder, 'file')
  await writeFile(file, Buffer.alloc(100_000, 'a'))
  const [one, other] = await Promise.all([
    startFloor({ kind: 'stream', file, sizeBytes: 100_000 }),
    startFloor({ kind: 'stream', file, sizeBytes: 100_000 })
  ])
  const load = await startChild<LoadSpec, LoadResult>('./load/load-process.js')
  t.teardown(async () => {
    await Promise.all([one.stop(), other.stop(), load.stop()])
    await rm(folder, { recursive: true })
  })
  const contender = ({ origin, pid }: typeof one): Contender => ({
    spec: { origin, headers: {}, call: { kind: 'get', paths: ['/file'] }, concurrency: 4, status: 200 },
    processes: () => ({ server: [pid] })
  })
  const pace = { rounds: 3, roundMs: 200, warm: { ms: 200, requests: 100 } }

  // Only what a comparison needs.
  const { ratio, difference, product } = await alternate(
    { ...pace, load, say: () => {} } as unknown as BenchContext,
    contender(one),
    contender(other)
  )

  t.ok(ratio.min > 0 && ratio.min <= ratio.median && ratio.median <= ratio.max)
  t.ok(Number.isFinite(difference.median))
  t.match(product, {
    perSecond: Number,
    p50Ms: Number,
    p99Ms: Number,
    failures: 0,
    cpuMsPerRequest: { server: Number, all: Number }
  })
  t.ok((product.residentMb['server'] ?? 0) > 10)

  const refused = await load.ask({ ...contender(one).spec, status: 404, durationMs: 100, maxRequests: 3 })
  t.match(
    refused,
    { requests: 0, failures: 3, firstFailure: 'Error: 200 ' },
    'an answer that was not expected is a failure'
  )
})

t.test('forms are all different and have the stated length', async (t) => {
  for (const sizeBytes of [4_096, 3 * 1024 * 1024]) {
    const form = createForms(sizeBytes)
    const bytes = async (): Promise<Buffer> => {
      const { body } = form()
      if (Buffer.isBuffer(body)) return body
      const parts: Buffer[] = []
      for await (const part of body) parts.push(part)
      return Buffer.concat(parts)
    }

    const [one, other] = [await bytes(), await bytes()]

    t.equal(one.length, form().length)
    t.notOk(one.equals(other))
  }
})

t.test('a table has a line for every row, with passed and failed goals', async (t) => {
  const [met, failed]: RowResult[] = [
    { name: 'one', measure: 'm', goal: '≥ 0.7', value: 0.75, min: 0.7, max: 0.8, met: true },
    { name: 'two', measure: 'm', goal: '≤ 6', value: NaN, met: false, error: 'Error: broken' }
  ]

  const table = tableOf([met, failed] as RowResult[])

  t.match(table, /\| one \| m \| ≥ 0\.7 \| 0\.75 \| 0\.70–0\.80 \| yes \|/)
  t.match(table, /\| two \| m \| ≤ 6 \| – \| {2}\| no \|/)
  t.match(costsOf(failed as RowResult), /broken/)
  t.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
})

t.test('the median is the middle value, or the mean of the two middle values', async (t) => {
  t.strictSame(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 })
  t.strictSame(spreadOf([4, 1, 2, 3]), { median: 2.5, min: 1, max: 4 })
})
