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

// Node has it, but only the browser's type library declares it.
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
  // A panic of the engine escapes every promise; without this hook it would not even say what happened.
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

/** The engine forgets a timer of ten seconds: a program that has migrated would not end before it. */
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
  /**
   * With exactly one connection: what the engine does then happens in one session, inside a transaction of
   * the caller.
   */
  pool: pg.Pool
  schema: string
  /**
   * The engine wraps what the driver says, and after a failure asks further questions that fail as well: the
   * first call tells the cause.
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
 * The catalogue keeps its flags in PostgreSQL's one-byte "char". The engine wants them as characters, but the
 * adapter refuses the type. So they pass the adapter as a type that no catalogue has and that it leaves
 * untouched, and get their own name back behind it.
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
      // The adapter cuts a script at every semicolon, also inside a literal; the server knows better.
      executeScript: async (script: string) => {
        await adapter.executeRaw({ sql: script, args: [], argTypes: [] })
      }
    })
  }

  // Only our tooling diffs from migrations, against an empty database of its own, which can be the shadow as
  // well.
  return { provider: factory.provider, adapterName: factory.adapterName, connect, connectToShadowDb: connect }
}
