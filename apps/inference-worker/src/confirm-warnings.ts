import type { Language, ModelId } from '@filewright/contracts'
import { confirmedClaims, confirmPrompt, parseModelFindings, type ModelFinding } from '@filewright/llm'
import { withDeadline } from '@filewright/runtime'
import type { Meter } from './usage.js'

export interface ConfirmDeps {
  meter: Meter
  signal: AbortSignal
  /** What the first call took. */
  tookMs: number
  /** What is left of the time for the answer. */
  restMs: number
}

/** A second look is short; one that takes longer than this is not worth the wait. */
const MAX_CONFIRM_MS = 30_000
const MAX_OUTPUT_TOKENS = 1_024
/** The worst come first in a model's list. */
const MAX_CLAIMS = 12

/**
 * The findings with those warnings turned into suggestions that the model, asked again, does not stand by.
 */
export async function confirmWarnings(
  findings: readonly ModelFinding[],
  { code, language, model }: { code: string; language: Language; model: ModelId },
  { meter, signal, tookMs, restMs }: ConfirmDeps
): Promise<ModelFinding[]> {
  const claims = findings.filter(({ type }) => type === 'warning').slice(0, MAX_CLAIMS)
  if (claims.length === 0) return [...findings]
  const ms = Math.min(MAX_CONFIRM_MS, restMs)
  const confirmed = ms < tookMs ? new Set<ModelFinding>() : await confirmedOf()
  return findings.map((finding) =>
    finding.type === 'suggestion' || confirmed.has(finding) ? finding : { ...finding, type: 'suggestion' }
  )

  async function confirmedOf(): Promise<Set<ModelFinding>> {
    try {
      const request = {
        model,
        ...confirmPrompt({ code, language, claims }),
        maxOutputTokens: MAX_OUTPUT_TOKENS
      }
      const { text } = await withDeadline(async (limited) => await meter.chat(request, limited), {
        ms,
        signal
      })
      const numbers = confirmedClaims(text)
      if (numbers !== undefined) return new Set(claims.filter((_, index) => numbers.has(index + 1)))
      // Some models answer with their findings again: what they say twice they stand by.
      const again = parseModelFindings(text, code).findings
      return new Set(
        claims.filter(({ line, message }) =>
          again.some((each) => each.line === line && each.message === message)
        )
      )
    } catch {
      signal.throwIfAborted()
      return new Set()
    }
  }
}
