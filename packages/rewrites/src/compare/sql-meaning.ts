import { parseSql, createSource } from '@filewright/analysis/parsing'

const flipped: Readonly<Record<string, string>> = {
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
  '=': '=',
  '<>': '<>'
}

/** A node as text, without locations, and with comparisons in one direction. */
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
  const { boolop, args } = node as { boolop?: unknown; args?: unknown }
  // The order of conditions in AND and OR does not matter.
  if (boolop !== undefined && Array.isArray(args)) {
    return `{${String(boolop)}:[${args.map(canonical).sort().join(',')}]}`
  }
  return `{${entries
    .map(([key, value]) => `${key}:${canonical(value)}`)
    .sort()
    .join(',')}}`
}

/**
 * Whether two SQL texts have the same parse tree, ignoring the direction of comparisons and the order of
 * conditions. False if they cannot be parsed.
 */
export async function isSameQuery(before: string, after: string): Promise<boolean> {
  const [old, now] = await Promise.all(
    [before, after].map(async (text) => await parseSql(createSource(text)))
  )
  if (old?.syntax.ok !== true || now?.syntax.ok !== true) return false
  const [was, is] = [old, now].map(({ statements }) =>
    statements.map(({ node }) => canonical(node)).join('\n')
  )
  return was === is
}
