import t from 'tap'
import { createMigratedDatabase } from '@filewright/testing'
import { openPool } from '../../src/connection.js'
import { migrate } from '../../src/index.js'
import {
  findReady,
  markAbandoned,
  markDeleting,
  markReady,
  markScanning,
  remove,
  withdraw
} from '../../src/repositories/files.statements.js'
import { listQuery, type ListOptions } from '../../src/repositories/files.list.js'
import { finish } from '../../src/repositories/generations.repository.js'

t.setTimeout(600_000)

const server = await createMigratedDatabase(migrate)
const { pool, close } = openPool({
  url: server.url,
  poolSize: 1,
  connectTimeoutMs: 30_000,
  statementTimeoutMs: 30_000,
  prepared: true
})
t.teardown(async () => {
  await close()
  await server.stop()
})

async function planOf({ text }: { text: string }): Promise<string> {
  const client = await pool.connect()
  try {
    // As for a prepared statement: planned without the values.
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
  const ofFiles = [markScanning, markReady, findReady, markDeleting, markAbandoned, withdraw, remove]
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
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')

    t.match(plan, new RegExp(`using ${index} on files[^\\n]*\\n +Index Cond: [^\\n]*ROW\\(`), plan)
    t.notMatch(plan, 'Seq Scan on files', index)
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
