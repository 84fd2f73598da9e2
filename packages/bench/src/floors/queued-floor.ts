import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import multipart from '@fastify/multipart'
import { Queue, QueueEvents } from 'bullmq'
import { fastify, type FastifyInstance } from 'fastify'
import pg from 'pg'

/** The Redis server and prefix that both processes of such a floor use. */
export interface QueuedSpec {
  databaseUrl: string
  redisUrl: string
  prefix: string
}

const POOL = 10
/** As in the product: a commit that no client depends on does not wait for the disk. */
const ASYNC_COMMIT = "WITH async_commit AS (SELECT set_config('synchronous_commit', 'off', true))"
const MINUTE_MS = 60_000

/** Adds a job and waits for its result with BullMQ's own means. */
function createAsk({ redisUrl, prefix }: QueuedSpec, name: string): (data: object) => Promise<unknown> {
  const connection = { url: redisUrl }
  const queue = new Queue(name, { connection, prefix })
  const events = new QueueEvents(name, { connection, prefix })
  // One for each awaited job.
  queue.setMaxListeners(0)
  events.setMaxListeners(0)
  return async (data) => {
    await events.waitUntilReady()
    // Kept for a while: a job that is gone when its result is requested counts as lost.
    const job = await queue.add(name, data, { removeOnComplete: { count: 1_000 }, removeOnFail: true })
    return (await job.waitUntilFinished(events, MINUTE_MS)) as unknown
  }
}

/** Tables of the same columns and indexes as the product's, so that the statements cost the same. */
async function createPool(databaseUrl: string, table: string): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL })
  await pool.query(
    `CREATE TABLE IF NOT EXISTS floor_${table} (LIKE ${table} INCLUDING DEFAULTS INCLUDING INDEXES)`
  )
  return pool
}

/**
 * An upload like the product's and nothing else: three statements, the file written and synced, a scan job
 * for another process. No token, limits, type check or hash.
 */
export async function queuedUploadFloor(spec: QueuedSpec & { folder: string }): Promise<FastifyInstance> {
  const pool = await createPool(spec.databaseUrl, 'files')
  const ask = createAsk(spec, 'floor-scan')
  const app = fastify()
  await app.register(multipart, { limits: { fileSize: Infinity } })
  app.post('/upload', async (request, reply) => {
    const id = randomUUID()
    const path = join(spec.folder, id)
    const lease = new Date(Date.now() + MINUTE_MS)
    let sizeBytes = 0
    let name = ''
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      name = part.filename
      await pool.query({
        name: 'insert-pending',
        text: `${ASYNC_COMMIT} INSERT INTO floor_files (id, blob_key, token_id, lease_expires_at, state)
          SELECT $1, $2, 'floor', $3::timestamptz, 'pending' FROM async_commit`,
        values: [id, path, lease]
      })
      const file = await open(path, 'wx')
      for await (const chunk of part.file as AsyncIterable<Buffer>) {
        await file.write(chunk)
        sizeBytes += chunk.length
      }
      await file.sync()
      await file.close()
    }
    await pool.query({
      name: 'mark-scanning',
      text: `${ASYNC_COMMIT} UPDATE floor_files SET state = 'scanning', project_id = 'floor', name = $2, size_bytes = $3,
        sha256 = $4, type = 'text/plain', lease_expires_at = $5 FROM async_commit WHERE id = $1`,
      values: [id, name, sizeBytes, '0'.repeat(64), lease]
    })
    const said = await ask({ path })
    if (said !== 'stream: OK\0') throw new Error(String(said))
    await pool.query({
      name: 'mark-ready',
      text: `UPDATE floor_files SET state = 'ready', engine = 'floor', scanned_at = now(), created_at = now(),
        lease_expires_at = NULL WHERE id = $1 RETURNING id, name, size_bytes, type, created_at`,
      values: [id]
    })
    return reply.code(201).send({ id })
  })
  return app
}

/**
 * A generation like the product's: a row, a job for another process that calls the model, the row's update.
 */
export async function queuedGenerateFloor(spec: QueuedSpec): Promise<FastifyInstance> {
  const pool = await createPool(spec.databaseUrl, 'generations')
  const ask = createAsk(spec, 'floor-generate')
  const app = fastify()
  app.post('/generate', async (request) => {
    const id = randomUUID()
    const created = pool.query({
      name: 'create',
      text: `${ASYNC_COMMIT} INSERT INTO floor_generations (id, kind, token_id, started_at, outcome)
        SELECT $1, 'generate', 'floor', now(), 'running' FROM async_commit`,
      values: [id]
    })
    const [content] = await Promise.all([ask(request.body as object), created])
    await pool.query({
      name: 'finish',
      text: `${ASYNC_COMMIT} UPDATE floor_generations SET outcome = 'succeeded', finished_at = now(), model_used = 'floor',
        engine = 'model', tokens_used = 10 FROM async_commit WHERE id = $1`,
      values: [id]
    })
    return { content }
  })
  return app
}
