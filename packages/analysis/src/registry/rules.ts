import type { RuleInfo } from '../types.js'
import { cssRules } from '../languages/css/rules/index.js'
import { secretRules } from '../rules/every/secrets.js'
import { suppressionRules } from '../rules/every/suppressions.js'
import { syntaxRule } from '../rules/every/syntax.js'
import { analyzerFailed } from '../rules/every/unread.js'
import { textRules } from '../rules/every/text.js'
import { goApiRules } from '../languages/go/rules/apis.js'
import { javaApiRules } from '../languages/java/rules/apis.js'
import { pythonApiRules } from '../languages/python/rules/apis.js'
import { scriptApiRules } from '../languages/script/rules/apis.js'
import { flowRules } from '../rules/flow.js'
import { htmlRules } from '../languages/html/rules/index.js'
import { ruffRules } from '../languages/python/rules/index.js'
import { scriptRules } from '../languages/script/rules/index.js'
import { sqlRules } from '../languages/sql/rules/index.js'
import { treeRules } from './tree-rules.js'

const apiRules = [...scriptApiRules, ...pythonApiRules, ...goApiRules, ...javaApiRules]

const all: readonly RuleInfo[] = [
  syntaxRule,
  analyzerFailed,
  ...suppressionRules,
  ...secretRules,
  ...textRules,
  ...flowRules,
  ...apiRules,
  ...scriptRules,
  ...ruffRules,
  ...treeRules,
  ...sqlRules,
  ...cssRules,
  ...htmlRules
]

/** Every rule there is, in the order of the documentation. One that two engines look for is one rule. */
export const rules: readonly RuleInfo[] = [...new Map(all.map((rule) => [rule.id, rule])).values()]
