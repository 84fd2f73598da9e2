import { secretRules } from '../rules/every/secrets.js'
import { textRules } from '../rules/every/text.js'
import { ruffBugRules } from '../rules/python/ruff-bugs.js'
import { ruffPerformanceRules, ruffStyleRules } from '../rules/python/ruff-quality.js'
import { ruffSecurityRules } from '../rules/python/ruff-security.js'
import { scriptRules } from '../rules/script/index.js'
import { cssRules } from '../rules/css/rules.js'
import { htmlRules } from '../rules/html/rules.js'
import { sqlRules } from '../rules/sql/rules.js'
import { treeRules } from '../rules/tree.js'
import { syntaxRule } from '../rules/every/syntax.js'
import type { RuleInfo } from '../types.js'
import type { Engine } from './engine.js'
import { createCssEngine } from './css.js'
import { createHtmlEngine } from './html.js'
import { createPythonEngine } from './python.js'
import { createScriptEngine } from './script.js'
import { createShellSyntaxEngine } from './shell-syntax.js'
import { createSqlEngine } from './sql.js'
import { createTextEngine } from './text.js'
import { createTreeEngine } from './tree.js'

export const ruffRules = [...ruffSecurityRules, ...ruffBugRules, ...ruffPerformanceRules, ...ruffStyleRules]

/** Every rule there is, in the order of the documentation. */
export const rules: readonly RuleInfo[] = [
  syntaxRule, ...secretRules, ...textRules, ...scriptRules, ...ruffRules, ...treeRules, ...sqlRules, ...cssRules, ...htmlRules
]

export function createEngines (): readonly Engine[] {
  return [
    createScriptEngine(scriptRules),
    createPythonEngine(ruffRules),
    createShellSyntaxEngine(),
    createTreeEngine(treeRules),
    createSqlEngine(sqlRules),
    createCssEngine(cssRules),
    createHtmlEngine(htmlRules),
    createTextEngine([...secretRules, ...textRules])
  ]
}
