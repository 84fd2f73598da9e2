import { Prisma, type Client } from '../client.js'
import type { StoredFileRecord } from '../records.js'
import { asStored, columns } from './files.queries.js'

export interface RescanClaim {
  now: Date
  /** No other gateway takes the file before this time, even if the rescan fails. */
  until: Date
  /** Excludes files with a verdict of this engine. */
  except?: string | undefined
}

/** Tracks which engine scanned what, and which file is next. */
export interface RescansRepository {
  /**
   * Claims the unclaimed ready file with the oldest verdict, or else such a file in the trash. One winner,
   * whatever the number of gateways.
   */
  claimOldest: (claim: RescanClaim) => Promise<StoredFileRecord | null>
  /**
   * Stores a new clean verdict and releases the file. False when the file was deleted or withdrawn in the
   * meantime.
   */
  recordClean: (id: string, verdict: { engine: string; at: Date }) => Promise<boolean>
  /** Records an engine; true when it was new. */
  noteEngine: (engine: string, at: Date) => Promise<boolean>
  /** Records the engines of all ready files, each since its oldest verdict. */
  noteEnginesOfFiles: () => Promise<void>
  /** The engine that was first seen most recently; null before the first verdict. */
  newestEngine: () => Promise<string | null>
  /** The number of stored files whose verdict is from another engine. */
  countOutdated: (engine: string) => Promise<number>
}

/** Literals, which let the planner use the partial indexes. */
const isReady = Prisma.sql`state = 'ready'`
const isTrashed = Prisma.sql`state = 'trashed'`

/** Jumps from engine to engine through the index instead of reading every file. */
const enginesWhere = (condition: Prisma.Sql): Prisma.Sql => Prisma.sql`engines AS (
  (SELECT engine FROM files WHERE ${condition} AND engine IS NOT NULL ORDER BY engine LIMIT 1)
  UNION ALL
  SELECT (SELECT f.engine FROM files f WHERE f.${condition} AND f.engine > e.engine ORDER BY f.engine LIMIT 1)
  FROM engines e WHERE e.engine IS NOT NULL
)`

function claimQuery({ now, until, except }: RescanClaim, condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE ${enginesWhere(condition)}, oldest AS (
      SELECT f.id FROM engines e CROSS JOIN LATERAL (
        SELECT id, scanned_at FROM files
        WHERE ${condition} AND engine = e.engine AND (lease_expires_at IS NULL OR lease_expires_at < ${now})
        ORDER BY scanned_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
      ) f
      WHERE e.engine IS DISTINCT FROM ${except ?? null}
      ORDER BY f.scanned_at, f.id LIMIT 1
    )
    UPDATE files SET lease_expires_at = ${until} WHERE id = (SELECT id FROM oldest) RETURNING ${columns}`
}

export function createRescansRepository(client: Client): RescansRepository {
  return {
    claimOldest: async (claim) => {
      for (const condition of [isReady, isTrashed]) {
        const [row] = await client.$queryRaw<StoredFileRecord[]>(claimQuery(claim, condition))
        if (row !== undefined) return asStored(row)
      }
      return null
    },

    recordClean: async (id, { engine, at }) => {
      const { count } = await client.file.updateMany({
        where: { id, state: { in: ['ready', 'trashed'] } },
        data: { engine, scannedAt: at, leaseExpiresAt: null }
      })
      return count === 1
    },

    noteEngine: async (engine, at) => {
      const { count } = await client.scannerVersion.createMany({
        data: [{ engine, seenAt: at }],
        skipDuplicates: true
      })
      return count === 1
    },

    noteEnginesOfFiles: async () => {
      await client.$executeRaw`
        WITH RECURSIVE ${enginesWhere(isReady)}
        INSERT INTO scanner_versions (engine, seen_at)
        SELECT e.engine, (SELECT f.scanned_at FROM files f WHERE f.state = 'ready' AND f.engine = e.engine ORDER BY f.scanned_at LIMIT 1)
        FROM engines e WHERE e.engine IS NOT NULL
        ON CONFLICT (engine) DO NOTHING`
    },

    newestEngine: async () => {
      const newest = await client.scannerVersion.findFirst({
        orderBy: [{ seenAt: 'desc' }, { engine: 'desc' }]
      })
      return newest?.engine ?? null
    },

    countOutdated: async (engine) =>
      await client.file.count({ where: { state: { in: ['ready', 'trashed'] }, engine: { not: engine } } })
  }
}
