import { fastify, type FastifyInstance } from 'fastify'
import pg from 'pg'

/** One prepared SELECT by primary key, and its row. */
export function infoFloor({ databaseUrl }: { databaseUrl: string }): FastifyInstance {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const app = fastify()
  app.get<{ Params: { id: string } }>('/files/:id', async ({ params: { id } }) => {
    const { rows } = await pool.query({
      name: 'by-id',
      text: 'SELECT id, name, size_bytes, type, created_at FROM files WHERE id = $1',
      values: [id]
    })
    return { file: rows[0] }
  })
  return app
}
