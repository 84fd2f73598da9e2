import { goSecurityRules } from './security.js'
import { goSettingRules } from './settings.js'
import { goPerformanceRules } from './performance.js'
import { goErrorRules } from './errors.js'
import { goLostWriteRules } from './lost-writes.js'
import { goConcurrencyRules } from './concurrency.js'
import { goBugRules } from './quality.js'
import { goSlipRules } from './slips.js'
import { goUnusedRules } from './unused.js'
import { goStyleRules } from './style.js'
import type { TreeRule } from '../../../tree/tree.js'

export const goTreeRules: readonly TreeRule[] = [
  ...goSecurityRules,
  ...goSettingRules,
  ...goPerformanceRules,
  ...goErrorRules,
  ...goConcurrencyRules,
  ...goLostWriteRules,
  ...goBugRules,
  ...goSlipRules,
  ...goUnusedRules,
  ...goStyleRules
]
