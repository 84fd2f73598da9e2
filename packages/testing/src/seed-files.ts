import pg from 'pg'

/**
 * Inserts rows as many uploads would leave them. The indexes are rebuilt afterwards, which takes half the
 * time.
 */
export async function seedFiles(databaseUrl: string, projects: Record<string, number>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ indexname: string; indexdef: string }>(
      "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'files' AND indexname <> 'files_pkey'"
    )
    for (const { indexname } of rows) await client.query(`DROP INDEX "${indexname}"`)
    for (const [project, count] of Object.entries(projects)) {
      await client.query(
        `
        INSERT INTO files (id, project_id, state, name, folder, size_bytes, sha256, type, kind, blob_key, created_at, engine, scanned_at)
        SELECT substr(md5($1 || i), 1, 22), $1, 'ready', 'file-' || i || '.txt', CASE WHEN i % 2 = 0 THEN 'folder-' || i % 50 ELSE '' END, i, repeat('0', 64), 'text/plain', 'document', 'x/' || i, at, 'ClamAV', at
        FROM (SELECT i, now() - i * interval '1 second' AS at FROM generate_series(1, $2::int) i) made`,
        [project, count]
      )
    }
    for (const { indexdef } of rows) await client.query(indexdef)
    // As autovacuum would do later.
    await client.query('VACUUM ANALYZE files')
  } finally {
    await client.end()
  }
}
