import t from 'tap'
import { unfenced } from '../../src/code/unfenced.js'

t.test('text that is being written is shown without its fences', async (t) => {
  const stages: Array<[string, string]> = [
    ['``', '``'],
    ['```j', ''],
    ['```js\ncon', 'con'],
    ['```js\nconst a = `x`\n``', 'const a = `x`'],
    ['```js\nconst a = 1\n```\n', 'const a = 1'],
    ['plain text', 'plain text']
  ]
  for (const [text, shown] of stages) t.equal(unfenced(text), shown, text)
})
