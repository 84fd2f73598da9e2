import { isOneOf, scriptLanguages } from '../languages.js'
import { lintScript } from '../script/lint.js'
import type { ScriptRule } from '../script/rule.js'
import type { Engine } from './engine.js'

export function createScriptEngine (rules: readonly ScriptRule[]): Engine {
  return {
    name: 'script',
    handles: (language) => isOneOf(language, scriptLanguages),
    run: (source, language, wanted, onFailure) =>
      lintScript(source, language, rules.filter((rule) => wanted.has(rule.analysisType) && rule.languages.includes(language)), onFailure),
    syntax: (source, language) => lintScript(source, language, [], () => {}).syntax
  }
}
