import type { PGlite } from '@electric-sql/pglite'

/** Parse, Bind, Describe, Execute, Close, Flush: a batch continues until its Sync. */
const BATCH_MESSAGES = new Set([...'PBDECH'].map((letter) => letter.charCodeAt(0)))

const SYNC = Uint8Array.of('S'.charCodeAt(0), 0, 0, 0, 4)

/**
 * Makes a PGlite fit to stand behind `PGLiteSocketServer` with more than one connection.
 *
 * All connections share one session, and the server lets the messages of two of them alternate unless a
 * transaction is open. But a parameterized query is a batch of messages around the session's one unnamed
 * statement: another connection's message in between makes it fail, or silently run the other's statement.
 * This view calls an unfinished batch a transaction, so the server keeps it together.
 */
export function serializeBatches(pglite: PGlite): PGlite {
  let insideBatch = false

  const isInTransaction: PGlite['isInTransaction'] = () => insideBatch || pglite.isInTransaction()

  const execProtocolRawStream: PGlite['execProtocolRawStream'] = async (message, options) => {
    try {
      await pglite.execProtocolRawStream(message, options)
    } finally {
      insideBatch = message[0] !== undefined && BATCH_MESSAGES.has(message[0])
    }
  }

  // The server calls it to roll back for a client that left; one that left in the middle of a batch owes a
  // Sync first.
  const exec: PGlite['exec'] = async (query, options) => {
    if (insideBatch) {
      insideBatch = false
      await pglite.execProtocolRaw(SYNC)
    }
    return await pglite.exec(query, options)
  }

  const own = new Map<string | symbol, unknown>(
    Object.entries({ isInTransaction, execProtocolRawStream, exec })
  )
  return new Proxy(pglite, {
    get: (target, key) => {
      const value: unknown = own.get(key) ?? Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
}
