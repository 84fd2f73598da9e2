import { join } from 'node:path'
import t from 'tap'
import { startOllamaServer } from '@filewright/testing'
import { evalTable, runEval } from '../../src/eval/index.js'

t.setTimeout(300_000)

t.test('a table has a row for each model and task, recorded and live', async (t) => {
  const peer = await startOllamaServer({
    models: ['small:1b'],
    respond: () => '```js\nexport const clamp = (a, b, c) => Math.min(Math.max(a, b), c)\n```'
  })
  t.teardown(peer.close)
  const env = { OLLAMA_HOST: peer.url, MODEL_FALLBACK: 'small:1b' }

  const rows = await runEval({ live: true, folder: join(import.meta.dirname, '../../../recorded'), env })

  const recorded = rows.filter(({ model }) => model === 'recorded')
  t.strictSame(
    recorded.flatMap(({ failures }) => failures),
    []
  )
  t.ok(recorded.reduce((sum, { total }) => sum + total, 0) >= 150, 'at least 150 recorded answers')
  t.match(
    rows.find(({ model, task }) => model === 'alpha-4o' && task === 'generate'),
    { passed: 1, total: 8 },
    'of eight functions it writes one'
  )
  const table = evalTable(rows)
  t.match(table, /^recorded +generate: bad answers refused +(\d+) of \1$/m)
  t.match(table, /^not passed: gamma, generate: Write a function named median/m)
})
