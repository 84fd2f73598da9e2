import t from 'tap'
import { createId, createToken, isId } from '../src/index.js'

t.test('createId returns 22 base62 characters, different each time', async (t) => {
  const ids = Array.from({ length: 1_000 }, createId)

  t.ok(ids.every(isId))
  t.equal(new Set(ids).size, ids.length)
})

t.test('createToken returns fw_ and 256 bits in base62', async (t) => {
  t.match(createToken(), /^fw_[0-9A-Za-z]{43}$/)
  t.not(createToken(), createToken())
})

t.test('isId refuses everything that createId cannot have created', async (t) => {
  for (const text of [
    '',
    'abc',
    '../../etc/passwd______',
    'a'.repeat(21),
    'a'.repeat(23),
    `${'a'.repeat(21)}-`,
    `${'a'.repeat(22)}\n`
  ]) {
    t.notOk(isId(text), JSON.stringify(text))
  }
})
