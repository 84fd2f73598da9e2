import { nodesOf, type SqlNode } from '../nodes.js'
import type { SqlRule } from '../rule.js'
import {
  deletesAll,
  find,
  givesOneRow,
  inBody,
  kindIs,
  nullComparison,
  updatesAll,
  rulesOf
} from './shared.js'

const rule = rulesOf('bugs')

export const sqlBugsRules: readonly SqlRule[] = [
  rule.warning('delete-without-where', {
    sentence: 'DELETE without WHERE removes every row of the table.',
    suggestion: 'Add a WHERE clause, or use TRUNCATE if the table is meant to be emptied.',
    when: (statement) =>
      inBody(statement, deletesAll) ||
      ('DeleteStmt' in statement.node &&
        !('whereClause' in (statement.node.DeleteStmt as SqlNode)) &&
        !('usingClause' in (statement.node.DeleteStmt as SqlNode)))
  }),
  rule.warning('update-without-where', {
    sentence: 'UPDATE without WHERE changes every row of the table.',
    suggestion: 'Add a WHERE clause that selects the rows to change.',
    when: (statement) =>
      inBody(statement, updatesAll) ||
      ('UpdateStmt' in statement.node &&
        !('whereClause' in (statement.node.UpdateStmt as SqlNode)) &&
        !('fromClause' in (statement.node.UpdateStmt as SqlNode)))
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
    when: (statement) => {
      for (const select of nodesOf(statement.node, 'SelectStmt')) {
        const from = select.fromClause as SqlNode[] | undefined
        if (
          from !== undefined &&
          from.length > 1 &&
          from.every((each) => 'RangeVar' in each) &&
          !('whereClause' in select)
        ) {
          return find(statement, /\bfrom\b/i)
        }
      }
      return false
    }
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
    when: (statement) => {
      for (const select of nodesOf(statement.node, 'SelectStmt')) {
        if ('havingClause' in select && !('groupClause' in select)) return find(statement, /\bhaving\b/i)
      }
      return false
    }
  }),
  rule.info('limit-without-order', {
    sentence: 'LIMIT without ORDER BY returns arbitrary rows, which can differ from run to run.',
    suggestion: 'Add ORDER BY with a unique column as the last key.',
    when: (statement) => {
      const select = (statement.node as { SelectStmt?: SqlNode }).SelectStmt
      if (
        select === undefined ||
        !('limitCount' in select) ||
        'sortClause' in select ||
        !('fromClause' in select)
      ) {
        return false
      }
      return givesOneRow(select) ? false : find(statement, /\blimit\b/i)
    }
  })
]
