import t from 'tap'
import { createAnswerSeal } from '../../../src/modules/idempotency/answer-seal.js'

const seal = createAnswerSeal('fw_token', 'key-1')

t.test('a response is returned to the same token and key, and is unreadable in storage', async (t) => {
  const answer = JSON.stringify({ content: 'a secret — with ümlauts' })

  const stored = seal.close(answer)

  t.equal(seal.open(stored), answer)
  t.notMatch(Buffer.from(stored.slice('sealed:'.length), 'base64').toString('latin1'), 'secret')
  t.not(seal.close(answer), stored, 'the same answer is never stored in the same form')
})

t.test('another token, another key or a changed response cannot be decrypted', async (t) => {
  const stored = seal.close('{}')

  t.throws(() => createAnswerSeal('fw_other', 'key-1').open(stored))
  t.throws(() => createAnswerSeal('fw_token', 'key-2').open(stored))
  t.throws(() => seal.open(stored.slice(0, -8) + 'AAAAAAA='))
})

t.test('a response from before encryption is returned as it is', async (t) => {
  t.equal(seal.open('{"content":"x"}'), '{"content":"x"}')
})
