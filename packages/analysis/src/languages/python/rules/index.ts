import { ruffBugRules } from './ruff-bugs.js'
import { ruffPerformanceRules, ruffStyleRules } from './ruff-quality.js'
import { ruffSecurityRules } from './ruff-security.js'

export const ruffRules = [...ruffSecurityRules, ...ruffBugRules, ...ruffPerformanceRules, ...ruffStyleRules]
