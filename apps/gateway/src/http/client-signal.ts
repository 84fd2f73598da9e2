import type { FastifyReply } from 'fastify'
import { AppError } from '@filewright/runtime'

/**
 * Calls back once, when the answer is complete or its connection is gone, whichever is first; at once if that
 * has happened already. The response alone does not tell: one that waits behind another on its connection
 * never closes, and the connection may end before anybody listens.
 */
export function whenOver(
  {
    raw: response,
    request: {
      raw: { socket }
    }
  }: FastifyReply,
  callback: () => void
): void {
  const over = (): void => {
    response.off('close', over)
    socket.off('close', over)
    callback()
  }
  if (response.closed || socket.destroyed) {
    callback()
    return
  }
  response.on('close', over)
  socket.on('close', over)
}

/** Aborts when the client goes away before its answer is complete. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  whenOver(reply, () => {
    if (!reply.raw.writableFinished) {
      controller.abort(new AppError('CANCELLED', 'the client closed the connection'))
    }
  })
  return controller.signal
}
