import t from 'tap'
import { runCheck } from '../../../src/index.js'
import { moreRightRewrites, moreWrongRewrites } from './more-rewrites.js'
import { rightRewrites, wrongRewrites } from './rewrites.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(600_000)

for (const { what, before, after } of [...rightRewrites, ...moreRightRewrites]) {
  t.test(`the same: ${what}`, async (t) => {
    const run = await runCheck({ before, after, language: 'python' })

    t.ok(run !== null && run.functions.length > 0, 'it was run')
    t.strictSame(
      run?.functions.flatMap(({ difference }) => difference ?? []),
      []
    )
  })
}

for (const { what, before, after } of [...wrongRewrites, ...moreWrongRewrites]) {
  t.test(`not the same: ${what}`, async (t) => {
    const run = await runCheck({ before, after, language: 'python' })

    t.ok(
      run?.functions.some(({ isSame }) => !isSame),
      JSON.stringify(run)
    )
  })
}
