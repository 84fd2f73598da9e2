import { sqlLanguages } from '../../../language-groups.js'
import { nodesOf, type SqlNode, type SqlStatement } from '../nodes.js'
import type { SqlRule } from '../rule.js'
import { makersOf, type Own } from '../../../rules/makers.js'
import type { AnalysisType } from '../../../types.js'

export const rulesOf = (analysisType: AnalysisType) =>
  makersOf(
    (id, severity, own: Own<SqlRule>): SqlRule => ({
      id: `sql/${id}`,
      engine: 'sql',
      languages: sqlLanguages,
      analysisType,
      severity,
      ...own
    })
  )

/** The offset of a pattern in the statement, with texts and comments blanked out so that they do not count. */
export function find({ text }: SqlStatement, pattern: RegExp, keepTexts = false): number | false {
  const blank = (match: string): string => match.replace(/[^\n]/g, ' ')
  const plain = text.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, blank)
  const found = (keepTexts ? plain : plain.replace(/'(?:[^']|'')*'/g, blank)).search(pattern)
  return found === -1 ? false : found
}

export function first(node: unknown, kind: string): SqlNode | undefined {
  return nodesOf(node, kind).next().value as SqlNode | undefined
}

export const has = (node: unknown, kind: string): boolean => first(node, kind) !== undefined

export const kindIs = ({ node }: SqlStatement, kind: string): boolean => Object.hasOwn(node, kind)

const aggregates =
  /^(?:count|sum|min|max|avg|(?:array|string|json|jsonb|json_object|jsonb_object|xml)_?agg|bool_(?:and|or)|every|bit_(?:and|or|xor)|stddev(?:_\w+)?|var(?:iance|_\w+)|group_concat)$/

/** An aggregate over all rows, which has no order to speak of. */
export function givesOneRow(select: SqlNode): boolean {
  if ('groupClause' in select || has(select.targetList, 'SubLink')) return false
  return [...nodesOf(select.targetList, 'FuncCall')].some((call) => {
    const name = (call.funcname as { String?: { sval?: string } }[]).at(-1)?.String?.sval ?? ''
    return !('over' in call) && aggregates.test(name)
  })
}

/** Whether a subquery reads a table outside it; a column without its table counts as its own. */
export function isCorrelated(subquery: unknown): boolean {
  const own = new Set<unknown>()
  for (const table of nodesOf(subquery, 'RangeVar')) own.add(table.relname)
  for (const alias of nodesOf(subquery, 'alias')) own.add(alias.aliasname)
  return [...nodesOf(subquery, 'ColumnRef')].some(({ fields }) => {
    const names = (fields as { String?: { sval?: string } }[]).map((field) => field.String?.sval)
    return names.length > 1 && !own.has(names.at(-2))
  })
}

export function firstOf(statement: SqlStatement, patterns: readonly RegExp[]): number | false {
  const found = patterns.map((pattern) => find(statement, pattern, true)).filter((at) => at !== false)
  return found.length === 0 ? false : Math.min(...found)
}

/** A comparison with NULL behind a word that begins a condition; an assignment is none. */
export const nullComparison =
  /\b(?:where|and|or|if|elsif|when|having|not|on(?!\s+(?:conflict|update|delete|duplicate)))\b(?:(?!\b(?:set|then|default|values)\b)[^;=<>!:]){0,200}(?<!:)(?:=|<>|!=)\s*null\b/i

/**
 * In the body of a function or procedure, which is a text to the parser; statements there end with a
 * semicolon or the next one.
 */
export const deletesAll =
  /(?:^|[;\n]|\b(?:begin|then|else|loop|as))\s*delete\s+(?:from\s+)?[\w."[\]]+\s*(?=;|\n\s*(?:end|select|insert|update|delete|commit|set\s+@|exec|print|return|go|if)\b|$)/i

export const updatesAll =
  /(?:^|[;\n]|\b(?:begin|then|else|loop|as))\s*update\s+[\w."[\]]+\s+set\s(?:(?!\bwhere\b|\bfrom\b)[^;]){1,500}?(?=;|\n\s*(?:end|select|insert|update|delete|commit|exec|print|return|go|if)\b|$)/i

export function inBody(statement: SqlStatement, pattern: RegExp): number | false {
  const isBody =
    ['CreateFunctionStmt', 'DoStmt'].some((kind) => kindIs(statement, kind)) ||
    Object.keys(statement.node).length === 0
  const at = isBody ? find(statement, pattern) : false
  // The text before the words is white space or the end of another statement.
  return at === false ? false : at + (/\b(?:delete|update)\b/i.exec(statement.text.slice(at))?.index ?? 0)
}
