import { sqlLanguages } from '../../language-groups.js'
import { nodesOf, type SqlNode, type SqlStatement } from './nodes.js'
import type { SqlRule } from './rule.js'
import type { AnalysisType, RuleInfo, Severity } from '../../types.js'

function rule(
  analysisType: AnalysisType,
  id: string,
  severity: Severity,
  words: Pick<RuleInfo, 'sentence' | 'suggestion'>,
  when: SqlRule['when']
): SqlRule {
  return { id: `sql/${id}`, engine: 'sql', languages: sqlLanguages, analysisType, severity, ...words, when }
}

/** Where a pattern stands in the statement, with texts and comments blanked out so that they do not count. */
function find({ text }: SqlStatement, pattern: RegExp, keepTexts = false): number | false {
  const blank = (match: string): string => match.replace(/[^\n]/g, ' ')
  const plain = text.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, blank)
  const found = (keepTexts ? plain : plain.replace(/'(?:[^']|'')*'/g, blank)).search(pattern)
  return found === -1 ? false : found
}

function first(node: unknown, kind: string): SqlNode | undefined {
  return nodesOf(node, kind).next().value as SqlNode | undefined
}

const has = (node: unknown, kind: string): boolean => first(node, kind) !== undefined
const kindIs = ({ node }: SqlStatement, kind: string): boolean => Object.hasOwn(node, kind)

const aggregates =
  /^(?:count|sum|min|max|avg|(?:array|string|json|jsonb|json_object|jsonb_object|xml)_?agg|bool_(?:and|or)|every|bit_(?:and|or|xor)|stddev(?:_\w+)?|var(?:iance|_\w+)|group_concat)$/

/** An aggregate over all rows, which has no order to speak of. */
function givesOneRow(select: SqlNode): boolean {
  if ('groupClause' in select || has(select.targetList, 'SubLink')) return false
  return [...nodesOf(select.targetList, 'FuncCall')].some((call) => {
    const name = (call.funcname as { String?: { sval?: string } }[]).at(-1)?.String?.sval ?? ''
    return !('over' in call) && aggregates.test(name)
  })
}

/** Fixed texts and quoted values, one after the other, and then something else. */
const fixedText = "'(?:[^']|'')*'"
const opens = `${fixedText}(?:\\s*\\|\\|\\s*(?:${fixedText}|quote_\\w+\\s*\\([^)]*\\)))*\\s*\\|\\|\\s*(?!quote_)[a-z_@]`

const dynamicSql: readonly RegExp[] = [
  new RegExp(`\\bexecute\\s+(?:immediate\\s+)?${opens}`, 'i'),
  /\bexecute\s+(?!format\b|procedure\b|function\b|immediate\b)\w+\s*\|\|/i,
  new RegExp(`:=\\s*(?='\\s*(?:select|insert|update|delete|drop|alter)\\b)${opens}`, 'i'),
  /\bexecute\s+format\s*\(\s*'(?:[^'%]|''|%[IL%])*%s/i,
  // T-SQL and MySQL.
  /=\s*N?'\s*(?:select|insert|update|delete|exec|drop|alter)\b(?:[^']|'')*'\s*\+\s*(?!quotename\b|N?'|char\s*\()[a-z_@]/i,
  /\bexec(?:ute)?\s*\(\s*(?:N?'(?:[^']|'')*'\s*\+\s*)?@\w+\s*[+)]/i,
  /\bset\s+@\w+\s*=\s*concat\s*\(\s*'\s*(?:select|insert|update|delete)\b/i
]

function firstOf(statement: SqlStatement, patterns: readonly RegExp[]): number | false {
  const found = patterns.map((pattern) => find(statement, pattern, true)).filter((at) => at !== false)
  return found.length === 0 ? false : Math.min(...found)
}

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
  // What stands before the words is white space or the end of another statement.
  return at === false ? false : at + (/\b(?:delete|update)\b/i.exec(statement.text.slice(at))?.index ?? 0)
}

export const sqlRules: readonly SqlRule[] = [
  rule(
    'security',
    'dynamic-sql',
    'warning',
    {
      sentence: 'SQL is put together from strings, so a value can change the statement.',
      suggestion: 'Use EXECUTE ... USING, or format with %L and %I.'
    },
    (statement) => firstOf(statement, dynamicSql)
  ),
  rule(
    'security',
    'grant-all',
    'warning',
    {
      sentence: 'More rights are given than anyone needs.',
      suggestion: 'Grant single rights to a named role.'
    },
    (statement) =>
      // MySQL grants on `*.*` and to `'name'@'host'`, which PostgreSQL's parser does not read.
      (kindIs(statement, 'GrantStmt') || find(statement, /^grant\s[^;]*\son\s/i) !== false) &&
      (find(statement, /^grant\s+all\b/i) !== false || find(statement, /\bto\s+public\b/i) !== false)
  ),
  rule(
    'security',
    'superuser',
    'warning',
    {
      sentence: 'A role is made that may do everything.',
      suggestion: 'Give the role only the rights it needs.'
    },
    (statement) =>
      (kindIs(statement, 'CreateRoleStmt') || kindIs(statement, 'AlterRoleStmt')) &&
      find(statement, /(?<!no)\bsuperuser\b/i)
  ),
  rule(
    'security',
    'plain-password',
    'error',
    {
      sentence: 'A password is written into the code, where everyone who can read the code can use it.',
      suggestion: 'Set the password outside of scripts that are kept.'
    },
    (statement) =>
      (kindIs(statement, 'CreateRoleStmt') || kindIs(statement, 'AlterRoleStmt')) &&
      find(statement, /\bpassword\s+'(?!\s*')/i, true)
  ),
  rule(
    'security',
    'weak-hash',
    'warning',
    {
      sentence: 'MD5 and SHA-1 are broken, and too fast for passwords.',
      suggestion: "Use crypt with gen_salt('bf'), or hash in the application."
    },
    (statement) => find(statement, /\b(?:md5|sha1)\s*\(|\bdigest\s*\([^)]*'(?:md5|sha1)'/i, true)
  ),
  rule(
    'security',
    'security-definer',
    'warning',
    {
      sentence: "The function runs with its owner's rights and a search path that the caller chooses.",
      suggestion: 'Add SET search_path to the function.'
    },
    (statement) =>
      kindIs(statement, 'CreateFunctionStmt') &&
      find(statement, /\bset\s+search_path\b/i) === false &&
      find(statement, /\bsecurity\s+definer\b/i)
  ),
  rule(
    'bugs',
    'delete-without-where',
    'warning',
    {
      sentence: 'Every row of the table is deleted.',
      suggestion: 'Add a WHERE clause, or use TRUNCATE to say that all rows are meant.'
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
    { sentence: 'Every row of the table is changed.', suggestion: 'Add a WHERE clause.' },
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
    { sentence: 'Nothing is ever equal to NULL.', suggestion: 'Use IS NULL or IS NOT NULL.' },
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
      sentence: 'NOT IN finds nothing as soon as the subquery gives one NULL.',
      suggestion: 'Use NOT EXISTS.'
    },
    (statement) => find(statement, /\bnot\s+in\s*\(\s*select\b/i)
  ),
  rule(
    'bugs',
    'cartesian-join',
    'warning',
    {
      sentence: 'Two tables are joined without a condition: every row meets every row.',
      suggestion: 'Join with a condition, or write CROSS JOIN to say that it is meant.'
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
    { sentence: 'Amounts in floating point lose cents.', suggestion: 'Use numeric.' },
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
    { sentence: 'The table has no primary key, so rows can repeat.', suggestion: 'Add a primary key.' },
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
      sentence: 'HAVING without GROUP BY filters the whole result, not rows.',
      suggestion: 'Use WHERE, or group first.'
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
    { sentence: 'Without an order, which rows come back is left to chance.', suggestion: 'Add ORDER BY.' },
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
  ),
  rule(
    'performance',
    'select-star',
    'info',
    {
      sentence: 'Every column is read, also those that nobody uses.',
      suggestion: 'Name the columns you need.'
    },
    (statement) => {
      const select = (statement.node as { SelectStmt?: SqlNode }).SelectStmt
      return (
        select !== undefined &&
        has(select.targetList, 'A_Star') &&
        !has(select.targetList, 'FuncCall') &&
        find(statement, /\bselect\s+(?:distinct\s+)?(?:\w+\.)?\*/i)
      )
    }
  ),
  rule(
    'performance',
    'leading-wildcard',
    'warning',
    {
      sentence: 'A pattern that starts with % cannot use an index.',
      suggestion: 'Use a trigram or full-text index, or drop the leading %.'
    },
    (statement) => find(statement, /\bi?like\s+(?:concat\s*\(\s*)?N?'%/i, true)
  ),
  rule(
    'performance',
    'function-on-column',
    'info',
    {
      sentence: 'A function around the column keeps its index from being used.',
      suggestion: 'Compare the bare column, or index the expression.'
    },
    (statement) =>
      find(
        statement,
        /\b(?:where|and)\s+(?:lower|upper|date|year|month|day|hour|to_char|to_date|date_trunc|trunc|substring|substr|extract|cast|convert|coalesce|isnull|ifnull|nvl|trim|ltrim|rtrim|left|right|len|length|datepart|datediff|strftime|date_format|abs|round|concat|replace)\s*\([^)]*\)\s*(?:=|<|>|like|in\b|between)/i
      )
  ),
  rule(
    'performance',
    'random-order',
    'warning',
    {
      sentence: 'Every row gets a random number and all are sorted by it.',
      suggestion: 'Pick random keys, or use TABLESAMPLE.'
    },
    (statement) =>
      find(statement, /\border\s+by\s+(?:rand(?:om)?|newid|dbms_random\.(?:random|value))\s*\(\s*\)/i)
  ),
  rule(
    'performance',
    'query-per-row',
    'warning',
    {
      sentence: 'The inner query runs once for every row of the outer one.',
      suggestion: 'Use a JOIN with GROUP BY, or a LATERAL join.'
    },
    (statement) => {
      const select = (statement.node as { SelectStmt?: SqlNode }).SelectStmt
      return (
        select !== undefined &&
        [...nodesOf(select.targetList, 'SubLink')].some(
          (link) => link.subLinkType === 'EXPR_SUBLINK' && has(link.subselect, 'whereClause')
        ) &&
        find(statement, /\(\s*select\b/i)
      )
    }
  ),
  rule(
    'performance',
    'count-to-exist',
    'info',
    { sentence: 'All rows are counted only to learn whether there is one.', suggestion: 'Use EXISTS.' },
    (statement) => find(statement, /\(\s*select\s+count\s*\(\s*\*\s*\)[^()]*\)\s*>\s*0\b/i)
  ),
  rule(
    'performance',
    'large-offset',
    'info',
    {
      sentence: 'All rows before the offset are read and thrown away.',
      suggestion: 'Page by the last key that was seen.'
    },
    (statement) => find(statement, /\boffset\s+\d{4,}/i)
  ),
  rule(
    'performance',
    'index-locks-table',
    'info',
    {
      sentence: 'Writers wait while this index is built.',
      suggestion: 'Use CREATE INDEX CONCURRENTLY on a table in use.'
    },
    (statement) => kindIs(statement, 'ReindexStmt') && find(statement, /\bconcurrently\b/i) === false
  ),
  rule(
    'style',
    'insert-without-columns',
    'warning',
    { sentence: "The values depend on the order of the table's columns.", suggestion: 'Name the columns.' },
    ({ node }) =>
      'InsertStmt' in node &&
      !('cols' in (node.InsertStmt as SqlNode)) &&
      'selectStmt' in (node.InsertStmt as SqlNode)
  ),
  rule(
    'style',
    'order-by-number',
    'info',
    { sentence: 'The order depends on the position of a column.', suggestion: 'Name the column.' },
    (statement) => find(statement, /\border\s+by\s+\d+\b/i)
  ),
  rule(
    'style',
    'implicit-join',
    'info',
    {
      sentence: 'Tables are joined with commas and the condition stands far away.',
      suggestion: 'Use JOIN ... ON.'
    },
    (statement) => {
      for (const select of nodesOf(statement.node, 'SelectStmt')) {
        const from = select.fromClause as SqlNode[] | undefined
        if (
          from !== undefined &&
          from.length > 1 &&
          from.every((each) => 'RangeVar' in each) &&
          'whereClause' in select
        ) {
          return find(statement, /\bfrom\b/i)
        }
      }
      return false
    }
  ),
  rule(
    'style',
    'keyword-case',
    'info',
    {
      sentence: 'Keywords are written in both capitals and small letters.',
      suggestion: 'Write all keywords the same way.'
    },
    (statement) => {
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
  ),
  rule(
    'style',
    'quoted-mixed-case',
    'info',
    {
      sentence: 'A name with capitals needs quotes wherever it is used.',
      suggestion: 'Use lower case with underscores.'
    },
    (statement) => kindIs(statement, 'CreateStmt') && find(statement, /"[a-z]*[A-Z]\w*"/)
  )
]
