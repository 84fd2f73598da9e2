import type { MigrationList } from '@prisma/schema-engine-wasm'
import { openPool } from '../connection.js'
import { migrate } from './migrate.js'
import { readSchema } from './migration-files.js'
import { createSchemaEngine } from './schema-engine.js'

export interface DiffOptions {
  url: string
  /** Default: this package's. */
  migrations?: MigrationList
  /** Default: this package's. */
  schema?: string
}

/**
 * The SQL that leads from the migrated state to the schema; empty if they agree.
 * Not the engine's own diff from a list of migrations: that one does not read the conditions of partial
 * indexes.
 * @param url an empty database: the migrations are applied to it to see where they lead.
 */
export async function diffMigrations({ url, migrations, schema }: DiffOptions): Promise<string> {
  await migrate(migrations === undefined ? { url } : { url, migrations })
  const content = schema ?? (await readSchema())
  const { pool, close } = openPool({ url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 60_000 })
  try {
    const engine = await createSchemaEngine({ pool, schema: content })
    const files = [{ path: 'schema.prisma', content }]
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] }
    })
    return exitCode === 0 ? '' : (stdout ?? '')
  } finally {
    await close()
  }
}
