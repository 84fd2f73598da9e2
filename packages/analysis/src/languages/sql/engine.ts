import { sqlRules } from './rules/index.js'
import { parseSql } from './parse.js'
import type { Language } from '@filewright/contracts'
import { isSkipped, type Hit, type SyntaxResult } from '../../types.js'
import { unknownSyntax, type Engine } from '../../engines/engine.js'

/** PostgreSQL's parser cannot tell what is wrong in another dialect. */
function judged(syntax: SyntaxResult, language: Language): SyntaxResult {
  return language === 'sql' || isSkipped(syntax) ? syntax : unknownSyntax
}

export const sqlEngine: Engine = {
  async run(source, language, wanted, onFailure) {
    const { syntax, statements } = await parseSql(source)
    const hits: Hit[] = []
    for (const rule of sqlRules) {
      if (!wanted.has(rule.analysisType)) continue
      try {
        for (const statement of statements) {
          const found = rule.when(statement)
          if (found !== false) {
            hits.push({ rule, line: source.lineAt(statement.offset + (found === true ? 0 : found)) })
          }
        }
      } catch (error) {
        onFailure(rule.id, error)
      }
    }
    return { syntax: judged(syntax, language), hits }
  },
  syntax: async (source, language) => judged((await parseSql(source)).syntax, language)
}
