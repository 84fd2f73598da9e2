import type { SqlNode, SqlStatement } from '../nodes.js'
import type { SqlRule } from '../rule.js'
import { find, findInSelect, givesOneRow, joinsByComma, kindIs, rulesOf, selectOf } from './shared.js'

const rule = rulesOf('bugs')

/** A comparison with NULL behind a word that begins a condition; an assignment is none. */
const nullComparison =
  /\b(?:where|and|or|if|elsif|when|having|not|on(?!\s+(?:conflict|update|delete|duplicate)))\b(?:(?!\b(?:set|then|default|values)\b)[^;=<>!:]){0,200}(?<!:)(?:=|<>|!=)\s*null\b/i

/**
 * In the body of a function or procedure, which is a text to the parser; statements there end with a
 * semicolon or the next one.
 */
const deletesAll =
  /(?:^|[;\n]|\b(?:begin|then|else|loop|as))\s*delete\s+(?:from\s+)?[\w."[\]]+\s*(?=;|\n\s*(?:end|select|insert|update|delete|commit|set\s+@|exec|print|return|go|if)\b|$)/i

const updatesAll =
  /(?:^|[;\n]|\b(?:begin|then|else|loop|as))\s*update\s+[\w."[\]]+\s+set\s(?:(?!\bwhere\b|\bfrom\b)[^;]){1,500}?(?=;|\n\s*(?:end|select|insert|update|delete|commit|exec|print|return|go|if)\b|$)/i

function inBody(statement: SqlStatement, pattern: RegExp): number | false {
  const isBody =
    ['CreateFunctionStmt', 'DoStmt'].some((kind) => kindIs(statement, kind)) ||
    Object.keys(statement.node).length === 0
  const at = isBody ? find(statement, pattern) : false
  // The text before the words is white space or the end of another statement.
  return at === false ? false : at + (/\b(?:delete|update)\b/i.exec(statement.text.slice(at))?.index ?? 0)
}

const lacks = (node: unknown, ...clauses: readonly string[]): boolean =>
  node !== undefined && clauses.every((clause) => !(clause in (node as SqlNode)))

export const sqlBugsRules: readonly SqlRule[] = [
  rule.warning('delete-without-where', {
    sentence: 'DELETE without WHERE removes every row of the table.',
    suggestion: 'Add a WHERE clause, or use TRUNCATE if the table is meant to be emptied.',
    when: (statement) =>
      inBody(statement, deletesAll) || lacks(statement.node.DeleteStmt, 'whereClause', 'usingClause')
  }),
  rule.warning('update-without-where', {
    sentence: 'UPDATE without WHERE changes every row of the table.',
    suggestion: 'Add a WHERE clause that selects the rows to change.',
    when: (statement) =>
      inBody(statement, updatesAll) || lacks(statement.node.UpdateStmt, 'whereClause', 'fromClause')
  }),
  rule.error('null-comparison', {
    sentence: 'Comparing with NULL yields NULL, never true, so the condition matches no row.',
    suggestion: 'Use IS NULL or IS NOT NULL.',
    when: (statement) => {
      const at = find(statement, nullComparison)
      return at === false ? false : at + (/(?:=|<>|!=)\s*null\b/i.exec(statement.text.slice(at))?.index ?? 0)
    }
  }),
  rule.warning('not-in-subquery', {
    sentence: 'NOT IN returns no rows as soon as the subquery returns a NULL.',
    suggestion: 'Use NOT EXISTS, or exclude NULLs in the subquery.',
    when: (statement) => find(statement, /\bnot\s+in\s*\(\s*select\b/i)
  }),
  rule.warning('cartesian-join', {
    sentence:
      'The tables in FROM have no join condition, so the query returns every combination of their rows.',
    suggestion: 'Use JOIN ... ON, or write CROSS JOIN if you want every combination.',
    when: (statement) =>
      findInSelect(statement, /\bfrom\b/i, (select) => joinsByComma(select) && !('whereClause' in select))
  }),
  rule.warning('money-as-float', {
    sentence: 'Floating-point columns cannot store most decimal amounts exactly, so sums drift by cents.',
    suggestion: 'Use numeric with a fixed scale, such as numeric(12, 2).',
    when: (statement) =>
      kindIs(statement, 'CreateStmt') &&
      find(
        statement,
        /\b\w*(?:price|amount|balance|total|cost|salary)\w*\s+(?:real|float\d*|double\s+precision)\b/i
      )
  }),
  rule.warning('no-primary-key', {
    sentence:
      'The table has no primary key, so it can hold duplicate rows that no UPDATE or DELETE can tell apart.',
    suggestion: 'Add a PRIMARY KEY.',
    when: (statement) =>
      kindIs(statement, 'CreateStmt') &&
      !/primary\s+key|\bunique\b|\b(?:temp|temporary|unlogged|partition\s+of|inherits|like)\b/i.test(
        statement.text
      )
  }),
  rule.warning('having-without-group', {
    sentence: 'HAVING without GROUP BY treats all rows as one group: the query returns one row or none.',
    suggestion: 'Filter rows with WHERE, or add GROUP BY.',
    when: (statement) =>
      findInSelect(
        statement,
        /\bhaving\b/i,
        (select) => 'havingClause' in select && !('groupClause' in select)
      )
  }),
  rule.info('limit-without-order', {
    sentence: 'LIMIT without ORDER BY returns arbitrary rows, which can differ from run to run.',
    suggestion: 'Add ORDER BY with a unique column as the last key.',
    when: (statement) => {
      const select = selectOf(statement)
      return (
        select !== undefined &&
        'limitCount' in select &&
        !('sortClause' in select) &&
        'fromClause' in select &&
        !givesOneRow(select) &&
        find(statement, /\blimit\b/i)
      )
    }
  })
]
