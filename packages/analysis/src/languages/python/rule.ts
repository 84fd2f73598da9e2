import type { RuleInfo } from '../../types.js'

/** A rule of Ruff under our name, type and words. */
export interface RuffRule extends RuleInfo {
  readonly engine: 'ruff'
  readonly code: string
  /** Says what Ruff says, because it names the thing. */
  readonly named?: true
}
