import type { TreeRule } from '../tree/tree.js'
import { goBugRules, goPerformanceRules, goStyleRules } from './go/quality.js'
import { goSecurityRules } from './go/security.js'
import { javaBugRules, javaPerformanceRules, javaStyleRules } from './java/quality.js'
import { javaSecurityRules } from './java/security.js'
import { pythonBugRules, pythonPerformanceRules, pythonSecurityRules } from './python/tree.js'
import { rustBugRules, rustPerformanceRules, rustSecurityRules, rustStyleRules } from './rust/rules.js'
import { shellBugRules, shellPerformanceRules, shellSecurityRules, shellStyleRules } from './shell/rules.js'

export const treeRules: readonly TreeRule[] = [
  ...pythonSecurityRules, ...pythonPerformanceRules, ...pythonBugRules,
  ...goSecurityRules, ...goPerformanceRules, ...goBugRules, ...goStyleRules,
  ...javaSecurityRules, ...javaPerformanceRules, ...javaBugRules, ...javaStyleRules,
  ...rustSecurityRules, ...rustPerformanceRules, ...rustBugRules, ...rustStyleRules,
  ...shellSecurityRules, ...shellPerformanceRules, ...shellBugRules, ...shellStyleRules
]
