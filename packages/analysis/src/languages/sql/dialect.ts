const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/** Words and signs of other dialects, which PostgreSQL's parser rightly does not know. */
const other =
  /`|\[\w+\]|@@?\w+|\b(?:AUTO_INCREMENT|AUTOINCREMENT|ENGINE\s*=|UNSIGNED|NVARCHAR|TOP\s+\(?\d+|DELIMITER|GROUP_CONCAT|IFNULL|ISNULL\s*\(|PRAGMA|DUAL\b|VARCHAR2|NUMBER\(|ROWNUM|SHOW\s+\w+|REPLACE\s+INTO|INSERT\s+(?:OR\s+|IGNORE\s+)|ON\s+DUPLICATE|IDENTITY\(|TINYINT|MEDIUMTEXT|LONGTEXT|DATETIME\b|STRAIGHT_JOIN|MINUS\b|QUALIFY|PIVOT|NOLOCK|LIMIT\s+\d+\s*,|USE\s+\w+\s*$|EXEC\s|PRINT\s|DECLARE\s|BEGIN\b|END\b|IF\s+(?:NOT\s+)?EXISTS\s*\(|WHILE\b|RETURN\b|REFERENCING|OUTPUT\s|CONVERT\s*\(|GETDATE\s*\()/i

const transactSql =
  /\b(?:SET\s+(?:NOCOUNT|ANSI_NULLS|QUOTED_IDENTIFIER|IDENTITY_INSERT|XACT_ABORT)|(?:CREATE|ALTER)\s+(?:OR\s+ALTER\s+)?PROC|(?:CROSS|OUTER)\s+APPLY|RAISERROR|THROW|(?:NON)?CLUSTERED|OPENJSON|FOR\s+(?:XML|JSON)|DATEADD|SCOPE_IDENTITY|UNIQUEIDENTIFIER|sp_\w+|dbo\.|DEFAULT\s+\S+\s+FOR|DROP\s+TABLE\s+\w+\s+IF\s+EXISTS|CREATE\s+DATABASE\s+IF|IDENTIFIED\s+BY|CREATE\s+USER\s+IF|ALTER\s+DATABASE\s+\w+\s+DEFAULT)\b|#\w+|\bN'/i

/** What only MySQL and MariaDB write: first within a statement, then whole statements. */
const mysqlWords =
  /'@'|\*\.\*|<=>|\b(?:RLIKE|REGEXP|WITH\s+ROLLUP|MODIFY\s+(?:COLUMN\s+)?\w+\s+\w|CHANGE\s+(?:COLUMN\s+)?\w+\s+\w+\s+\w|INTERVAL\s+[-+\w.]+\s+(?:MICROSECOND|SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)|ON\s+UPDATE\s+CURRENT_TIMESTAMP|(?:FORCE|USE|IGNORE)\s+(?:INDEX|KEY)|(?:CHARACTER\s+SET|CHARSET)\s*=?\s*\w|ENUM\s*\(|(?:FULLTEXT|SPATIAL)\s+(?:INDEX|KEY)|SQL_(?:CALC_FOUND_ROWS|NO_CACHE))/i
const mysqlStatements =
  /^\s*(?:(?:UN)?LOCK\s+TABLES|LOAD\s+DATA|DESC(?:RIBE)?\s+\w+\s*;?\s*$|INSERT\s+INTO\s+\S+\s+SET\s|DROP\s+INDEX\s+\w+\s+ON\s|FLUSH\s+\w|OPTIMIZE\s+TABLE|RENAME\s+TABLE|(?:UPDATE|DELETE)\s[^;]*\sLIMIT\s+\d|UPDATE\s+\S+(?:\s+(?:AS\s+)?\w+)?\s+(?:(?:INNER|LEFT)\s+)?JOIN\s|DELETE\s+\w+\s+FROM\s|ALTER\s+TABLE\s+\S+\s+(?:ADD\s[^;]*\s(?:AFTER\s+\w+|FIRST)\s*;?\s*$|ADD\s+(?:INDEX|KEY)\s|DROP\s+(?:FOREIGN\s+KEY|PRIMARY\s+KEY|INDEX|KEY)\b))/i

export function isOtherDialect(statement: string): boolean {
  return [other, transactSql, mysqlWords, mysqlStatements].some((pattern) => pattern.test(statement))
}

/** A script of SQL Server says so in many places; a statement in it need not. */
export function isTransactScript(text: string): boolean {
  return /^[ \t]*GO[ \t]*\r?$/im.test(text) || (text.match(/@\w+|\[dbo\]|\bdbo\./g)?.length ?? 0) > 2
}

/** Commands and variables of psql, and rows that are fed to COPY; each is replaced by as many characters. */
export function withoutPsql(text: string): string {
  if (!/^\\|:['"]/m.test(text)) return text
  return text
    .replace(
      /\bfrom\s+stdin\b[^;]*;([\s\S]*?^\\\.$)/gim,
      (all, rows: string) => all.slice(0, all.length - rows.length) + blank(rows)
    )
    .replace(/^\\[a-z!?].*$/gim, blank)
    .replace(/:(['"])\w+\1/g, (mark) => '1'.padEnd(mark.length))
}

const fit =
  (word: string) =>
  (text: string): string =>
    word.padEnd(text.length)

/**
 * What the common dialects write in another way; each is replaced by as many characters, so that offsets
 * stay.
 */
const translations: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/`/g, () => '"'],
  [/\[\w+\]/g, (text) => `"${text.slice(1, -1)}"`],
  [
    /\bselect\s+(?:distinct\s+)?top\s*(?:\(\s*\d+\s*\)|\d+)(?:\s+percent)?/gi,
    (text) => text.replace(/\btop[\s\S]*$/i, blank)
  ],
  [
    /\b(?:auto_increment|autoincrement|unsigned|zerofill)\b|\bidentity\s*\(\s*\d+\s*,\s*\d+\s*\)|\bwith\s*\(\s*nolock\s*\)|\bstraight_join\b/gi,
    blank
  ],
  [
    /\)\s*(?:engine|default\s+charset|charset|collate|comment|auto_increment)\s*=[\s\S]*$/i,
    (text) => `)${blank(text.slice(1))}`
  ],
  [/\bn?varchar\s*\(\s*max\s*\)|\b(?:medium|long|tiny)text\b/gi, fit('text')],
  [/\bnvarchar\b/gi, fit('varchar')],
  [/\bdatetime2?\b|\bsmalldatetime\b/gi, fit('date')],
  [/\b(?:tiny|medium)int(?:\s*\(\s*\d+\s*\))?/gi, fit('int')],
  [/\bint\s*\(\s*\d+\s*\)/gi, fit('int')],
  [/\binsert\s+(?:ignore|or\s+\w+)\s+into\b/gi, (text) => `INSERT${' '.repeat(text.length - 10)}INTO`],
  [/\breplace\s+into\b/gi, (text) => `INSERT${' '.repeat(text.length - 10)}INTO`],
  [/\bon\s+duplicate\s+key\s+update\b[\s\S]*$/i, blank],
  [/\blimit\s+\d+\s*,\s*\d+/gi, (text) => text.replace(/\s*,[\s\S]*$/, blank)],
  [/@@?\w+/g, fit('1')]
]

/** The statement as PostgreSQL would write it, as far as that is a matter of words. */
export function towardsPostgres(statement: string): string {
  return translations.reduce(
    (text, [pattern, replace]) => text.replace(pattern, (match) => replace(match)),
    statement
  )
}
