import { rustSecurityRules } from './security.js'
import { rustPitfallRules } from './pitfalls.js'
import { rustPerformanceRules } from './performance.js'
import { rustBugRules } from './bugs.js'
import { rustStyleRules } from './style.js'
import type { TreeRule } from '../../../tree/tree.js'

export const rustTreeRules: readonly TreeRule[] = [
  ...rustSecurityRules,
  ...rustPitfallRules,
  ...rustPerformanceRules,
  ...rustBugRules,
  ...rustStyleRules
]
