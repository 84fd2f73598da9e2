import { readFile } from 'node:fs/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery
} from '@prisma/driver-adapter-utils'
import type * as Bindings from '@prisma/schema-engine-wasm'
import type pg from 'pg'
import { AppError } from '@filewright/runtime'

export type SchemaEngine = Bindings.SchemaEngine

// Node has it, but only the DOM type library declares it.
declare const WebAssembly: {
  instantiate: (
    bytes: Uint8Array,
    imports: object
  ) => Promise<{ instance: { exports: Record<string, unknown> } }>
}

type Loaded = typeof import('@prisma/schema-engine-wasm/schema_engine_bg')

let loaded: Promise<Loaded> | undefined

/** Prisma's own migration engine as WebAssembly: the binary one would have to be downloaded. */
async function load(): Promise<Loaded> {
  const name = '@prisma/schema-engine-wasm/schema_engine_bg'
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const binary = await readFile(new URL('schema_engine_bg.wasm', import.meta.resolve(name)))
  // A panic of the engine bypasses every promise; without this hook its message would be lost.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message: (message: string) => {
        throw new AppError('MIGRATION_FAILED', `The schema engine panicked: ${message}`)
      }
    }
  })
  const { instance } = await WebAssembly.instantiate(binary, {
    './schema_engine_bg.js': withIdleTimers(bindings)
  })
  const { __wbindgen_start: start } = instance.exports
  bindings.__wbg_set_wasm(instance.exports)
  if (typeof start === 'function') start()
  return bindings
}

/** The engine leaves a ten-second timer: a program that has migrated would not end before it. */
function withIdleTimers(bindings: object): Record<string, unknown> {
  const letGo =
    (make: (...args: unknown[]) => NodeJS.Timeout) =>
    (...args: unknown[]) =>
      make(...args).unref()
  return Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [
      name,
      name.startsWith('__wbg_setTimeout') ? letGo(value) : value
    ])
  )
}

export interface SchemaEngineDeps {
  /** With exactly one connection, so the engine works in one session, inside the caller's transaction. */
  pool: pg.Pool
  schema: string
  /**
   * The engine wraps the driver's error, and after a failure sends further queries that fail as well: the
   * first error is the cause.
   */
  onQueryError?: (error: unknown) => void
}

export async function createSchemaEngine({
  pool,
  schema,
  onQueryError = () => {}
}: SchemaEngineDeps): Promise<SchemaEngine> {
  const { SchemaEngine } = await (loaded ??= load())
  return await SchemaEngine.new(
    { datamodels: [['schema.prisma', schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(createFactory(pool, onQueryError))
  )
}

const CHAR_OID = 18
const UUID_OID = 2950

/**
 * The catalogue stores flags in PostgreSQL's one-byte "char". The engine needs them as characters, but the
 * adapter refuses the type. So they pass the adapter as an unused type that it leaves unchanged, and get
 * their own type back afterwards.
 */
function readingChars(pool: pg.Pool, onQueryError: (error: unknown) => void): pg.Pool {
  const query = async (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    const result = await pool.query(config).catch((error: unknown) => {
      onQueryError(error)
      throw error
    })
    // A script of several statements has several results and no fields of its own.
    for (const field of result.fields ?? []) {
      if (field.dataTypeID === CHAR_OID) field.dataTypeID = UUID_OID
    }
    return result
  }
  return new Proxy(pool, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) })
}

function createFactory(
  pool: pg.Pool,
  onQueryError: (error: unknown) => void
): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(readingChars(pool, onQueryError))

  async function connect(): Promise<SqlDriverAdapter> {
    const adapter = await factory.connect()
    const queryRaw = adapter.queryRaw.bind(adapter)
    return Object.assign(adapter, {
      queryRaw: async (query: SqlQuery) => {
        const result = await queryRaw(query)
        return {
          ...result,
          columnTypes: result.columnTypes.map((type) =>
            type === ColumnTypeEnum.Uuid ? ColumnTypeEnum.Character : type
          )
        }
      },
      // The adapter splits a script at every semicolon, also inside a literal; the server parses it
      // correctly.
      executeScript: async (script: string) => {
        await adapter.executeRaw({ sql: script, args: [], argTypes: [] })
      }
    })
  }

  // Only our tooling diffs from migrations, against its own empty database, which can be the shadow database
  // as well.
  return { provider: factory.provider, adapterName: factory.adapterName, connect, connectToShadowDb: connect }
}
