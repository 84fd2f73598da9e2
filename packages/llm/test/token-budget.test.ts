import t from 'tap'
import { cpuMsOf } from '@filewright/testing'
import { contextTokensOf, estimatePromptTokens, estimateTokens, fitsContext } from '../src/index.js'

// The lower bound is the minimum for a byte-pair tokenizer with a large vocabulary; above the upper one, too
// many requests would be refused.
const texts: Array<[text: string, atLeast: number, atMost: number]> = [
  ['', 0, 0],
  ['word', 1, 2],
  ['The quick brown fox jumps over the lazy dog.', 10, 20],
  ['const total = items.reduce((sum, item) => sum + item.price, 0)', 18, 45],
  ['1234567890', 10, 10],
  ['    '.repeat(10), 1, 5],
  ['\n\n\n', 1, 1],
  ['你好，世界', 5, 10],
  ['👋👋👋', 6, 12],
  ['VGhpcyBpcyBiYXNlNjQgYW5kIG5vdCB3b3Jkcw==', 20, 40]
]

for (const [text, atLeast, atMost] of texts) {
  t.test(`the estimate of ${JSON.stringify(text)} is high but not absurd`, async (t) => {
    const tokens = estimateTokens(text)
    t.ok(tokens >= atLeast && tokens <= atMost, `${tokens} is between ${atLeast} and ${atMost}`)
  })
}

t.test('256 KiB are estimated in seconds, not minutes', async (t) => {
  t.ok(
    (await cpuMsOf(() => {
      t.ok(estimateTokens('a1 é{'.repeat(50_000)) > 100_000)
    })) < 5_000
  )
})

t.test('every message costs more than its text', async (t) => {
  const message = { role: 'user' as const, content: 'word' }
  t.ok(estimatePromptTokens([message, message]) > estimatePromptTokens([message]) + estimateTokens('word'))
})

t.test("the context is the smaller of the catalogue's and the limit", async (t) => {
  t.equal(contextTokensOf('gamma', 1_000_000), 32_768)
  t.equal(contextTokensOf('beta-3', 1_000_000), 100_000)
  t.equal(contextTokensOf('alpha-4o', 8_192), 8_192)
})

t.test('a request fits exactly to the token', async (t) => {
  const messages = [{ role: 'user' as const, content: 'word '.repeat(100) }]
  const room = 4_096 - estimatePromptTokens(messages)
  t.ok(fitsContext(messages, 'alpha-4o', room, 4_096))
  t.notOk(fitsContext(messages, 'alpha-4o', room + 1, 4_096))
})
