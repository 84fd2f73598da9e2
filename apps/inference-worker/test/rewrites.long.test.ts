import t from 'tap'
import { checkSyntax, compareRewrite, exportsOf, mergeRewrite, runCheck } from '@filewright/analysis'
import { createRunWork, takeWhatHolds } from '../src/take-what-holds.js'
import { rightRewrites } from './helpers/right-rewrites.js'
import { wrongRewrites, type RewriteCase } from './helpers/wrong-rewrites.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

const deps = {
  analysis: {
    checkSyntax,
    exportsOf,
    runCheck,
    compareRewrite,
    mergeRewrite: async (input: Parameters<typeof mergeRewrite>[0]) => mergeRewrite(input)
  },
  signal: new AbortController().signal
}

/** What of the rewrite was taken, and why the rest was not. */
async function judge({
  before,
  after,
  language = 'javascript'
}: RewriteCase): Promise<{ isTaken: boolean; why: string }> {
  const taken = await takeWhatHolds(before, after, language, { ...deps, runWork: createRunWork() })
  return {
    isTaken: taken !== null && taken.code !== before,
    why: taken?.refused.map(({ name, why }) => `${name}: ${why}`).join('; ') ?? 'no units'
  }
}

t.test('of rewrites that do something else at most 2 in 60 are taken', { timeout: 240_000 }, async (t) => {
  t.ok(wrongRewrites.length >= 60)
  const taken: string[] = []
  for (const rewrite of wrongRewrites) {
    const { isTaken, why } = await judge(rewrite)
    if (isTaken) taken.push(rewrite.what)
    t.comment(`${isTaken ? 'TAKEN' : 'refused'} ${rewrite.what}: ${why}`)
  }
  t.ok(taken.length <= 2, `taken: ${taken.join(', ')}`)
})

t.test(
  'of rewrites that do the same with less at least 34 in 40 are taken',
  { timeout: 240_000 },
  async (t) => {
    t.ok(rightRewrites.length >= 40)
    const refused: string[] = []
    for (const rewrite of rightRewrites) {
      const { isTaken, why } = await judge(rewrite)
      if (!isTaken) refused.push(rewrite.what)
      t.comment(`${isTaken ? 'taken' : 'REFUSED'} ${rewrite.what}: ${why}`)
    }
    t.ok(refused.length <= rightRewrites.length - 34, `refused: ${refused.join(', ')}`)
  }
)
