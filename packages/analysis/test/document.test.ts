import { readFile } from 'node:fs/promises'
import t from 'tap'
import { rules } from '../src/index.js'
import { rulesDocument } from '../src/document.js'

t.test(
  'the page about the rules says what the rules say; npm run docs -w packages/analysis writes it',
  async (t) => {
    const page = await readFile(new URL('../../../../docs/analysis-rules.md', import.meta.url), 'utf8')

    t.ok(page === rulesDocument(), 'docs/analysis-rules.md is up to date')
  }
)

t.test('every rule has its own id, a sentence and a short suggestion', async (t) => {
  t.equal(new Set(rules.map(({ id }) => id)).size, rules.length)
  for (const { id, sentence, suggestion } of rules) {
    if (
      !/^[a-z]+\/[a-z0-9-]+$/i.test(id) ||
      !/[.;]$/.test(sentence) ||
      !/\.$/.test(suggestion) ||
      suggestion.length > 120
    ) {
      t.fail(id)
    }
  }
  t.ok(rules.length > 300)
})
