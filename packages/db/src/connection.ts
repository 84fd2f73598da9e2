import { Socket } from 'node:net'
import pg from 'pg'
import { AppError } from '@filewright/runtime'

export interface ConnectionOptions {
  url: string
  poolSize: number
  /** Limits both opening a connection and waiting for a free one. */
  connectTimeoutMs: number
  statementTimeoutMs: number
  /**
   * Whether statements are prepared and their plans kept. Default false, as behind a pooler in transaction
   * mode or with PGlite, where connections share sessions.
   */
  prepared?: boolean
}

export interface Connection {
  pool: pg.Pool
  close: () => Promise<void>
}

/** The server cancels a statement first; this much later we give up on the server. */
const SERVER_GRACE_MS = 1_000

const CLOSE_TIMEOUT_MS = 5_000

/**
 * The driver adapter writes timestamps without a time zone and drops it when reading, so every session must
 * use UTC, whatever the server's default.
 */
const ANY_SESSION = '-c TimeZone=UTC'

/**
 * A statement prepared while `files` was nearly empty would scan the whole table for every upload until the
 * server updates its statistics. The hot statements all have an index, and none is worth JIT compilation.
 * Only set here, because poolers refuse such settings, and behind them nothing is prepared.
 */
const PREPARED_SESSION = `${ANY_SESSION} -c enable_seqscan=off -c jit=off`

/** A pooler may be configured to ignore session settings. */
function verifyTimeZone(client: pg.PoolClient, done: (error?: Error) => void): void {
  client.query<{ TimeZone: string }>('SHOW TimeZone').then(
    ({ rows }) => {
      const zone = rows[0]?.TimeZone ?? 'unknown'
      const isUtc = /^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu)$/i.test(zone)
      done(
        isUtc
          ? undefined
          : new AppError(
              'DATABASE_UNAVAILABLE',
              `The database's sessions are in the time zone ${zone}, not in UTC: ALTER ROLE … SET timezone = 'UTC'`
            )
      )
    },
    (error: Error) => done(error)
  )
}

/** Settings are sent in the startup packet and cost no round trip. */
function withSettings(url: string, settings: string): string {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    throw new AppError('CONFIG_INVALID', 'The database URL is not a URL')
  }
  if (parsed.protocol !== 'postgresql:' && parsed.protocol !== 'postgres:') {
    throw new AppError('CONFIG_INVALID', 'The database URL must start with postgresql://')
  }
  const options = parsed.searchParams.get('options')
  parsed.searchParams.set('options', `${options === null ? '' : `${options} `}${settings}`)
  return parsed.href
}

export function openPool({
  url,
  poolSize,
  connectTimeoutMs,
  statementTimeoutMs,
  prepared = false
}: ConnectionOptions): Connection {
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    connectionString: withSettings(url, prepared ? PREPARED_SESSION : ANY_SESSION),
    application_name: 'filewright',
    max: poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectTimeoutMs,
    // A pooler refuses it; the role's default on the server applies there.
    ...(prepared ? { statement_timeout: statementTimeoutMs } : { verify: verifyTimeZone }),
    // A frozen server, or PGlite, which cannot interrupt a statement, would otherwise block the caller
    // forever.
    query_timeout: statementTimeoutMs + SERVER_GRACE_MS,
    keepAlive: true,
    stream: () => {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    }
  })
  // The next query replaces an idle connection that the server dropped; without a listener it would crash the
  // process.
  pool.on('error', () => {})

  return {
    pool,
    close: async () => {
      let timer: NodeJS.Timeout | undefined
      const deadline = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)
      })
      await Promise.race([pool.end(), deadline])
      clearTimeout(timer)
      // A server that no longer reads would keep these open, so they are closed without waiting.
      for (const socket of sockets) socket.destroySoon()
    }
  }
}
