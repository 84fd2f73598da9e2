import { loadModule, parseSync } from 'libpg-query'
import { bracketDepth, type Source } from '../text/source.js'
import type { SyntaxResult } from '../types.js'

/** A node of PostgreSQL's own parse tree: one key that names its kind, and its members under it. */
export type SqlNode = Record<string, unknown>

export interface SqlStatement {
  /** Offset of its first word. */
  offset: number
  text: string
  node: SqlNode
}

export type SqlParse = { syntax: SyntaxResult, statements: SqlStatement[] }

/** Words of other dialects, which PostgreSQL's parser rightly does not know. */
const otherDialect = /`|\[\w+\]|@@?\w+|\b(?:AUTO_INCREMENT|AUTOINCREMENT|ENGINE\s*=|UNSIGNED|NVARCHAR|TOP\s+\(?\d+|DELIMITER|GROUP_CONCAT|IFNULL|ISNULL\s*\(|PRAGMA|DUAL\b|VARCHAR2|NUMBER\(|ROWNUM|SHOW\s+TABLES|REPLACE\s+INTO|INSERT\s+OR\s+|ON\s+DUPLICATE|IDENTITY\(|TINYINT|MEDIUMTEXT|DATETIME\b|STRAIGHT_JOIN|MINUS\b|QUALIFY|PIVOT|USE\s+\w+;|GO\s*$|EXEC\s|PRINT\s|DECLARE\s+@)/im

const maxDepth = 200

/** The scanner reads a row of operators again from each of them. */
const operatorRow = /[-+*/<>=~!@#%^&|`?]{2000}/

let loaded: Promise<void> | null = null

export async function parseSql (source: Source): Promise<SqlParse> {
  if (bracketDepth(source.text) > maxDepth || operatorRow.test(source.text)) return { syntax: { ok: 'unknown' }, statements: [] }
  await (loaded ??= loadModule())
  // Placeholders of drivers stand where a value would.
  const text = source.text.replace(/(?<![\w:$])(?:\?|:[a-zA-Z_]\w*|%s)(?=[\s,);]|$)/gm, (mark) => '1'.padEnd(mark.length))
  try {
    return { syntax: { ok: true }, statements: statementsOf(text) }
  } catch (error) {
    if (otherDialect.test(source.text)) return { syntax: { ok: 'unknown' }, statements: [] }
    const { message, sqlDetails } = error as { message: string, sqlDetails?: { cursorPosition?: number } }
    const offset = sqlDetails?.cursorPosition ?? 0
    // The parser counts characters, the text code units.
    return { syntax: { ok: false, line: source.lineAt(Math.min([...source.text].slice(0, offset).join('').length, Math.max(0, source.text.trimEnd().length - 1))), message }, statements: [] }
  }
}

function statementsOf (text: string): SqlStatement[] {
  const { stmts = [] } = parseSync(text) as { stmts?: { stmt: SqlNode, stmt_location?: number, stmt_len?: number }[] }
  // Locations are in bytes.
  const bytes = Buffer.from(text)
  return stmts.map(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
    const raw = bytes.subarray(start, length === undefined ? undefined : start + length).toString()
    const lead = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?(?:\*\/|$))*/.exec(raw)![0].length
    return { offset: bytes.subarray(0, start).toString().length + lead, text: raw.slice(lead), node: stmt }
  })
}

/** Every object of a kind below a node, with the members it has. */
export function * nodesOf (node: unknown, kind: string): Generator<SqlNode> {
  const stack: unknown[] = [node]
  while (stack.length > 0) {
    const current = stack.pop()
    if (Array.isArray(current)) stack.push(...current)
    else if (typeof current === 'object' && current !== null) {
      for (const [key, value] of Object.entries(current)) {
        if (key === kind) yield value as SqlNode
        stack.push(value)
      }
    }
  }
}
