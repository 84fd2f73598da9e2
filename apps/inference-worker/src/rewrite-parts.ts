import type { Analyzers } from './analysis-pool/pool.js'
import type { Measurement } from '@filewright/analysis/results'
import type { Language } from '@filewright/contracts'
import { optimizePrompt, repeatsInstructions, rewriteCandidates, type Prompt } from '@filewright/llm'
import type { OptimizePayload } from '@filewright/queue'
import { isAppError } from '@filewright/runtime'
import type { ProofDeps } from './take-verified-units.js'
import type { Meter } from './usage.js'

/** Code and its findings. */
export interface Measured {
  code: string
  measured: Measurement
}

export interface RewriteDeps extends ProofDeps {
  analysis: ProofDeps['analysis'] & Pick<Analyzers, 'measure' | 'partsOf'>
  meter: Meter
  /** Maximum tokens of one response. Default 4,096. */
  outputTokens?: number | undefined
}

export type Goal = Pick<OptimizePayload, 'model' | 'framework' | 'optimizationType'>

/** Candidate rewrites of the whole code, most likely first. */
export interface Versions {
  versions: string[]
  /** The model's text around its code. */
  words: string
}

/** A rewrite many times as long as the code is not a rewrite. */
const MAX_GROWTH = 4
const ROOM_CHARS = 4_096
/** Each part is one call: those with the most findings first, then the longest. The rest stays unchanged. */
const MAX_PARTS = 6

/** The request did not fit the model's context. */
export function isTooLong(error: unknown): boolean {
  return isAppError(error, 'INVALID_AI_REQUEST')
}

/** The rewrites in a response, with the original's surrounding whitespace. */
export function candidatesIn(text: string, prompt: Prompt, language: Language, code: string): string[] {
  return rewriteCandidates(text, language, code)
    .filter(
      (candidate) =>
        candidate.length <= code.length * MAX_GROWTH + ROOM_CHARS && !repeatsInstructions(candidate, prompt)
    )
    .map((candidate) => framedLike(code, candidate))
}

/**
 * Rewrites the functions one by one: all of them where the code does not fit, otherwise those with findings.
 * No version if none of them fits either.
 */
export async function rewriteParts(
  { code, measured: { findings } }: Measured,
  language: Language,
  { model, framework, optimizationType: type }: Goal,
  { analysis, meter, signal }: RewriteDeps,
  { doesNotFit }: { doesNotFit: boolean }
): Promise<Versions> {
  const parts = (await analysis.partsOf({ code, language }, { signal })) ?? []
  const found = parts
    .map((part) => ({
      ...part,
      findings: findings
        .filter(({ line }) => line >= part.firstLine && line <= part.lastLine)
        .map((finding) => ({ ...finding, line: finding.line - part.firstLine + 1 }))
    }))
    .filter((part) => doesNotFit || part.findings.length > 0)
    .sort((a, b) => b.findings.length - a.findings.length || b.end - b.start - (a.end - a.start))
    .slice(0, MAX_PARTS)

  const replaced: Array<{ start: number; end: number; text: string }> = []
  const words: string[] = []
  let isAnswered = false
  for (const { start, end, findings: own } of found) {
    const before = code.slice(start, end)
    const prompt = optimizePrompt({ code: before, language, framework, type, findings: own })
    try {
      const { text, finish } = await meter.chat({ model, ...prompt }, signal)
      isAnswered ||= finish !== 'length'
      const [after] = finish === 'length' ? [] : candidatesIn(text, prompt, language, before)
      if (after === undefined) continue
      replaced.push({ start, end, text: after })
      words.push(text)
    } catch (error) {
      // A function that is too long stays unchanged; without a model there is nothing to wait for.
      if (!isTooLong(error)) {
        if (replaced.length === 0) throw error
        break
      }
    }
  }
  signal.throwIfAborted()
  if (replaced.length === 0) return { versions: isAnswered ? [code] : [], words: '' }
  const version = replaced
    .sort((a, b) => b.start - a.start)
    .reduce((text, part) => text.slice(0, part.start) + part.text + text.slice(part.end), code)
  return { versions: [version], words: words.join('\n') }
}

/** Models change line endings and surrounding blank lines, which would count as changes. */
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
  return head + (original.includes('\r\n') ? code.replace(/\r?\n/g, '\r\n') : code) + tail
}
