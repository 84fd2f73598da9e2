import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { cook } from '../../src/recipes/cook.js'

t.test('a recipe packs the given files into the file it promises', async (t) => {
  const made = await cook(
    { file: 'a.gz', script: 'gzip -c $ONE > $OUT' },
    { files: { 'notes.txt': 'hello' } }
  )

  t.equal(gunzipSync(made).toString(), 'hello')
})

t.test('a recipe packs a folder as it is', async (t) => {
  const folder = t.testdir({ 'one.txt': '1', sub: { 'two.txt': '22' } })

  const made = await cook({ file: 'a', script: 'cat in/sub/two.txt $ONE > $OUT' }, { folder, one: 'one.txt' })

  t.equal(made.toString(), '221')
})

t.test('a recipe ends at its first failing command, also in a pipe, with what the tool said', async (t) => {
  const broken = cook({ file: 'a', script: 'echo broken >&2; false | cat; touch $OUT' }, { files: {} })

  await t.rejects(broken, { message: 'broken' })
})
