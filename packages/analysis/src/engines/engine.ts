import type { Language } from '@filewright/contracts'
import type { Source } from '../text/source.js'
import type { AnalysisType, FailureHook, Hit, SyntaxResult } from '../types.js'

export interface EngineResult {
  syntax: SyntaxResult
  hits: Hit[]
}

/**
 * One way to look at code. An engine that throws is left out of the answer. It catches what single rules throw
 * and reports them to `onFailure`, so that the answer says that it is incomplete.
 */
export interface Engine {
  /** @param known what the engines before this one found out about the syntax. */
  run(
    source: Source,
    language: Language,
    wanted: ReadonlySet<AnalysisType>,
    onFailure: FailureHook,
    known: SyntaxResult
  ): EngineResult | Promise<EngineResult>
  syntax?(source: Source, language: Language): SyntaxResult | Promise<SyntaxResult>
}

export const unknownSyntax: SyntaxResult = { ok: 'unknown' }
