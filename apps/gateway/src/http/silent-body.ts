import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '@filewright/runtime'
import { sendError } from './errors.plugin.js'
import { onSilence } from './on-silence.js'

/** Answers 408 when a client stops sending in the middle of a request body; see `onSilence`. */
export function refuseSilentBodies(app: FastifyInstance, idleTimeoutMs: number): void {
  const watches = new WeakMap<FastifyRequest, () => void>()
  const end = async (request: FastifyRequest): Promise<void> => {
    watches.get(request)?.()
  }
  app.addHook('preParsing', async (request, reply) => {
    const stop = onSilence(request.raw.socket, idleTimeoutMs, () => {
      stop()
      if (reply.sent) return
      const error = new AppError('REQUEST_TIMEOUT', `no byte of the body for ${idleTimeoutMs} ms`)
      void sendError(error, request, reply)
    })
    watches.set(request, stop)
  })
  app.addHook('preValidation', end)
  // The request may have been refused before.
  app.addHook('onResponse', end)
}
