import { connectClamd, type ClamdAddress } from './clamd-address.js'
import { chunkLength, INSTREAM_COMMAND, INSTREAM_END } from './instream.js'
import { createClamdSession, type ClamdSession } from './session.js'
import type { ClamdTimeouts } from './timeouts.js'

export interface SessionPool {
  /**
   * clamd's reply to a small file, or null when there is no session for it or the session broke: then the
   * file needs its own connection. @throws AppError SCAN_UNAVAILABLE when it takes too long, CANCELLED on
   * abort.
   */
  scan: (bytes: Buffer, signal: AbortSignal | undefined) => Promise<string | null>
  close: () => void
}

export interface SessionPoolOptions {
  address: ClamdAddress
  timeouts: Pick<ClamdTimeouts, 'idleMs' | 'totalMs'>
}

/** A larger file takes so long that its connection does not matter. */
const MAX_BYTES = 64 * 1024
/** More than a worker scans concurrently. */
const MAX_SESSIONS = 64
/** Far less than clamd's CommandReadTimeout. */
const KEPT_MS = 1_000
const HANDSHAKE_MS = 1_000
/** The pause after a clamd that does not support sessions, or is down. */
const PAUSE_MS = 30_000

const PING = Buffer.from('zPING\0')

/**
 * Sessions with clamd for small files: opening a connection takes three times as long as scanning one. Under
 * load, sessions are opened in parallel to the scans and used once they have answered a ping, so no scan
 * depends on them.
 */
export function createSessionPool({ address, timeouts }: SessionPoolOptions): SessionPool {
  const idle: Array<{ session: ClamdSession; expiry: NodeJS.Timeout }> = []
  const sessions = new Set<ClamdSession>()
  let isOpening = false
  let isClosed = false
  let pausedUntil = -Infinity
  let lastAskedAt = -Infinity

  function end(session: ClamdSession): void {
    sessions.delete(session)
    session.destroy()
  }

  function keep(session: ClamdSession): void {
    if (isClosed || session.isBroken()) return end(session)
    session.hold(false)
    const expiry = setTimeout(() => {
      idle.splice(
        idle.findIndex((kept) => kept.session === session),
        1
      )
      end(session)
    }, KEPT_MS).unref()
    idle.push({ session, expiry })
  }

  function takeIdle(): ClamdSession | undefined {
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      clearTimeout(kept.expiry)
      if (!kept.session.isBroken()) return kept.session
      end(kept.session)
    }
    return undefined
  }

  async function open(): Promise<void> {
    isOpening = true
    let session: ClamdSession | undefined
    try {
      session = createClamdSession(await connectClamd(address, { timeoutMs: HANDSHAKE_MS }))
      sessions.add(session)
      session.hold(false)
      const handshake = { idleMs: HANDSHAKE_MS, totalMs: HANDSHAKE_MS }
      if ((await session.ask([PING], { timeouts: handshake })) !== 'PONG') session.destroy()
    } catch {
      session?.destroy()
    } finally {
      isOpening = false
    }
    if (session === undefined || session.isBroken()) pausedUntil = performance.now() + PAUSE_MS
    if (session !== undefined) keep(session)
  }

  return {
    scan: async (bytes, signal) => {
      if (bytes.length > MAX_BYTES || isClosed) return null
      const now = performance.now()
      const isBusy = now - lastAskedAt < KEPT_MS
      lastAskedAt = now
      const session = takeIdle()
      if (session === undefined) {
        if (isBusy && !isOpening && now >= pausedUntil && sessions.size < MAX_SESSIONS) void open()
        return null
      }
      session.hold(true)
      const command = [INSTREAM_COMMAND, chunkLength(bytes), bytes]
      try {
        return await session.ask(command, { end: INSTREAM_END, timeouts, signal })
      } finally {
        keep(session)
      }
    },
    close: () => {
      isClosed = true
      for (const { expiry } of idle.splice(0)) clearTimeout(expiry)
      for (const session of sessions) session.destroy()
      sessions.clear()
    }
  }
}
