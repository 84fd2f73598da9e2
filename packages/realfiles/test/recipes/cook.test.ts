import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { cook } from '../../src/recipes/cook.js'

t.test('a recipe packs the given files into the declared file', async (t) => {
  const made = await cook(
    { file: 'a.gz', script: 'gzip -c $ONE > $OUT' },
    { files: { 'notes.txt': 'hello' } }
  )

  t.equal(gunzipSync(made).toString(), 'hello')
})

t.test('a recipe packs a folder unchanged', async (t) => {
  const folder = t.testdir({ 'one.txt': '1', sub: { 'two.txt': '22' } })

  const made = await cook({ file: 'a', script: 'cat in/sub/two.txt $ONE > $OUT' }, { folder, one: 'one.txt' })

  t.equal(made.toString(), '221')
})

t.test(
  "a recipe stops at its first failing command, even in a pipe, and reports the tool's message",
  async (t) => {
    const broken = cook({ file: 'a', script: 'echo broken >&2; false | cat; touch $OUT' }, { files: {} })

    await t.rejects(broken, { message: 'broken' })
  }
)
