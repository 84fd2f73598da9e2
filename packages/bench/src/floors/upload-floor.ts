import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import multipart from '@fastify/multipart'
import { fastify, type FastifyInstance } from 'fastify'
import { instream } from './instream.js'

/**
 * The minimum of an upload with a scan: the form's file written, synced and scanned, and a response. No
 * token, record or second hash.
 */
export async function uploadFloor({
  folder,
  clamdSocket
}: {
  folder: string
  clamdSocket: string
}): Promise<FastifyInstance> {
  const app = fastify()
  await app.register(multipart, { limits: { fileSize: Infinity } })
  app.post('/upload', async (request, reply) => {
    const id = randomUUID()
    const chunks: Buffer[] = []
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      const file = await open(join(folder, id), 'wx')
      for await (const chunk of part.file as AsyncIterable<Buffer>) {
        await file.write(chunk)
        chunks.push(chunk)
      }
      await file.sync()
      await file.close()
    }
    const said = await instream(clamdSocket, chunks)
    if (said !== 'stream: OK\0') throw new Error(said)
    return reply.code(201).send({ id })
  })
  return app
}
