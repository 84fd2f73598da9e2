import type { RuleInfo } from '../../types.js'
import type { ScriptContext } from './context.js'
import type { ScriptNode } from './nodes.js'

/** A rule of ESLint or of one of its plugins, under our name, type and words. */
export interface LintRule extends RuleInfo {
  readonly engine: 'lint'
  readonly rule: string
  readonly options?: readonly unknown[]
  /** Says what ESLint says, because it names the thing; a function puts it into our words. */
  readonly named?: true | ((message: string) => string)
  /** Which of ESLint's reports count; all when absent. What is doubtful becomes a suggestion. */
  readonly accept?: (node: ScriptNode, script: ScriptContext) => Verdict
}

/**
 * Likely is what the code does not prove: a warning at most. Doubtful is what only knowledge from outside of
 * the code can decide: a suggestion.
 */
export type Verdict = boolean | 'likely' | 'doubtful'

/** A place, and words that name what is there; the rule's sentence when absent. */
export interface Found {
  readonly node: ScriptNode
  readonly message?: string
  readonly isDoubtful?: boolean
  readonly isLikely?: boolean
}

/**
 * A rule of our own: nodes a selector finds, and a question about each. A returned node is where the finding
 * lies.
 */
export interface VisitRule extends RuleInfo {
  readonly engine: 'visit'
  readonly on: string
  readonly when?: (node: ScriptNode, script: ScriptContext) => Verdict | ScriptNode | readonly Found[] | null
}

export type ScriptRule = LintRule | VisitRule
