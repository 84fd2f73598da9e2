import { checkSyntax, exportsOf } from '@filewright/analysis'
import { compareRewrite, mergeRewrite, runCheck } from '@filewright/rewrites'
import { createRunWork, takeVerifiedUnits } from '../../src/take-verified-units.js'
import type { RewriteCase } from './wrong-rewrites.js'

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

/** The accepted parts of the rewrite, and the reasons why the others were refused. */
export async function judge({
  before,
  after,
  language = 'javascript'
}: RewriteCase): Promise<{ isTaken: boolean; why: string }> {
  const taken = await takeVerifiedUnits(before, after, language, { ...deps, runWork: createRunWork() })
  return {
    isTaken: taken !== null && taken.code !== before,
    why: taken?.refused.map(({ name, why }) => `${name}: ${why}`).join('; ') ?? 'no units'
  }
}
