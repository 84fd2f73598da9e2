import { htmlSecurityRules } from './security.js'
import { htmlPerformanceRules } from './performance.js'
import { htmlBugsRules } from './bugs.js'
import { htmlStyleRules } from './style.js'
import type { HtmlRule } from '../rule.js'

export const htmlRules: readonly HtmlRule[] = [
  ...htmlSecurityRules,
  ...htmlPerformanceRules,
  ...htmlBugsRules,
  ...htmlStyleRules
]
