import { nodesOf } from '../nodes.js'
import type { SqlRule } from '../rule.js'
import { find, has, isCorrelated, kindIs, selectOf, rulesOf } from './shared.js'

const rule = rulesOf('performance')

export const sqlPerformanceRules: readonly SqlRule[] = [
  rule.info('select-star', {
    sentence: 'SELECT * reads every column, and its result changes when a column is added.',
    suggestion: 'List the columns you need.',
    when: (statement) => {
      const select = selectOf(statement)
      return (
        select !== undefined &&
        has(select.targetList, 'A_Star') &&
        !has(select.targetList, 'FuncCall') &&
        find(statement, /\bselect\s+(?:distinct\s+)?(?:\w+\.)?\*/i)
      )
    }
  }),
  rule.warning('leading-wildcard', {
    sentence:
      'A LIKE pattern that starts with % cannot use a B-tree index, so the query scans the whole table.',
    suggestion: 'Use a trigram (pg_trgm) or full-text index, or remove the leading %.',
    when: (statement) => find(statement, /\bi?like\s+(?:concat\s*\(\s*)?N?'%/i, true)
  }),
  rule.info('function-on-column', {
    sentence: 'The condition calls a function on the column, so a plain index on that column is not used.',
    suggestion: 'Compare the bare column, or create an index on the expression.',
    when: (statement) =>
      find(
        statement,
        /\b(?:where|and)\s+(?:lower|upper|date|year|month|day|hour|to_char|to_date|date_trunc|trunc|substring|substr|extract|cast|convert|coalesce|isnull|ifnull|nvl|trim|ltrim|rtrim|left|right|len|length|datepart|datediff|strftime|date_format|abs|round|concat|replace)\s*\([^)]*\)\s*(?:=|<|>|like|in\b|between)/i
      )
  }),
  rule.warning('random-order', {
    sentence:
      'ORDER BY random() generates a number for every row and sorts the whole table to return a few rows.',
    suggestion: 'Select random keys, or use TABLESAMPLE.',
    when: (statement) =>
      find(statement, /\border\s+by\s+(?:rand(?:om)?|newid|dbms_random\.(?:random|value))\s*\(\s*\)/i)
  }),
  rule.warning('query-per-row', {
    sentence: 'The correlated subquery in the SELECT list runs once for every row of the outer query.',
    suggestion: 'Use a JOIN with GROUP BY, or a LATERAL join.',
    when: (statement) => {
      const select = selectOf(statement)
      return (
        select !== undefined &&
        [...nodesOf(select.targetList, 'SubLink')].some(
          (link) =>
            link.subLinkType === 'EXPR_SUBLINK' &&
            has(link.subselect, 'whereClause') &&
            isCorrelated(link.subselect)
        ) &&
        find(statement, /\(\s*select\b/i)
      )
    }
  }),
  rule.info('count-to-exist', {
    sentence: 'COUNT reads every matching row, although one is enough to answer the condition.',
    suggestion: 'Use EXISTS or NOT EXISTS, which stop at the first row.',
    when: (statement) =>
      find(statement, /\(\s*select\s+count\s*\(\s*(?:\*|1)\s*\)[^()]*\)\s*(?:(?:>|<>|!=|=)\s*0|>=\s*1)\b/i)
  }),
  rule.info('large-offset', {
    sentence: 'OFFSET reads and discards all skipped rows, so later pages get slower and slower.',
    suggestion: 'Use keyset pagination: WHERE id > <last id> ORDER BY id LIMIT n.',
    when: (statement) => find(statement, /\boffset\s+\d{4,}|\blimit\s+\d{4,}\s*,/i)
  }),
  rule.info('index-locks-table', {
    sentence: 'REINDEX blocks writes to the table until the index has been rebuilt.',
    suggestion: 'Use REINDEX ... CONCURRENTLY (PostgreSQL 12 and later) on a table in use.',
    when: (statement) => kindIs(statement, 'ReindexStmt') && find(statement, /\bconcurrently\b/i) === false
  })
]
