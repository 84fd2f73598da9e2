import { compareExports, type Analyzers, type Measurement } from '@filewright/analysis/pool'
import type { Language } from '@filewright/contracts'
import { extractCode, optimizePrompt, repeatsInstructions } from '@filewright/llm'
import type { OptimizePayload } from '@filewright/queue'
import { isWrittenOut, keepsLandmarks, keepsWhatItUses } from './kept.js'
import type { Meter } from './usage.js'

/** Code and what the analyzers say about it. */
export interface Measured {
  code: string
  measured: Measurement
}

export interface RewriteDeps {
  analysis: Pick<Analyzers, 'checkSyntax' | 'exportsOf' | 'measure'>
  meter: Meter
  signal: AbortSignal
}

/** A rewrite many times as long as the code is something else. */
const MAX_GROWTH = 4
const ROOM_CHARS = 4_096

type Goal = Pick<OptimizePayload, 'model' | 'framework' | 'optimizationType'>

/** The model's rewrite of `base`, if there is one and everything that can be checked speaks for it. */
export async function rewrite(
  base: Measured,
  language: Language,
  goal: Goal,
  { analysis, meter, signal }: RewriteDeps
): Promise<Measured | null> {
  const { model, framework, optimizationType: type } = goal
  const prompt = optimizePrompt({
    code: base.code,
    language,
    framework,
    type,
    findings: base.measured.findings
  })
  const { text, finish } = await meter.chat({ model, ...prompt }, signal)
  const code = finish === 'length' ? '' : framedLike(base.code, extractCode(text, language))
  if (
    code.trim() === '' ||
    code.length > base.code.length * MAX_GROWTH + ROOM_CHARS ||
    sameText(code, base.code)
  ) {
    return null
  }
  if (repeatsInstructions(code, prompt)) return null
  if (
    !isWrittenOut(base.code, code) ||
    !keepsWhatItUses(base.code, code) ||
    !keepsLandmarks(base.code, code, language)
  ) {
    return null
  }

  // Only what a parser of ours vouches for may replace somebody's code.
  if ((await analysis.checkSyntax(code, language, { signal })).ok !== true) return null
  const offered = await analysis.exportsOf(base.code, language, { signal })
  if (offered !== null) {
    const offers = await analysis.exportsOf(code, language, { signal })
    if (offers === null || !compareExports(offered, offers).kept) return null
  }
  const measured = await analysis.measure(code, language, { signal })
  return addsFinding(base.measured, measured) ? null : { code, measured }
}

function addsFinding(before: Measurement, after: Measurement): boolean {
  const countOf = ({ findings }: Measurement, rule: string): number =>
    findings.filter(({ ruleId }) => ruleId === rule).length
  return after.findings.some(({ ruleId }) => countOf(after, ruleId) > countOf(before, ruleId))
}

/** Models keep neither line ends nor the blank lines around the code, and those would count as changes. */
function framedLike(original: string, code: string): string {
  const lines = original.split('\n')
  const head = lines
    .slice(
      0,
      Math.max(
        0,
        lines.findIndex((line) => line.trim() !== '')
      )
    )
    .map((line) => `${line}\n`)
    .join('')
  const tail = original.slice(original.trimEnd().length)
  return head + (original.includes('\r\n') ? code.replaceAll('\n', '\r\n') : code) + tail
}

/** Line ends and trailing blanks are not a change worth a word. */
function sameText(a: string, b: string): boolean {
  const plain = (text: string): string =>
    text
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trim()
  return plain(a) === plain(b)
}
