import { sqlLanguages } from '../../../language-groups.js'
import { nodesOf, type SqlNode, type SqlStatement } from '../nodes.js'
import type { SqlRule } from '../rule.js'
import { makersOf, type Own } from '../../../rules/makers.js'
import type { AnalysisType } from '../../../types.js'

export const rulesOf = (analysisType: AnalysisType) =>
  makersOf(
    'sql',
    { languages: sqlLanguages, analysisType },
    (head, own: Own<SqlRule>): SqlRule => ({ ...head, engine: 'sql', ...own })
  )

/** The offset of a pattern in the statement, with texts and comments blanked out so that they do not count. */
export function find({ text }: SqlStatement, pattern: RegExp, keepTexts = false): number | false {
  const blank = (match: string): string => match.replace(/[^\n]/g, ' ')
  const plain = text.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, blank)
  const found = (keepTexts ? plain : plain.replace(/'(?:[^']|'')*'/g, blank)).search(pattern)
  return found === -1 ? false : found
}

/** The same, if a SELECT of the statement, or one within it, is such a one. */
export const findInSelect = (
  statement: SqlStatement,
  pattern: RegExp,
  isSuch: (select: SqlNode) => boolean
): number | false => [...nodesOf(statement.node, 'SelectStmt')].some(isSuch) && find(statement, pattern)

export const selectOf = ({ node }: SqlStatement): SqlNode | undefined =>
  node.SelectStmt as SqlNode | undefined

/** `FROM a, b` */
export function joinsByComma({ fromClause }: SqlNode): boolean {
  const from = (fromClause ?? []) as SqlNode[]
  return from.length > 1 && from.every((each) => 'RangeVar' in each)
}

export const has = (node: unknown, kind: string): boolean => nodesOf(node, kind).next().done !== true

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
