import type { Language, Proof } from '@filewright/contracts'

export const analysisTypes = ['security', 'performance', 'style', 'bugs'] as const
export type AnalysisType = (typeof analysisTypes)[number]

export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

export interface Finding {
  ruleId: string
  analysisType: AnalysisType
  severity: Severity
  /** The wire value: `info` findings are suggestions, the others warnings. */
  type: 'warning' | 'suggestion'
  message: string
  /** From 1 to the number of lines of the submitted code. */
  line: number
  suggestion: string
  /** How a run of the code made it happen. */
  proof?: Proof
  /** Lines from where a client's value comes in to the line of the finding; absent where they are not known. */
  flow?: number[]
  /** The reason that a comment in the code gives for accepting it. */
  suppression?: string
}

/** What the documentation says about a rule, and what a finding of it carries. */
export interface RuleInfo {
  readonly id: string
  /** Empty means every language. */
  readonly languages: readonly Language[]
  readonly analysisType: AnalysisType
  readonly severity: Severity
  readonly sentence: string
  readonly suggestion: string
}

/** A rule that hit. `message` replaces the rule's sentence where the engine can name what it saw. */
export interface Hit {
  rule: RuleInfo
  line: number
  message?: string
  /** Whether it is a problem, only the author can tell: a suggestion, whatever the rule's severity. */
  isDoubtful?: boolean
  /** The evidence is indirect: a warning at most. Severity `error` is for what the code itself proves. */
  isLikely?: boolean
  /** Lines from where a value comes from to the line of the hit. */
  flow?: readonly number[]
}

export interface AnalyzeInput {
  code: string
  language: Language
  /** All four when absent. */
  analysisTypes?: readonly AnalysisType[] | undefined
  framework?: string | undefined
  /** Where the client keeps the code, relative to its project: tests and examples have no findings of severity `error`. */
  path?: string | undefined
}

export type SyntaxResult =
  | { ok: true }
  | { ok: false; line: number; message: string }
  /** No parser of ours can tell; `isSkipped` where one would, but not of code like this. */
  | { ok: 'unknown'; isSkipped?: true }

/** Of code that is nested too deeply for a parser, or that is no code at all. */
export const skippedSyntax: SyntaxResult = { ok: 'unknown', isSkipped: true }

export function isSkipped(syntax: SyntaxResult): boolean {
  return syntax.ok === 'unknown' && syntax.isSkipped === true
}

/** Called for each rule or engine that failed and was left out of the answer. */
export type FailureHook = (where: string, error: unknown) => void
