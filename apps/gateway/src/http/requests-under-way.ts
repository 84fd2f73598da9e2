import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export interface RequestsUnderWay {
  /** Resolves when every request that is under way now has ended. Later ones are not waited for. */
  ended: () => Promise<void>
}

/**
 * Knows the requests of a server. A gateway that stops lets them end before it closes its listener: new
 * requests are served meanwhile, and not refused for as long as the longest upload takes.
 */
export function watchRequests(server: Server): RequestsUnderWay {
  const open = new Set<ServerResponse>()
  const watch = (_request: IncomingMessage, response: ServerResponse): void => {
    open.add(response)
    response.once('close', () => {
      open.delete(response)
    })
  }
  server.on('request', watch)
  // Node emits this one instead for a client that waits to be told to send its body.
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
