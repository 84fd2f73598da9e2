import { nodesOf, type SqlNode } from '../nodes.js'
import type { SqlRule } from '../rule.js'
import { deletesAll, find, givesOneRow, inBody, kindIs, nullComparison, rule, updatesAll } from './shared.js'

export const sqlBugsRules: readonly SqlRule[] = [
  rule(
    'bugs',
    'delete-without-where',
    'warning',
    {
      sentence: 'DELETE without WHERE removes every row of the table.',
      suggestion: 'Add a WHERE clause, or use TRUNCATE if the table is meant to be emptied.'
    },
    (statement) =>
      inBody(statement, deletesAll) ||
      ('DeleteStmt' in statement.node &&
        !('whereClause' in (statement.node.DeleteStmt as SqlNode)) &&
        !('usingClause' in (statement.node.DeleteStmt as SqlNode)))
  ),
  rule(
    'bugs',
    'update-without-where',
    'warning',
    {
      sentence: 'UPDATE without WHERE changes every row of the table.',
      suggestion: 'Add a WHERE clause that selects the rows to change.'
    },
    (statement) =>
      inBody(statement, updatesAll) ||
      ('UpdateStmt' in statement.node &&
        !('whereClause' in (statement.node.UpdateStmt as SqlNode)) &&
        !('fromClause' in (statement.node.UpdateStmt as SqlNode)))
  ),
  rule(
    'bugs',
    'null-comparison',
    'error',
    {
      sentence: 'Comparing with NULL yields NULL, never true, so the condition matches no row.',
      suggestion: 'Use IS NULL or IS NOT NULL.'
    },
    (statement) => {
      const at = find(statement, nullComparison)
      return at === false ? false : at + (/(?:=|<>|!=)\s*null\b/i.exec(statement.text.slice(at))?.index ?? 0)
    }
  ),
  rule(
    'bugs',
    'not-in-subquery',
    'warning',
    {
      sentence: 'NOT IN returns no rows as soon as the subquery returns a NULL.',
      suggestion: 'Use NOT EXISTS, or exclude NULLs in the subquery.'
    },
    (statement) => find(statement, /\bnot\s+in\s*\(\s*select\b/i)
  ),
  rule(
    'bugs',
    'cartesian-join',
    'warning',
    {
      sentence:
        'The tables in FROM have no join condition, so the query returns every combination of their rows.',
      suggestion: 'Use JOIN ... ON, or write CROSS JOIN if you want every combination.'
    },
    (statement) => {
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
  ),
  rule(
    'bugs',
    'money-as-float',
    'warning',
    {
      sentence: 'Floating-point columns cannot store most decimal amounts exactly, so sums drift by cents.',
      suggestion: 'Use numeric with a fixed scale, such as numeric(12, 2).'
    },
    (statement) =>
      kindIs(statement, 'CreateStmt') &&
      find(
        statement,
        /\b\w*(?:price|amount|balance|total|cost|salary)\w*\s+(?:real|float\d*|double\s+precision)\b/i
      )
  ),
  rule(
    'bugs',
    'no-primary-key',
    'warning',
    {
      sentence:
        'The table has no primary key, so it can hold duplicate rows that no UPDATE or DELETE can tell apart.',
      suggestion: 'Add a PRIMARY KEY.'
    },
    (statement) =>
      kindIs(statement, 'CreateStmt') &&
      !/primary\s+key|\bunique\b|\b(?:temp|temporary|unlogged|partition\s+of|inherits|like)\b/i.test(
        statement.text
      )
  ),
  rule(
    'bugs',
    'having-without-group',
    'warning',
    {
      sentence: 'HAVING without GROUP BY treats all rows as one group: the query returns one row or none.',
      suggestion: 'Filter rows with WHERE, or add GROUP BY.'
    },
    (statement) => {
      for (const select of nodesOf(statement.node, 'SelectStmt')) {
        if ('havingClause' in select && !('groupClause' in select)) return find(statement, /\bhaving\b/i)
      }
      return false
    }
  ),
  rule(
    'bugs',
    'limit-without-order',
    'info',
    {
      sentence: 'LIMIT without ORDER BY returns arbitrary rows, which can differ from run to run.',
      suggestion: 'Add ORDER BY with a unique column as the last key.'
    },
    (statement) => {
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
  )
]
