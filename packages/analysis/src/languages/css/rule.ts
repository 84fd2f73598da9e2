import type { CssNode } from 'css-tree'
import type { RuleInfo } from '../../types.js'

export interface CssContext {
  /** From the sheet down to the node's parent. */
  ancestors: readonly CssNode[]
  text: (node: CssNode) => string
}

export interface CssRule extends RuleInfo {
  readonly engine: 'css'
  readonly on: CssNode['type']
  readonly when: (node: CssNode, context: CssContext) => boolean | CssNode | readonly CssNode[]
}
