import { lowerScript } from './flow/lower.js'
import { scriptTables } from './flow/tables.js'
import { compile } from '../../flow/tables.js'
import { scriptApiRules } from './rules/apis.js'
import { scriptRules } from './rules/index.js'
import { lintScript } from './lint.js'
import type { ScriptNode } from './nodes.js'
import { readScript } from './read.js'
import type { Engine } from '../../engines/engine.js'
import { runFlow } from '../../engines/flow.js'

const tables = compile(scriptTables, scriptApiRules)

export const scriptEngine: Engine = {
  run(source, language, wanted, onFailure) {
    const { code } = readScript(source, language)
    const rules = scriptRules.filter(
      (rule) => wanted.has(rule.analysisType) && rule.languages.includes(language)
    )
    const { syntax, hits } = lintScript(source, language, rules, onFailure)
    if (code === null) return { syntax, hits }
    const program = code.sourceCode.ast as unknown as ScriptNode
    return {
      syntax,
      hits: [...hits, ...runFlow(source, () => lowerScript(program), tables, language, wanted, onFailure)]
    }
  },
  syntax: (source, language) => readScript(source, language).syntax
}
