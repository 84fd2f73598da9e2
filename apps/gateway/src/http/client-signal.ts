import type { FastifyReply } from 'fastify'
import { AppError } from '@filewright/runtime'

/** Aborts when the client goes away before its answer is complete. */
export function clientSignal (reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new AppError('CANCELLED', 'the client closed the connection'))
  })
  return controller.signal
}
