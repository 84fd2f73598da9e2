import type { RuledFinding } from '@filewright/contracts'
import type { Analysis } from '../editor/workspace.js'

/** What can be done about a finding needs its text and a way to change it. */
export interface FindingContext {
  analysis: Analysis
  finding: RuledFinding
  /** Of the analyzed text. */
  language: string
  /** Replaces the text, says why, and analyzes it again. */
  onCode: (code: string, done: string) => void
}
