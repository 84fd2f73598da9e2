import { pythonPerformanceRules } from './performance.js'
import { pythonPitfallRules } from './pitfalls.js'
import { ruffBugbearRules } from './ruff-bugbear.js'
import { ruffBugRules } from './ruff-bugs.js'
import { ruffPerformanceRules } from './ruff-performance.js'
import { ruffPyflakesRules } from './ruff-pyflakes.js'
import { ruffSecurityRules } from './ruff-security.js'
import { ruffStyleRules } from './ruff-style.js'
import { pythonSecretRules } from './secrets.js'
import { pythonSlipRules } from './slips.js'
import { pythonBugRules, pythonSecurityRules } from './tree.js'
import type { TreeRule } from '../../../tree/tree.js'

export const ruffRules = [
  ...ruffSecurityRules,
  ...ruffBugbearRules,
  ...ruffPyflakesRules,
  ...ruffBugRules,
  ...ruffPerformanceRules,
  ...ruffStyleRules
]

export const pythonTreeRules: readonly TreeRule[] = [
  ...pythonSecurityRules,
  ...pythonSecretRules,
  ...pythonPitfallRules,
  ...pythonSlipRules,
  ...pythonPerformanceRules,
  ...pythonBugRules
]
