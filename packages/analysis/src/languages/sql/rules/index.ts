import { sqlSecurityRules } from './security.js'
import { sqlBugsRules } from './bugs.js'
import { sqlPerformanceRules } from './performance.js'
import { sqlStyleRules } from './style.js'
import type { SqlRule } from '../rule.js'

export const sqlRules: readonly SqlRule[] = [
  ...sqlSecurityRules,
  ...sqlBugsRules,
  ...sqlPerformanceRules,
  ...sqlStyleRules
]
