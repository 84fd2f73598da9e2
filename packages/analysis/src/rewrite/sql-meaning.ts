import { parseSql } from '../sql/parse.js'
import { createSource } from '../text/source.js'

/** Kinds of nodes that say which rows and what of them. */
const telling = new Set([
  'A_Expr',
  'NullTest',
  'BooleanTest',
  'A_Const',
  'FuncCall',
  'RangeVar',
  'JoinExpr',
  'SortBy',
  'SubLink',
  'CaseWhen',
  'ResTarget'
])
const flipped: Readonly<Record<string, string>> = {
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
  '=': '=',
  '<>': '<>'
}

/** A node as text, without where it stands, and with comparisons the same way round. */
function canonical(node: unknown): string {
  if (Array.isArray(node)) return `[${node.map(canonical).join(',')}]`
  if (typeof node !== 'object' || node === null) return JSON.stringify(node) ?? ''
  const entries = Object.entries(node as Record<string, unknown>).filter(
    ([key]) => !/^(?:location|.*_location|stmt_len)$/.test(key)
  )
  const { name, lexpr, rexpr, kind } = node as {
    name?: Array<{ String?: { sval?: string } }>
    lexpr?: unknown
    rexpr?: unknown
    kind?: unknown
  }
  const operator = Array.isArray(name) ? name[0]?.String?.sval : undefined
  if (
    kind === 'AEXPR_OP' &&
    operator !== undefined &&
    flipped[operator] !== undefined &&
    canonical(lexpr) > canonical(rexpr)
  ) {
    return `{${flipped[operator]}:${canonical(rexpr)},${canonical(lexpr)}}`
  }
  if (kind === 'AEXPR_OP' && operator !== undefined) {
    return `{${operator}:${canonical(lexpr)},${canonical(rexpr)}}`
  }
  return `{${entries
    .map(([key, value]) => `${key}:${canonical(value)}`)
    .sort()
    .join(',')}}`
}

function meaningOf(node: unknown): string[] {
  const found: string[] = []
  const stack: unknown[] = [node]
  while (stack.length > 0) {
    const current = stack.pop()
    if (Array.isArray(current)) stack.push(...current)
    else if (typeof current === 'object' && current !== null) {
      for (const [key, value] of Object.entries(current)) {
        // Of a join its kind: what it joins, and on what, are nodes of their own.
        if (key === 'JoinExpr') found.push(`join ${String((value as { jointype?: unknown }).jointype)}`)
        else if (telling.has(key)) found.push(`${key} ${canonical(value)}`)
        else if (key === 'BoolExpr') found.push(String((value as { boolop?: unknown }).boolop))
        else if (
          /^(?:distinctClause|limitCount|limitOffset|whereClause|havingClause|lockingClause)$/.test(key)
        ) {
          found.push(key)
        }
        stack.push(value)
      }
    }
  }
  return found.sort()
}

/**
 * Whether two texts of SQL ask for the same rows of the same tables by the same conditions. False where no
 * parser can tell.
 */
export async function asksTheSame(before: string, after: string): Promise<boolean> {
  const [old, now] = await Promise.all(
    [before, after].map(async (text) => await parseSql(createSource(text)))
  )
  if (old?.syntax.ok !== true || now?.syntax.ok !== true) return false
  const [was, is] = [old, now].map(({ statements }) =>
    statements.flatMap(({ node }) => [Object.keys(node)[0]!, ...meaningOf(node)]).join('\n')
  )
  return was === is
}
