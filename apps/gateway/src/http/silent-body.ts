import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '@filewright/runtime'
import { sendError } from './errors.plugin.js'

/**
 * Answers 408 to clients of this scope that fall silent in the middle of their body, after one to two times
 * that long: it is only looked now and then whether any byte has come.
 */
export function refuseSilentBodies(app: FastifyInstance, idleTimeoutMs: number): void {
  const watches = new WeakMap<FastifyRequest, NodeJS.Timeout>()

  function watch(request: FastifyRequest, reply: FastifyReply): NodeJS.Timeout {
    const { socket } = request.raw
    let { bytesRead } = socket
    const timer = setInterval(() => {
      const hasCome = socket.bytesRead !== bytesRead
      ;({ bytesRead } = socket)
      if (hasCome) return
      clearInterval(timer)
      if (reply.sent) return
      const error = new AppError('REQUEST_TIMEOUT', `no byte of the body for ${idleTimeoutMs} ms`)
      void sendError(error, request, reply)
    }, idleTimeoutMs)
    return timer.unref()
  }

  const end = async (request: FastifyRequest): Promise<void> => {
    clearInterval(watches.get(request))
  }
  app.addHook('preParsing', async (request, reply) => {
    watches.set(request, watch(request, reply))
  })
  app.addHook('preValidation', end)
  // Of a request that is refused before.
  app.addHook('onResponse', end)
}
