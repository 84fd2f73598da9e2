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
    // As for a statement that stays prepared: without a look at the values.
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

t.test('statements planned while their table was empty find rows by the key all the same', async (t) => {
  const ofFiles = [markScanning, markReady, findReady, markDeleting, markAbandoned, withdraw, remove]
  for (const statement of [...ofFiles, finish]) {
    const plan = await planOf(statement)
    const table = statement === finish ? 'generations' : 'files'

    t.match(plan, new RegExp(`(using|on) ${table}_pkey`), String(statement.name))
    t.notMatch(plan, new RegExp(`Seq Scan on ${table}|${table}_(?!pkey)\\w+_idx`), String(statement.name))
  }
})
