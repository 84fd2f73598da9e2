import t from 'tap'
import { judge } from './helpers/judge.js'
import { rightUnusualRewrites, wrongUnusualRewrites } from './helpers/unusual-rewrites.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(900_000)

t.test('a difference that only unusual inputs show is seen', async (t) => {
  for (const rewrite of wrongUnusualRewrites) {
    const { isTaken, why } = await judge(rewrite)
    t.notOk(isTaken, `${rewrite.what}: ${why}`)
  }
})

t.test('unusual inputs reach the branches of code that behaves the same', async (t) => {
  for (const rewrite of rightUnusualRewrites) {
    const { isTaken, why } = await judge(rewrite)
    t.ok(isTaken, `${rewrite.what}: ${why}`)
  }
})
