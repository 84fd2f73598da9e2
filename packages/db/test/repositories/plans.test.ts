import t from 'tap'
import { createMigratedDatabase } from '@filewright/testing'
import { openPool } from '../../src/connection.js'
import { migrate } from '../../src/index.js'
import {
  change,
  findReady,
  markAbandoned,
  markDeleting,
  markReady,
  markScanning,
  markTrashed,
  markTrashedDeleting,
  remove,
  restore,
  withdraw
} from '../../src/repositories/files.statements.js'
import { listQuery, type FileOrder, type ListOptions } from '../../src/repositories/files.list.js'
import { find as findTrashed } from '../../src/repositories/trash.repository.js'
import { finish } from '../../src/repositories/generations.repository.js'

t.setTimeout(600_000)

const server = await createMigratedDatabase(migrate)
const { pool, close } = openPool({
  url: server.url,
  poolSize: 1,
  connectTimeoutMs: 30_000,
  // A busy machine takes its time for thousands of rows.
  statementTimeoutMs: 300_000,
  prepared: true
})
t.teardown(async () => {
  await close()
  await server.stop()
})

async function replaceConnection(): Promise<void> {
  const client = await pool.connect()
  client.release(true)
}

async function explain(statement: string, values?: unknown[]): Promise<string> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(statement, values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

async function planOf({ text }: { text: string }): Promise<string> {
  const client = await pool.connect()
  try {
    // Planned without the values, like a prepared statement.
    await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE asked AS ${text}`)
    const { rows: counted } = await client.query<{ count: number }>(
      "SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = 'asked'"
    )
    const nulls = Array(counted[0]?.count).fill('NULL')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE asked (${nulls.join(', ')})`
    )
    await client.query('DEALLOCATE asked')
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    client.release()
  }
}

t.test('statements planned while their table was empty still find rows by key', async (t) => {
  const ofTrash = [change, markTrashed, restore, markTrashedDeleting, findTrashed]
  const ofUploads = [markScanning, markReady, findReady, markDeleting, markAbandoned, withdraw, remove]
  const ofFiles = [...ofUploads, ...ofTrash]
  for (const statement of [...ofFiles, finish]) {
    const plan = await planOf(statement)
    const table = statement === finish ? 'generations' : 'files'

    t.match(plan, new RegExp(`(using|on) ${table}_pkey`), String(statement.name))
    t.notMatch(plan, new RegExp(`Seq Scan on ${table}|${table}_(?!pkey)\\w+_idx`), String(statement.name))
  }
})

t.test('a page by key starts at its index position, however many files precede it', async (t) => {
  await pool.query(`
    INSERT INTO files (id, project_id, folder, state, name, size_bytes, type, kind, created_at)
    SELECT 'p' || i, 'walked', 'f' || i % 10, 'ready', 'n' || i, i, 'text/plain', 'document', now() - i * interval '1 s'
    FROM generate_series(1, 20000) i`)
  await pool.query('ANALYZE files')
  const keys = { createdAt: new Date(Date.now() - 10_000_000), name: 'n5', sizeBytes: 10_000 }

  const indexes: Array<[string, Partial<ListOptions>]> = [
    ['files_list_idx', {}],
    ['files_list_by_folder_idx', { folder: 'f3' }],
    ['files_list_by_name_idx', { order: { by: 'name', descending: false } }],
    ['files_list_by_size_idx', { order: { by: 'sizeBytes', descending: true } }],
    ['files_list_idx', { order: { by: 'createdAt', descending: false } }]
  ]
  for (const [index, part] of indexes) {
    const after = { key: keys[part.order?.by ?? 'createdAt'], id: 'p10000' }
    const { text, values } = listQuery({ projectId: 'walked', page: 1, limit: 100, after, ...part })
    const plan = await explain(`EXPLAIN ${text}`, values)

    t.match(plan, new RegExp(`using ${index} on files[^\\n]*\\n +Index Cond: [^\\n]*ROW\\(`), plan)
    t.notMatch(plan, 'Seq Scan on files', index)
  }
})

const orders = (['createdAt', 'name', 'sizeBytes'] as const).flatMap((by) =>
  [true, false].map((descending) => ({ by, descending }))
)
const positions = { createdAt: new Date(), name: 'n5', sizeBytes: 500 }
const indexes = {
  createdAt: 'files_list_idx',
  name: 'files_list_by_name_idx',
  sizeBytes: 'files_list_by_size_idx'
}

const firstPage = (projectId: string, order: FileOrder): ListOptions => ({
  projectId,
  order,
  page: 1,
  limit: 20
})

/**
 * Also reads a page after a position, and more often than PostgreSQL uses custom plans before it compares
 * costs.
 */
async function listOften(projectId: string): Promise<void> {
  for (const order of orders) {
    const first = firstPage(projectId, order)
    const behind = { ...first, after: { key: positions[order.by], id: 'p500' } }
    for (const statement of [listQuery(first), listQuery(behind)]) {
      for (let i = 0; i < 7; i++) await pool.query({ ...statement })
    }
  }
}

/** `projectId` is an expression of i, from 1 to the count. */
async function insertFiles(projectId: string, prefix: string, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO files (id, project_id, state, name, size_bytes, type, kind, created_at)
    SELECT $1 || i, ${projectId}, 'ready', 'n' || i, i, 'text/plain', 'document', now() - i * interval '1 s'
    FROM generate_series(1, $2::int) i`,
    [prefix, count]
  )
  await pool.query('VACUUM ANALYZE files')
}

t.test('first pages are planned once, and read only their own rows from one index', async (t) => {
  // PostgreSQL's statistics are averages that match neither the tiny projects nor the large one.
  const stages: Array<[string, string, number]> = [
    ['1,000 files', "'planned'", 1_000],
    ['10,000 projects of 3 files', "'tiny-' || i % 10000", 30_000],
    ['100,000 files in one project', "'planned'", 100_000]
  ]
  for (const [stage, projectId, count] of stages) {
    await insertFiles(projectId, stage, count)
    await replaceConnection()
    for (const listed of ['planned', 'tiny-7', 'nobody']) await listOften(listed)

    const { rows } = await pool.query<{ name: string; kept: number }>(
      'SELECT name, generic_plans::int AS kept FROM pg_prepared_statements'
    )
    t.equal(rows.length, 2 * orders.length, stage)
    for (const { name, kept } of rows) t.equal(kept, 16, `${stage}: ${name}, all but the first 5 of 21`)

    for (const order of orders) {
      const { name } = listQuery(firstPage('planned', order))
      const plan = await explain(`EXPLAIN (ANALYZE, TIMING OFF) EXECUTE "${name}" ('planned', 20)`)

      const index = `Index Only Scan [^\\n]*using ${indexes[order.by]} on files files_1 `
      t.match(plan, new RegExp(`${index}[^\\n]*actual rows=20 `), plan)
      t.notMatch(plan, 'Seq Scan on files', String(name))
    }
  }
})

t.test('a list whose best plan depends on the values is planned for each set of values', async (t) => {
  const lists: Array<Partial<ListOptions>> = [
    { search: 'report' },
    { page: 2 },
    { limit: 101 },
    { folder: 'f3' },
    { filter: { kind: 'image' } },
    { filter: { typePrefix: 'image/' } }
  ]
  for (const part of lists) {
    t.equal(listQuery({ projectId: 'p', page: 1, limit: 20, ...part }).name, undefined, JSON.stringify(part))
  }
})

t.test(
  'a search reads at most a short list of new names, however many were uploaded since the last vacuum',
  async (t) => {
    await pool.query('CREATE EXTENSION IF NOT EXISTS pgstattuple')
    await pool.query(`
    INSERT INTO files (id, project_id, state, name)
    SELECT 'f' || i, 'searched', 'ready', 'name-' || i FROM generate_series(1, 2000) i`)

    const { rows } = await pool.query<{ pages: number }>(
      "SELECT pending_pages AS pages FROM pgstatginindex('files_search_idx')"
    )

    // 256 kB in pages of 8; without its limit the index would have more than a hundred.
    t.ok((rows[0]?.pages ?? Infinity) <= 33, `${rows[0]?.pages} pages`)
  }
)
