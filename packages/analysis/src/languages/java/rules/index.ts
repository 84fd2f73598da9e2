import { javaSecurityRules } from './security.js'
import { javaSettingRules } from './settings.js'
import { javaPerformanceRules } from './performance.js'
import { javaExceptionRules } from './exceptions.js'
import { javaBugRules } from './quality.js'
import { javaNumberRules } from './numbers.js'
import { javaUnusedRules } from './unused.js'
import { javaSlipRules } from './slips.js'
import { javaStyleRules } from './style.js'
import type { TreeRule } from '../../../tree/tree.js'

export const javaTreeRules: readonly TreeRule[] = [
  ...javaSecurityRules,
  ...javaSettingRules,
  ...javaPerformanceRules,
  ...javaExceptionRules,
  ...javaBugRules,
  ...javaNumberRules,
  ...javaUnusedRules,
  ...javaSlipRules,
  ...javaStyleRules
]
