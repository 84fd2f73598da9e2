import t from 'tap'
import { insertReady, insertScanning, openDatabase } from '../helpers/database.js'

const { db } = await openDatabase(t)
const foldersOf = async (selection: { ids?: string[]; folders?: string[]; limit?: number }) =>
  (await db.selections.list({ projectId: 'p', ids: [], folders: [], limit: 100, ...selection }, 'token-1'))
    .map(({ folder }) => folder)
    .sort()

t.test('a selection has its ready files and all below its folders, each once', async (t) => {
  const root = await insertReady(db, 'p')
  const inner = await insertReady(db, 'p', { folder: 'a/b' })
  for (const folder of ['a', 'ab', 'a%', 'c']) await insertReady(db, 'p', { folder })
  await insertScanning(db, 'p', { folder: 'a' })
  const deleted = await insertReady(db, 'p', { folder: 'a' })
  await db.files.markTrashed(deleted.id)
  const foreign = await insertReady(db, 'q', { folder: 'a' })

  t.strictSame(await foldersOf({ folders: [''] }), ['', 'a', 'a%', 'a/b', 'ab', 'c'])
  t.strictSame(await foldersOf({ folders: ['a'] }), ['a', 'a/b'], 'no other folder whose name begins so')
  t.strictSame(await foldersOf({ folders: ['a', 'a/b', ''], ids: [inner.id] }), [
    '',
    'a',
    'a%',
    'a/b',
    'ab',
    'c'
  ])
  t.strictSame(await foldersOf({ ids: [root.id, inner.id, deleted.id, foreign.id] }), ['', 'a/b'])
  t.strictSame(await foldersOf({}), [])
  t.equal((await foldersOf({ folders: [''], limit: 2 })).length, 2)
})
