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

/** The offset of a pattern in the statement, with texts and comments blanked out so that they do not count. */
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

/** Whether a subquery reads a table outside it; a column without its table counts as its own. */
function isCorrelated(subquery: unknown): boolean {
  const own = new Set<unknown>()
  for (const table of nodesOf(subquery, 'RangeVar')) own.add(table.relname)
  for (const alias of nodesOf(subquery, 'alias')) own.add(alias.aliasname)
  return [...nodesOf(subquery, 'ColumnRef')].some(({ fields }) => {
    const names = (fields as { String?: { sval?: string } }[]).map((field) => field.String?.sval)
    return names.length > 1 && !own.has(names.at(-2))
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

/** How a user of MySQL gets a password. */
const mysqlPassword = /^(?:create|alter)\s+user\b[^;]*?\bidentified\s+(?:with\s+\S+\s+)?by\s+'(?!\s*')/i

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

export const sqlRules: readonly SqlRule[] = [
  rule(
    'security',
    'dynamic-sql',
    'warning',
    {
      sentence:
        'The statement is concatenated from strings, so a value containing SQL changes what it does (SQL injection).',
      suggestion:
        "Pass values with EXECUTE ... USING or sp_executesql parameters; quote names with format('%I') or QUOTENAME."
    },
    (statement) => firstOf(statement, dynamicSql)
  ),
  rule(
    'security',
    'grant-all',
    'warning',
    {
      sentence:
        'The grant includes every privilege (ALL) or every role (PUBLIC), which is more than an application needs.',
      suggestion: 'Grant the privileges the application uses to a named role.'
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
      sentence: 'A SUPERUSER role bypasses every permission check in the database.',
      suggestion: 'Create the role with NOSUPERUSER and grant the privileges it needs.'
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
      sentence:
        'The password is in the script, so everyone with access to the repository or its history can log in.',
      suggestion: 'Change this password, and set the new one from a secret store when the role is created.'
    },
    (statement) =>
      find(
        statement,
        kindIs(statement, 'CreateRoleStmt') || kindIs(statement, 'AlterRoleStmt')
          ? /\bpassword\s+'(?!\s*')/i
          : mysqlPassword,
        true
      )
  ),
  rule(
    'security',
    'weak-hash',
    'warning',
    {
      sentence: 'MD5 and SHA-1 are broken, and so fast that attackers can guess passwords from their hashes.',
      suggestion: "Hash passwords with crypt() and gen_salt('bf'), and other data with sha256()."
    },
    (statement) => find(statement, /\b(?:md5|sha1)\s*\(|\bdigest\s*\([^)]*'(?:md5|sha1)'/i, true)
  ),
  rule(
    'security',
    'security-definer',
    'warning',
    {
      sentence:
        "A SECURITY DEFINER function without its own search_path can be made to call the caller's objects with the owner's privileges.",
      suggestion: 'Add SET search_path = <schema>, pg_temp to the function.'
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
  ),
  rule(
    'performance',
    'select-star',
    'info',
    {
      sentence: 'SELECT * reads every column, and its result changes when a column is added.',
      suggestion: 'List the columns you need.'
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
      sentence:
        'A LIKE pattern that starts with % cannot use a B-tree index, so the query scans the whole table.',
      suggestion: 'Use a trigram (pg_trgm) or full-text index, or remove the leading %.'
    },
    (statement) => find(statement, /\bi?like\s+(?:concat\s*\(\s*)?N?'%/i, true)
  ),
  rule(
    'performance',
    'function-on-column',
    'info',
    {
      sentence: 'The condition calls a function on the column, so a plain index on that column is not used.',
      suggestion: 'Compare the bare column, or create an index on the expression.'
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
      sentence:
        'ORDER BY random() generates a number for every row and sorts the whole table to return a few rows.',
      suggestion: 'Select random keys, or use TABLESAMPLE.'
    },
    (statement) =>
      find(statement, /\border\s+by\s+(?:rand(?:om)?|newid|dbms_random\.(?:random|value))\s*\(\s*\)/i)
  ),
  rule(
    'performance',
    'query-per-row',
    'warning',
    {
      sentence: 'The correlated subquery in the SELECT list runs once for every row of the outer query.',
      suggestion: 'Use a JOIN with GROUP BY, or a LATERAL join.'
    },
    (statement) => {
      const select = (statement.node as { SelectStmt?: SqlNode }).SelectStmt
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
  ),
  rule(
    'performance',
    'count-to-exist',
    'info',
    {
      sentence: 'COUNT reads every matching row, although one is enough to answer the condition.',
      suggestion: 'Use EXISTS or NOT EXISTS, which stop at the first row.'
    },
    (statement) =>
      find(statement, /\(\s*select\s+count\s*\(\s*(?:\*|1)\s*\)[^()]*\)\s*(?:(?:>|<>|!=|=)\s*0|>=\s*1)\b/i)
  ),
  rule(
    'performance',
    'large-offset',
    'info',
    {
      sentence: 'OFFSET reads and discards all skipped rows, so later pages get slower and slower.',
      suggestion: 'Use keyset pagination: WHERE id > <last id> ORDER BY id LIMIT n.'
    },
    (statement) => find(statement, /\boffset\s+\d{4,}|\blimit\s+\d{4,}\s*,/i)
  ),
  rule(
    'performance',
    'index-locks-table',
    'info',
    {
      sentence: 'REINDEX blocks writes to the table until the index has been rebuilt.',
      suggestion: 'Use REINDEX ... CONCURRENTLY (PostgreSQL 12 and later) on a table in use.'
    },
    (statement) => kindIs(statement, 'ReindexStmt') && find(statement, /\bconcurrently\b/i) === false
  ),
  rule(
    'style',
    'insert-without-columns',
    'warning',
    {
      sentence:
        "INSERT without a column list breaks, or fills the wrong columns, when the table's columns change.",
      suggestion: 'List the columns after the table name.'
    },
    ({ node }) =>
      'InsertStmt' in node &&
      !('cols' in (node.InsertStmt as SqlNode)) &&
      'selectStmt' in (node.InsertStmt as SqlNode)
  ),
  rule(
    'style',
    'order-by-number',
    'info',
    {
      sentence: 'ORDER BY with a position sorts by another column when the SELECT list changes.',
      suggestion: "Order by the column's name or alias."
    },
    (statement) => find(statement, /\border\s+by\s+\d+\b/i)
  ),
  rule(
    'style',
    'implicit-join',
    'info',
    {
      sentence: 'The comma-separated tables hide the join condition in WHERE, where it is easily lost.',
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
      sentence: 'The statement mixes upper-case and lower-case keywords.',
      suggestion: 'Write all keywords in the same case.'
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
      sentence:
        'PostgreSQL folds unquoted names to lower case, so this name needs double quotes wherever it is used.',
      suggestion: 'Use a lower-case name with underscores.'
    },
    (statement) => kindIs(statement, 'CreateStmt') && find(statement, /"[a-z]*[A-Z]\w*"/)
  )
]
