import type { FastifyReply } from 'fastify'
import { AppError } from '@filewright/runtime'

/**
 * Calls back once, when the response is complete or its connection is closed, whichever comes first;
 * immediately if that has already happened. The response alone is not enough: a pipelined response may never
 * emit `close`, and the connection may end before anyone listens.
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

/** Aborts when the client disconnects before the response is complete. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  whenOver(reply, () => {
    if (!reply.raw.writableFinished) {
      controller.abort(new AppError('CANCELLED', 'the client closed the connection'))
    }
  })
  return controller.signal
}
