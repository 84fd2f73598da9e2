import { scriptRules } from '../rules/script/index.js'
import { lintScript } from '../script/lint.js'
import { readScript } from '../script/read.js'
import type { Engine } from './engine.js'

export const scriptEngine: Engine = {
  run: (source, language, wanted, onFailure) =>
    lintScript(source, language, scriptRules.filter((rule) => wanted.has(rule.analysisType) && rule.languages.includes(language)), onFailure),
  syntax: (source, language) => readScript(source, language).syntax
}
