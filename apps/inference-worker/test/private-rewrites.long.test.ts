import t from 'tap'
import { judge } from './helpers/judge.js'
import { rightPrivateRewrites, wrongPrivateRewrites } from './helpers/private-rewrites.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(900_000)

t.test(
  'a module that behaves differently is refused, also where its private functions are gone',
  async (t) => {
    for (const rewrite of wrongPrivateRewrites) {
      const { isTaken, why } = await judge(rewrite)
      t.notOk(isTaken, `${rewrite.what}: ${why}`)
    }
  }
)

t.test('private functions may be gone where the exported ones behave the same', async (t) => {
  for (const rewrite of rightPrivateRewrites) {
    const { isTaken, why } = await judge(rewrite)
    t.ok(isTaken, `${rewrite.what}: ${why}`)
  }
})
