import type { TreeRule } from '../tree/tree.js'
import { goBugRules, goPerformanceRules, goStyleRules } from '../languages/go/rules/quality.js'
import { goSettingRules } from '../languages/go/rules/settings.js'
import { goSecurityRules } from '../languages/go/rules/security.js'
import { goSlipRules } from '../languages/go/rules/slips.js'
import { goUnusedRules } from '../languages/go/rules/unused.js'
import { javaBugRules, javaPerformanceRules, javaStyleRules } from '../languages/java/rules/quality.js'
import { javaSettingRules } from '../languages/java/rules/settings.js'
import { javaSlipRules } from '../languages/java/rules/slips.js'
import { javaSecurityRules } from '../languages/java/rules/security.js'
import { pythonPitfallRules } from '../languages/python/rules/pitfalls.js'
import { pythonSecretRules } from '../languages/python/rules/secrets.js'
import { pythonSlipRules } from '../languages/python/rules/slips.js'
import {
  pythonBugRules,
  pythonPerformanceRules,
  pythonSecurityRules
} from '../languages/python/rules/tree.js'
import { rustPitfallRules } from '../languages/rust/rules/pitfalls.js'
import {
  rustBugRules,
  rustPerformanceRules,
  rustSecurityRules,
  rustStyleRules
} from '../languages/rust/rules/rules.js'
import {
  shellBugRules,
  shellPerformanceRules,
  shellSecurityRules,
  shellStyleRules
} from '../languages/shell/rules.js'

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
