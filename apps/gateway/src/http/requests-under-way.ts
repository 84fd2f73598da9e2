import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export interface RequestsUnderWay {
  /** Resolves when every request that is in flight now has ended. Does not wait for later ones. */
  ended: () => Promise<void>
}

/**
 * Tracks the requests of a server. A stopping gateway lets them end before it closes its listener, so new
 * requests are served instead of refused during a long upload.
 */
export function watchRequests(server: Server): RequestsUnderWay {
  const open = new Set<ServerResponse>()
  const watch = (_request: IncomingMessage, response: ServerResponse): void => {
    open.add(response)
    response.once('close', () => open.delete(response))
  }
  server.on('request', watch)
  // Node emits this event instead when a client sends `Expect: 100-continue`.
  server.on('checkContinue', watch)

  return {
    ended: async () => {
      await Promise.all(
        [...open].map(async (response) => {
          await new Promise<void>((resolve) => {
            response.once('close', resolve)
          })
        })
      )
    }
  }
}
