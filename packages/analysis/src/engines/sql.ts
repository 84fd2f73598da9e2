import { parseSql } from '../sql/parse.js'
import type { SqlRule } from '../sql/rule.js'
import type { Hit } from '../types.js'
import type { Engine } from './engine.js'

export function createSqlEngine (rules: readonly SqlRule[]): Engine {
  return {
    name: 'sql',
    handles: (language) => language === 'sql',
    async run (source, _language, wanted, onFailure) {
      const { syntax, statements } = await parseSql(source)
      const hits: Hit[] = []
      for (const rule of rules) {
        if (!wanted.has(rule.analysisType)) continue
        try {
          for (const statement of statements) {
            const found = rule.when(statement)
            if (found !== false) hits.push({ rule, line: source.lineAt(statement.offset + (found === true ? 0 : found)) })
          }
        } catch (error) {
          onFailure(rule.id, error)
        }
      }
      return { syntax, hits }
    },
    syntax: async (source) => (await parseSql(source)).syntax
  }
}
