import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { heldAfterRead } from '../src/held-source.js'

t.test('a small file is read once, however often and wherever it is looked at', async (t) => {
  const opened: unknown[] = []
  const open = heldAfterRead(async (range) => {
    opened.push(range)
    return Readable.from([Buffer.from('0123'), Buffer.from('456789')])
  }, 10)

  const looks = await Promise.all([open(), open({ start: 4, end: 9 }), open({ start: 8, end: 20 })])
  const texts = await Promise.all(looks.map(async (look) => (await buffer(look)).toString()))

  t.strictSame(texts, ['0123456789', '456789', '89'])
  t.strictSame(opened, [{ start: 0, end: 10 }], 'one byte more than announced, to see a file that has grown')
})

t.test('a file that cannot be read fails every look', async (t) => {
  const open = heldAfterRead(async () => { throw new Error('gone') }, 10)

  await t.rejects(open(), { message: 'gone' })
  await t.rejects(open({ start: 0, end: 1 }), { message: 'gone' })
})
