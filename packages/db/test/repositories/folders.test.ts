import t from 'tap'
import { insertReady, insertScanning, openDatabase } from '../helpers/database.js'

t.setTimeout(600_000)

const { db, server } = await openDatabase(t)
const foldersOf = async (projectId: string, parent = '', after = '') =>
  await db.folders.list({ projectId, parent, after, limit: 100 }, 'token-1')

t.test('every folder counts the files below it, through every change of state', async (t) => {
  const deep = await insertReady(db, 'tree', { folder: 'a/b/c', sizeBytes: 5 })
  await insertReady(db, 'tree', { folder: 'a', sizeBytes: 7 })
  await insertReady(db, 'tree', { folder: 'ab' })
  await insertReady(db, 'tree')
  await insertScanning(db, 'tree', { folder: 'unseen' })

  t.strictSame(await foldersOf('tree'), [
    { name: 'a', files: 2, bytes: 12 },
    { name: 'ab', files: 1, bytes: 10 }
  ])
  t.strictSame(await foldersOf('tree', 'a'), [{ name: 'b', files: 1, bytes: 5 }])
  t.strictSame(await foldersOf('tree', 'a/b'), [{ name: 'c', files: 1, bytes: 5 }])
  t.strictSame(await foldersOf('tree', 'a/b/c'), [])
  t.strictSame(
    (await foldersOf('tree', '', 'a')).map(({ name }) => name),
    ['ab']
  )

  await db.files.markDeleting(deep.id)
  t.strictSame(await foldersOf('tree', 'a'), [], 'an empty folder is not there')
  await db.files.remove(deep.id)
  t.strictSame((await foldersOf('tree'))[0], { name: 'a', files: 1, bytes: 7 }, 'counted once')

  await server.query("DELETE FROM files WHERE project_id = 'tree'")
  t.strictSame(await foldersOf('tree'), [])
})

t.test('the maintained counts equal the counted files after concurrent changes', async (t) => {
  const files = await Promise.all(
    Array.from(
      { length: 40 },
      async (_, i) => await insertReady(db, `p${i % 2}`, { folder: `f${i % 3}/g${i % 4}`, sizeBytes: i })
    )
  )
  await Promise.all(files.slice(0, 15).map(async ({ id }) => await db.files.markDeleting(id)))

  const { rows: counted } = await server.query(`
    SELECT project_id, split_part(folder, '/', 1) AS name, count(*)::int AS files, sum(size_bytes)::int AS bytes
    FROM files WHERE state = 'ready' GROUP BY 1, 2 ORDER BY 1, 2`)
  const { rows: kept } = await server.query(`
    SELECT project_id, name, sum(ready)::int AS files, sum(bytes)::int AS bytes
    FROM folder_file_counts WHERE parent = '' AND project_id LIKE 'p%' GROUP BY 1, 2 ORDER BY 1, 2`)
  t.equal(counted.length, 6)
  t.strictSame(kept, counted)
})

t.test('pages of projects contain the maintained counts', async (t) => {
  await insertReady(db, 'x1', { sizeBytes: 3 })
  await insertReady(db, 'x2', { sizeBytes: 4 })

  t.strictSame(await db.projects.page({ after: 'x', limit: 1 }, 'token-1'), [
    { id: 'x1', files: 1, bytes: 3 }
  ])
  t.strictSame(await db.projects.page({ ids: ['x2', 'x9'], after: '', limit: 9 }, 'token-1'), [
    { id: 'x2', files: 1, bytes: 4 }
  ])
})
