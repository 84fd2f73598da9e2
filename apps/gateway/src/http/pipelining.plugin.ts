import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Far more than any client pipelines. */
const MAX_WAITING = 100

/**
 * Serves the requests of one connection one at a time. Node dispatches all pipelined requests at once; each
 * would open its file, query the database and hold its response in memory until its turn comes, however
 * slowly the client reads.
 */
export const pipeliningPlugin = fp(
  async function pipelining(app: FastifyInstance) {
    const waiting = new WeakMap<Socket, number>()
    app.addHook('onRequest', (request, { raw: response }, done) => {
      // The request starts as soon as all earlier responses on the connection are complete.
      if (response.socket !== null) {
        done()
        return
      }
      const { socket } = request.raw
      const count = (waiting.get(socket) ?? 0) + 1
      if (count > MAX_WAITING) {
        socket.destroy()
        return
      }
      waiting.set(socket, count)
      response.once('socket', () => {
        waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
        done()
      })
    })
  },
  { name: 'pipelining' }
)
