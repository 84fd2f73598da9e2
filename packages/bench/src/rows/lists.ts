import { alternate } from '../alternate.js'
import type { BenchContext, Measurement, Row } from '../context.js'
import { seedFiles } from '@filewright/testing'

const MANY = 'list-many'
const FEW = 'list-few'
const FEW_FILES = 1_000

/** Both rows read the same rows. */
const seeded = new WeakMap<BenchContext, Promise<number>>()

async function seed(context: BenchContext): Promise<number> {
  let done = seeded.get(context)
  if (done === undefined) {
    const many = context.quick ? 100_000 : 1_000_000
    done = seedFiles(context.databaseUrl, { [MANY]: many, [FEW]: FEW_FILES }).then(() => many)
    seeded.set(context, done)
  }
  return await done
}

async function comparePages(
  context: BenchContext,
  one: string,
  other: string,
  path = '/api/files?limit=20&'
): Promise<Measurement> {
  const files = await seed(context)
  const { stack } = context
  const contender = (query: string) => ({
    spec: {
      origin: stack.baseUrl,
      headers: { authorization: `Bearer ${stack.token}` },
      call: { kind: 'get' as const, paths: [`${path}${query}`] },
      concurrency: 1,
      status: 200
    },
    processes: context.productProcesses
  })
  const { ratio, product, floor } = await alternate(
    context,
    contender(one),
    contender(other),
    ({ p50Ms }) => p50Ms
  )
  return {
    value: ratio.median,
    min: ratio.min,
    max: ratio.max,
    product,
    floor,
    note: `${files} files in the large project`
  }
}

const ofManyAndFew = (name: string, query: string, path?: string): Row => ({
  name,
  measure: 'p50 with 1,000,000 files ÷ p50 with 1,000 files in the project',
  goal: { atMost: 2 },
  run: async (context) =>
    await comparePages(context, `project_id=${MANY}&${query}`, `project_id=${FEW}&${query}`, path)
})

export const listRows: Row[] = [
  ofManyAndFew('list, page 1 of 20', 'page=1'),
  ofManyAndFew('list by name', 'sort=name'),
  ofManyAndFew('list by size', 'sort=-size'),
  {
    // Not against the small project: all projects share the name index, so both would be slow together.
    name: 'list, search for one file',
    measure: 'p50 with 1,000,000 files ÷ p50 of page 1 of the same project',
    goal: { atMost: 5 },
    run: async (context) =>
      await comparePages(context, `project_id=${MANY}&search=file-999.`, `project_id=${MANY}&page=1`)
  },
  ofManyAndFew('folders of the root', '', '/api/folders?'),
  {
    name: 'list, page 1,000 of 20',
    measure: 'p50 ÷ p50 of page 1',
    goal: { atMost: 5 },
    run: async (context) =>
      await comparePages(context, `project_id=${MANY}&page=1000`, `project_id=${MANY}&page=1`)
  }
]
