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

/** With the rules of its findings: the other form of the answer names them. */
export interface Analyzed
  extends AiResponse<AnalysisResult>,
    Pick<AnalyzeOutcome, 'rules' | 'isUnfinished'> {}

/** A file that the analyzers give up on takes as much work as any file may: so many are enough for one request. */
const MAX_UNFINISHED_FILES = 3
const SEND_ALONE = 'Send the file again in a request without the files that took too long.'
const notAnalyzed = {
  body: {
    analysis: [
      {
        type: 'warning' as const,
        message: `This file was not analyzed, because ${MAX_UNFINISHED_FILES} files before it took too long.`,
        line: 1
      }
    ],
    score: 0,
    suggestions: [SEND_ALONE]
  },
  rules: [{ id: 'all/analyzer-failed', help: SEND_ALONE }]
}

export function analyzersOf(name: string): string {
  const language = canonicalLanguage(name)
  return language !== null && hasAnalyzer(language) ? language : 'none'
}

/**
 * Analyzes one file after the other: a request has one job under way, however many files it brings. After some
 * files that the analyzers give up on, the others are not tried.
 */
export async function analyzeBatch(
  { files, ...options }: AnalyzeBatchRequest,
  analyze: (file: AnalyzeRequest) => Promise<Analyzed>
): Promise<AiResponse<Analyzed[]>> {
  const analyses: Analyzed[] = []
  let unfinished = 0
  for (const { code, language } of files) {
    const analyzed: Analyzed =
      unfinished < MAX_UNFINISHED_FILES
        ? await analyze({ code, language, ...options })
        : { headers: { 'x-analyzers': analyzersOf(language) }, ...notAnalyzed }
    if (analyzed.isUnfinished === true) unfinished++
    analyses.push(analyzed)
  }
  return { headers: { 'x-engine': 'static' }, body: analyses }
}
