import t from 'tap'
import { judge } from './helpers/judge.js'
import { rightRewrites } from './helpers/right-rewrites.js'
import { utilityRewrites } from './helpers/utility-rewrites.js'
import { wrongRewrites, type RewriteCase } from './helpers/wrong-rewrites.js'

t.setTimeout(900_000)

/** Languages that cannot be executed. */
const isNotRun = ({ language = 'javascript' }: RewriteCase): boolean =>
  language === 'go' || language === 'java' || language === 'rust'

t.test('no rewrite that behaves differently is accepted', { timeout: 900_000 }, async (t) => {
  t.ok(wrongRewrites.length >= 60)
  for (const rewrite of wrongRewrites) {
    const { isTaken, why } = await judge(rewrite)
    t.notOk(isTaken, `${rewrite.what}: ${why}`)
  }
})

t.test('nine in ten equivalent rewrites are accepted', { timeout: 900_000 }, async (t) => {
  const cases = rightRewrites.filter(({ language }) => language === undefined || language === 'typescript')
  t.ok(cases.length >= 25)
  const refused: string[] = []
  for (const rewrite of cases) {
    const { isTaken, why } = await judge(rewrite)
    if (!isTaken) refused.push(`${rewrite.what}: ${why}`)
  }
  t.ok(refused.length <= cases.length / 10, refused.join('\n'))
})

t.test('all correct rewrites of utility functions are accepted, and no wrong one', async (t) => {
  const refused: string[] = []
  for (const rewrite of utilityRewrites) {
    const { isTaken, why } = await judge(rewrite)
    if (rewrite.isRight && !isTaken) refused.push(`${rewrite.what}: ${why}`)
    if (!rewrite.isRight) t.notOk(isTaken, rewrite.what)
  }
  t.ok(refused.length <= 2, refused.join('\n'))
})

t.test('in languages that cannot be executed, no rewrite is accepted, correct or wrong', async (t) => {
  const cases = [...rightRewrites, ...wrongRewrites].filter(isNotRun)
  t.ok(cases.length > 5)
  for (const rewrite of cases) {
    t.strictSame(await judge(rewrite), { isTaken: false, why: 'no units' }, rewrite.what)
  }
})
