import type { RuleInfo } from '../../types.js'
import type { SqlStatement } from './nodes.js'

export interface SqlRule extends RuleInfo {
  readonly engine: 'sql'
  /** True for the statement's first line, or an offset inside the statement's text. */
  readonly when: (statement: SqlStatement) => boolean | number
}
