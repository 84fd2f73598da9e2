import {
  canonicalLanguage,
  hasAnalyzer,
  type AnalysisResult,
  type AnalyzeBatchRequest,
  type AnalyzeRequest
} from '@filewright/contracts'
import type { AnalyzeOutcome } from '@filewright/queue'

export interface AiResponse<T> {
  headers: Record<string, string>
  body: T
}

/** Includes the rules of the findings, which SARIF needs. */
export interface Analyzed extends AiResponse<AnalysisResult>, Pick<AnalyzeOutcome, 'rules' | 'suppressed'> {}

export function analyzersOf(name: string): string {
  const language = canonicalLanguage(name)
  return language !== null && hasAnalyzer(language) ? language : 'none'
}

/** The specification's body cannot contain suppressed findings, so a header reports their number. */
export const suppressedHeader = (count: number): Record<string, string> =>
  count === 0 ? {} : { 'x-suppressed-findings': String(count) }

/**
 * Analyzes the files one after another, so a request has one job at a time, however many files it has. The
 * first failure ends the request.
 */
export async function analyzeBatch(
  { files, ...options }: AnalyzeBatchRequest,
  analyze: (file: AnalyzeRequest, path: string) => Promise<Analyzed>
): Promise<AiResponse<Analyzed[]>> {
  const analyses: Analyzed[] = []
  for (const { path, code, language } of files) {
    analyses.push(await analyze({ code, language, ...options }, path))
  }
  const suppressed = analyses.reduce((sum, each) => sum + (each.suppressed?.length ?? 0), 0)
  return { headers: { 'x-engine': 'static', ...suppressedHeader(suppressed) }, body: analyses }
}
