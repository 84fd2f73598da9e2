import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Far more than any client sends ahead of its answers. */
const MOST_WAITING = 100

/**
 * Requests on one connection are served one after the other. Node hands out all that a client sends without
 * waiting for answers; each would open its file, ask the database and hold its answer in memory until its
 * turn comes, however long the client takes to read.
 */
export const pipeliningPlugin = fp(
  async function pipelining(app: FastifyInstance) {
    const waiting = new WeakMap<Socket, number>()
    app.addHook('onRequest', (request, { raw: response }, done) => {
      // The connection is its own as soon as the answers before it are complete.
      if (response.socket !== null) {
        done()
        return
      }
      const { socket } = request.raw
      const count = (waiting.get(socket) ?? 0) + 1
      if (count > MOST_WAITING) {
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
