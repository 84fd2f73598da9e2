import { createReadStream } from 'node:fs'
import { fastify, type FastifyInstance } from 'fastify'

/** The same file, streamed. */
export function streamFloor({ file, sizeBytes }: { file: string; sizeBytes: number }): FastifyInstance {
  const app = fastify()
  app.get('/file', async (_request, reply) =>
    reply.header('content-length', sizeBytes).type('text/plain').send(createReadStream(file))
  )
  return app
}
