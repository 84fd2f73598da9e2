import type { Analyzers, Measurement } from '@filewright/analysis/pool'
import type { Language } from '@filewright/contracts'
import { optimizePrompt, repeatsInstructions, rewriteCandidates } from '@filewright/llm'
import type { OptimizePayload } from '@filewright/queue'
import { takeWhatHolds, type Proof, type ProofDeps } from './take-what-holds.js'
import type { Meter } from './usage.js'

/** Code and what the analyzers say about it. */
export interface Measured {
  code: string
  measured: Measurement
}

export interface Rewritten extends Measured {
  proof: Proof | null
  /** What the model says beside its code. */
  words: string
}

export interface RewriteDeps extends ProofDeps {
  analysis: ProofDeps['analysis'] & Pick<Analyzers, 'measure'>
  meter: Meter
}

/** A rewrite many times as long as the code is something else. */
const MAX_GROWTH = 4
const ROOM_CHARS = 4_096

type Goal = Pick<OptimizePayload, 'model' | 'framework' | 'optimizationType'>

/** `same`: the model changes nothing. `unsafe`: nothing of its rewrite can be shown to do the same. */
export type NoRewrite = 'same' | 'unsafe'

/** What of the model's rewrite of `base` holds, function by function. */
export async function rewrite(
  base: Measured,
  language: Language,
  goal: Goal,
  deps: RewriteDeps
): Promise<Rewritten | NoRewrite> {
  const { analysis, meter, signal } = deps
  const { model, framework, optimizationType: type } = goal
  const prompt = optimizePrompt({
    code: base.code,
    language,
    framework,
    type,
    findings: base.measured.findings
  })
  const { text, finish } = await meter.chat({ model, ...prompt }, signal)
  if (finish === 'length') return 'unsafe'
  let outcome: NoRewrite = 'same'
  for (const candidate of rewriteCandidates(text, language, base.code)) {
    if (
      candidate.length > base.code.length * MAX_GROWTH + ROOM_CHARS ||
      repeatsInstructions(candidate, prompt)
    ) {
      continue
    }
    const wanted = framedLike(base.code, candidate)
    if (wanted !== base.code) outcome = 'unsafe'
    const taken = await takeWhatHolds(base.code, wanted, language, deps)
    if (taken === null || taken.code === base.code) continue
    const measured = await analysis.measure(taken.code, language, { signal })
    if (!addsFinding(base.measured, measured)) {
      return { code: taken.code, measured, proof: taken.proof, words: text }
    }
  }
  return outcome
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
