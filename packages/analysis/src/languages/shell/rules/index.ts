import { shellBugRules } from './bugs.js'
import { shellPerformanceRules } from './performance.js'
import { shellSecurityRules } from './security.js'
import { shellStyleRules } from './style.js'
import type { TreeRule } from '../../../tree/tree.js'

export const shellTreeRules: readonly TreeRule[] = [
  ...shellSecurityRules,
  ...shellPerformanceRules,
  ...shellBugRules,
  ...shellStyleRules
]
