import { goTreeRules } from '../languages/go/rules/index.js'
import { javaTreeRules } from '../languages/java/rules/index.js'
import { pythonTreeRules } from '../languages/python/rules/index.js'
import { rustTreeRules } from '../languages/rust/rules/index.js'
import { shellTreeRules } from '../languages/shell/rules/index.js'
import type { TreeRule } from '../tree/tree.js'

export const treeRules: readonly TreeRule[] = [
  ...pythonTreeRules,
  ...goTreeRules,
  ...javaTreeRules,
  ...rustTreeRules,
  ...shellTreeRules
]
