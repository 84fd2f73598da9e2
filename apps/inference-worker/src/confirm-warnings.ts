import type { Language, ModelId } from '@filewright/contracts'
import { confirmedClaims, confirmPrompt, parseModelFindings, type ModelFinding } from '@filewright/llm'
import { withDeadline } from '@filewright/runtime'
import type { Meter } from './usage.js'

export interface ConfirmDeps {
  meter: Meter
  signal: AbortSignal
  /** Duration of the first call. */
  tookMs: number
  /** Time left for the response. */
  restMs: number
}

/** A confirmation is short; a longer one is not worth the wait. */
const MAX_CONFIRM_MS = 30_000
const MAX_OUTPUT_TOKENS = 1_024
/** Models list the worst findings first. */
const MAX_CLAIMS = 12

/** Turns the warnings that the model does not confirm into suggestions. */
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
      // Some models repeat their findings instead; a repeated finding counts as confirmed.
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
