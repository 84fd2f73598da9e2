import { cssSecurityRules } from './security.js'
import { cssPerformanceRules } from './performance.js'
import { cssBugsRules } from './bugs.js'
import { cssStyleRules } from './style.js'
import type { CssRule } from '../rule.js'

export const cssRules: readonly CssRule[] = [
  ...cssSecurityRules,
  ...cssPerformanceRules,
  ...cssBugsRules,
  ...cssStyleRules
]
