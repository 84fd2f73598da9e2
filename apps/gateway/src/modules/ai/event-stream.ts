import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { AppError } from '@filewright/runtime'

export interface EventStream {
  /** Sends one event. The first event starts the response. */
  send: (event: string, data: unknown) => void
  /** Sends text as `token` events. Joins chunks while the client is slower than the model. */
  text: (text: string) => void
  hasBegun: () => boolean
  end: () => void
}

/** A client this far behind will not catch up. */
const MAX_BACKLOG_CHARS = 1024 * 1024

/** Server-sent events on a raw response. */
export function createEventStream(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  idleTimeoutMs: number
): EventStream {
  let backlog = ''
  let isFull = false
  let unread: NodeJS.Timeout | undefined

  const giveUp = (): void => {
    response.destroy(new AppError('CANCELLED', 'the client does not read'))
  }

  function write(event: string, data: unknown): void {
    if (!response.headersSent) {
      response.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no'
      })
    }
    isFull = !response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if (isFull) unread ??= setTimeout(giveUp, idleTimeoutMs)
  }

  function flush(): void {
    if (backlog === '') return
    const text = backlog
    backlog = ''
    write('token', { text })
  }

  const caughtUp = (): void => {
    clearTimeout(unread)
    unread = undefined
  }
  response.on('close', caughtUp)
  response.on('drain', () => {
    caughtUp()
    isFull = false
    flush()
  })

  return {
    hasBegun: () => response.headersSent,
    send(event, data) {
      flush()
      write(event, data)
    },
    text(text) {
      backlog += text
      if (backlog.length > MAX_BACKLOG_CHARS) giveUp()
      else if (!isFull) flush()
    },
    end: () => {
      response.end()
    }
  }
}
