import t from 'tap'
import { codeCandidates, codeFault, contentFault, extractContent } from '../../src/index.js'

const CHARS = 150_000
const PARTS = [
  'm',
  ' ',
  '\n',
  ' \n',
  '\t',
  '`',
  '```js\n',
  '#',
  '"',
  '(',
  '{',
  '<!--',
  'a ',
  'a.',
  'Sure! ',
  '1. '
]
const prompt = 'write a function that adds two numbers'
// Far above one pass over the text, far below one pass per character.
const LIMIT_MS = 5_000

t.test('a response that repeats one fragment is judged in linear time, whatever the fragment', async (t) => {
  for (const part of PARTS) {
    const run = part.repeat(CHARS / part.length)
    for (const text of [run, `x${run}x`]) {
      const startedAt = Date.now()

      codeCandidates(text, { language: 'go', framework: undefined, wantsTests: false })
      for (const language of ['go', 'python', 'javascript']) {
        codeFault(text, { code: text, fence: '', parses: false }, { prompt, type: 'code', language })
      }
      contentFault(extractContent(text, prompt), { prompt })

      t.ok(Date.now() - startedAt < LIMIT_MS, `${JSON.stringify(part)}: ${Date.now() - startedAt} ms`)
    }
  }
})
