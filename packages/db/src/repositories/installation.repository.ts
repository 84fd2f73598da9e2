import type { RunStatement } from '../statements.js'

export interface InstallationRecord {
  id: string
  /** Null until a store is bound. */
  storeId: string | null
  /** The other store of the move that is under way, and the move's id. */
  mirrorId: string | null
  moveId: string | null
}

export interface UnknownTime {
  beganAt: Date
  endedAt: Date
}

/**
 * The identity of the database and its store. It does not use Prisma, because every start would wait for it.
 */
export interface InstallationRepository {
  find: () => Promise<InstallationRecord | null>
  /**
   * Stores the id unless the database already has one, and returns the stored one.
   * @param since set if nothing is stored yet: the records are complete from this time on
   */
  claim: (id: string, since: Date | null) => Promise<InstallationRecord>
  /** Binds the store unless one is bound, and returns the bound one. If several gateways try, one wins. */
  bindStore: (storeId: string) => Promise<InstallationRecord | null>
  /**
   * Replaces any identity and ends a move. All earlier times then count as unknown. Only for an operator's explicit command.
   */
  replace: (record: { id: string; storeId: string }) => Promise<void>
  /** Keys of the oldest and the newest ready files, up to `limit` in total. */
  sampleReadyKeys: (limit: number) => Promise<string[]>
  /**
   * Records that the store is being swept, and returns all periods that these records know nothing about. A
   * last sweep more than `gapMs` ago means that nothing ran since, or that this is a restored backup: the
   * time between becomes unknown.
   */
  noteSweep: (options: { now: Date; gapMs: number }) => Promise<UnknownTime[]>
}

const COLUMNS = 'id, store_id AS "storeId", mirror_id AS "mirrorId", move_id AS "moveId"'

export function createInstallationRepository(run: RunStatement): InstallationRepository {
  async function find(): Promise<InstallationRecord | null> {
    return (await run<InstallationRecord>({ text: `SELECT ${COLUMNS} FROM installation` }, []))[0] ?? null
  }

  return {
    find,

    claim: async (id, since) => {
      await run(
        {
          text: 'INSERT INTO installation (slot, id, swept_at) VALUES (1, $1, $2) ON CONFLICT (slot) DO NOTHING'
        },
        [id, since]
      )
      const found = await find()
      if (found === null) throw new Error('the installation was removed while it was claimed')
      return found
    },

    bindStore: async (storeId) => {
      await run({ text: 'UPDATE installation SET store_id = $1 WHERE store_id IS NULL' }, [storeId])
      return await find()
    },

    replace: async ({ id, storeId }) => {
      await run(
        {
          text: `
          INSERT INTO installation (slot, id, store_id) VALUES (1, $1, $2)
          ON CONFLICT (slot) DO UPDATE SET id = excluded.id, store_id = excluded.store_id, swept_at = NULL,
            mirror_id = NULL, move_id = NULL`
        },
        [id, storeId]
      )
    },

    sampleReadyKeys: async (limit) => {
      const half = (order: 'ASC' | 'DESC'): string => `(
        SELECT blob_key AS key FROM files WHERE state = 'ready' AND blob_key IS NOT NULL
        ORDER BY id ${order} LIMIT $1
      )`
      const rows = await run<{ key: string }>({ text: `${half('ASC')} UNION ${half('DESC')}` }, [
        Math.ceil(limit / 2)
      ])
      return rows.map(({ key }) => key)
    },

    noteSweep: async ({ now, gapMs }) => {
      await run(
        {
          text: `
          WITH last AS (SELECT coalesce(swept_at, to_timestamp(0)) AS at FROM installation FOR UPDATE),
          gap AS (
            INSERT INTO unknown_times (began_at, ended_at) SELECT at, $1 FROM last WHERE at < $2
            ON CONFLICT DO NOTHING
          )
          UPDATE installation SET swept_at = greatest(at, $1) FROM last`
        },
        [now, new Date(now.getTime() - gapMs)]
      )
      const text = 'SELECT began_at AS "beganAt", ended_at AS "endedAt" FROM unknown_times ORDER BY ended_at'
      return await run<{ beganAt: Date; endedAt: Date }>({ text }, [])
    }
  }
}
