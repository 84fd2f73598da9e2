import type { Filewright } from '@filewright/client/browser'
import {
  filesOfSarif,
  fixOfLine,
  isFixed,
  withLineFix,
  type LineFix,
  type RuledFinding
} from '@filewright/contracts'
import { loadDiff } from '../editor/load-editor.js'
import type { Analysis } from '../editor/workspace.js'
import { isOutcome } from '../explain-error.js'

type Api = Pick<Filewright, 'ai'>

/** Why there is no fix: the service has none for the code, or none that changes this line and this line alone. */
export type NoFix = 'none' | 'not-here'

/** The service's rewrite of an analyzed text; the same for all of its findings. */
const rewrites = new WeakMap<Analysis, string | null>()

async function rewriteOf(
  api: Api,
  analysis: Analysis,
  language: string,
  signal: AbortSignal
): Promise<string | null> {
  const known = rewrites.get(analysis)
  if (known !== undefined) return known
  let rewrite: string | null = null
  try {
    rewrite = (await api.ai.optimize({ code: analysis.code, language }, { signal })).optimized_code
  } catch (error) {
    if (!isOutcome(error)) throw error
  }
  rewrites.set(analysis, rewrite)
  return rewrite
}

/** What the analyzers alone find. */
export async function analyzedAgain(
  api: Api,
  { code, language }: { code: string; language: string },
  signal: AbortSignal
): Promise<{ findings: RuledFinding[]; suppressed: RuledFinding[] }> {
  const log = await api.ai.analyzeBatchAsSarif({ files: [{ path: 'code', code, language }] }, { signal })
  return filesOfSarif(log)[0] ?? { findings: [], suppressed: [] }
}

/** A fix of a finding that is verified: with it alone the finding is gone, and no other one appears. */
export async function findFix(
  api: Api,
  { analysis, finding, language }: { analysis: Analysis; finding: RuledFinding; language: string },
  signal: AbortSignal
): Promise<LineFix | NoFix> {
  const rewrite = await rewriteOf(api, analysis, language, signal)
  if (rewrite === null) return 'none'
  const { hunksOf } = await loadDiff()
  const fix = fixOfLine(hunksOf(analysis.code, rewrite), finding.line)
  if (fix === null) return 'not-here'
  const code = withLineFix(analysis.code.split('\n'), fix).join('\n')
  if (code.trim() === '') return 'not-here'
  const { findings } = await analyzedAgain(api, { code, language }, signal)
  return isFixed(finding.rule, analysis.findings, findings) ? fix : 'not-here'
}
