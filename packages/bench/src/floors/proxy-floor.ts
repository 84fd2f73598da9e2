import { fastify, type FastifyInstance } from 'fastify'
import { Pool } from 'undici'

/** Forwards the call to the model runtime and returns its response. */
export function proxyFloor({ ollamaUrl }: { ollamaUrl: string }): FastifyInstance {
  const pool = new Pool(ollamaUrl, { connections: 64 })
  const app = fastify()
  app.post('/api/chat', async (request, reply) => {
    const { body } = await pool.request({
      method: 'POST',
      path: '/api/chat',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request.body)
    })
    return reply.type('application/json').send(await body.text())
  })
  return app
}
