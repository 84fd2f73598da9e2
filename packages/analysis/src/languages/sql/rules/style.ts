import type { SqlNode } from '../nodes.js'
import type { SqlRule } from '../rule.js'
import { find, findInSelect, joinsByComma, kindIs, rulesOf } from './shared.js'

const rule = rulesOf('style')

export const sqlStyleRules: readonly SqlRule[] = [
  rule.warning('insert-without-columns', {
    sentence:
      "INSERT without a column list breaks, or fills the wrong columns, when the table's columns change.",
    suggestion: 'List the columns after the table name.',
    when: ({ node }) =>
      'InsertStmt' in node &&
      !('cols' in (node.InsertStmt as SqlNode)) &&
      'selectStmt' in (node.InsertStmt as SqlNode)
  }),
  rule.info('order-by-number', {
    sentence: 'ORDER BY with a position sorts by another column when the SELECT list changes.',
    suggestion: "Order by the column's name or alias.",
    when: (statement) => find(statement, /\border\s+by\s+\d+\b/i)
  }),
  rule.info('implicit-join', {
    sentence: 'The comma-separated tables hide the join condition in WHERE, where it is easily lost.',
    suggestion: 'Use JOIN ... ON.',
    when: (statement) =>
      findInSelect(statement, /\bfrom\b/i, (select) => joinsByComma(select) && 'whereClause' in select)
  }),
  rule.info('keyword-case', {
    sentence: 'The statement mixes upper-case and lower-case keywords.',
    suggestion: 'Write all keywords in the same case.',
    when: (statement) => {
      const upper = find(
        statement,
        /\b(?:SELECT|FROM|WHERE|JOIN|ORDER BY|GROUP BY|INSERT INTO|UPDATE|DELETE)\b/
      )
      const lower = find(
        statement,
        /\b(?:select|from|where|join|order by|group by|insert into|update|delete)\b/
      )
      return upper === false || lower === false ? false : Math.max(upper, lower)
    }
  }),
  rule.info('quoted-mixed-case', {
    sentence:
      'PostgreSQL folds unquoted names to lower case, so this name needs double quotes wherever it is used.',
    suggestion: 'Use a lower-case name with underscores.',
    when: (statement) => kindIs(statement, 'CreateStmt') && find(statement, /"[a-z]*[A-Z]\w*"/)
  })
]
