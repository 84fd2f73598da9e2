import type { ScriptRule } from '../rule.js'
import { bugRules } from './bugs.js'
import { checkRules } from './checks.js'
import { droppedErrorRules } from './dropped-errors.js'
import { exposureRules } from './exposure.js'
import { injectionRules } from './injection.js'
import { bindingBugRules } from './binding-bugs.js'
import { conditionBugRules } from './condition-bugs.js'
import { fallthroughBugRules } from './fallthrough-bugs.js'
import { listBugRules } from './list-bugs.js'
import { promiseBugRules } from './promise-bugs.js'
import { reactBugRules } from './react-bugs.js'
import { resourceLeakRules } from './resource-leaks.js'
import { lintBugRules } from './lint-bugs.js'
import { loopBugRules } from './loop-bugs.js'
import { resultBugRules } from './result-bugs.js'
import { hashRules } from './hashes.js'
import { loopPerformanceRules } from './loop-performance.js'
import { performanceRules } from './performance.js'
import { pollutionRules } from './pollution.js'
import { randomnessRules } from './randomness.js'
import { pitfallRules } from './pitfalls.js'
import { secretRules } from './secrets.js'
import { nameRules } from './names.js'
import { slipRules } from './slips.js'
import { styleRules } from './style.js'
import { unusedRules } from './unused.js'

export const scriptRules: readonly ScriptRule[] = [
  ...injectionRules,
  ...exposureRules,
  ...hashRules,
  ...pollutionRules,
  ...randomnessRules,
  ...checkRules,
  ...secretRules,
  ...loopPerformanceRules,
  ...performanceRules,
  ...bugRules,
  ...listBugRules,
  ...promiseBugRules,
  ...reactBugRules,
  ...resourceLeakRules,
  ...droppedErrorRules,
  ...pitfallRules,
  ...slipRules,
  ...nameRules,
  ...unusedRules,
  ...bindingBugRules,
  ...conditionBugRules,
  ...fallthroughBugRules,
  ...loopBugRules,
  ...resultBugRules,
  ...lintBugRules,
  ...styleRules
]
