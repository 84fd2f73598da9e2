import type { TreeRule } from '../tree/tree.js'
import { goBugRules, goPerformanceRules, goStyleRules } from './go/quality.js'
import { goSettingRules } from './go/settings.js'
import { goSecurityRules } from './go/security.js'
import { goSlipRules } from './go/slips.js'
import { goUnusedRules } from './go/unused.js'
import { javaBugRules, javaPerformanceRules, javaStyleRules } from './java/quality.js'
import { javaSettingRules } from './java/settings.js'
import { javaSlipRules } from './java/slips.js'
import { javaSecurityRules } from './java/security.js'
import { pythonPitfallRules } from './python/pitfalls.js'
import { pythonSecretRules } from './python/secrets.js'
import { pythonSlipRules } from './python/slips.js'
import { pythonBugRules, pythonPerformanceRules, pythonSecurityRules } from './python/tree.js'
import { rustPitfallRules } from './rust/pitfalls.js'
import { rustBugRules, rustPerformanceRules, rustSecurityRules, rustStyleRules } from './rust/rules.js'
import { shellBugRules, shellPerformanceRules, shellSecurityRules, shellStyleRules } from './shell/rules.js'

export const treeRules: readonly TreeRule[] = [
  ...pythonSecurityRules,
  ...pythonSecretRules,
  ...pythonPitfallRules,
  ...pythonSlipRules,
  ...pythonPerformanceRules,
  ...pythonBugRules,
  ...goSecurityRules,
  ...goSettingRules,
  ...goPerformanceRules,
  ...goBugRules,
  ...goSlipRules,
  ...goUnusedRules,
  ...goStyleRules,
  ...javaSecurityRules,
  ...javaSettingRules,
  ...javaPerformanceRules,
  ...javaBugRules,
  ...javaSlipRules,
  ...javaStyleRules,
  ...rustSecurityRules,
  ...rustPitfallRules,
  ...rustPerformanceRules,
  ...rustBugRules,
  ...rustStyleRules,
  ...shellSecurityRules,
  ...shellPerformanceRules,
  ...shellBugRules,
  ...shellStyleRules
]
