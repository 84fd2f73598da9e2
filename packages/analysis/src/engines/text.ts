import type { TextRule } from '../text/text-rule.js'
import type { Hit } from '../types.js'
import { unknownSyntax, type Engine } from './engine.js'

export function createTextEngine(rules: readonly TextRule[]): Engine {
  return {
    run(source, language, wanted, onFailure) {
      const hits: Hit[] = []
      for (const rule of rules) {
        if (
          !wanted.has(rule.analysisType) ||
          (rule.languages.length > 0 && !rule.languages.includes(language))
        ) {
          continue
        }
        try {
          for (const found of rule.find(source, language)) {
            hits.push(typeof found === 'number' ? { rule, line: found } : { rule, ...found })
          }
        } catch (error) {
          onFailure(rule.id, error)
        }
      }
      return { syntax: unknownSyntax, hits }
    }
  }
}
