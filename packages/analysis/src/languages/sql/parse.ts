import { loadModule, parseSync } from 'libpg-query'
import type { Source } from '../../text/source.js'
import { skippedSyntax, type SyntaxResult } from '../../types.js'
import { isOtherDialect, isTransactScript, towardsPostgres, withoutPsql } from './dialect.js'
import type { SqlNode, SqlStatement } from './nodes.js'
import { splitSql } from './split.js'

export type SqlParse = { syntax: SyntaxResult; statements: SqlStatement[] }

const maxDepth = 200

/** The scanner reads a row of operators again from each of them. */
const operatorRow = /[-+*/<>=~!@#%^&|`?]{2000}/

let loaded: Promise<void> | null = null

export async function parseSql(source: Source): Promise<SqlParse> {
  if (source.nesting('sql').brackets > maxDepth || operatorRow.test(source.text)) {
    return { syntax: skippedSyntax, statements: [] }
  }
  await (loaded ??= loadModule())
  // Placeholders of drivers stand where a value would.
  const text = withoutPsql(source.text).replace(/(?<![\w:$])(?:\?|:[a-zA-Z_]\w*|%s)(?=[\s,);]|$)/gm, (mark) =>
    '1'.padEnd(mark.length)
  )
  try {
    return { syntax: { ok: true }, statements: statementsOf(text) }
  } catch {
    return parseEach(source, text)
  }
}

/** Statement by statement, so that one of another dialect, or a broken one, does not hide the rest. */
function parseEach(source: Source, text: string): SqlParse {
  const statements: SqlStatement[] = []
  let broken: SyntaxResult | null = null
  const isTransact = isTransactScript(text)
  for (const piece of splitSql(text)) {
    try {
      statements.push(
        ...statementsOf(towardsPostgres(piece.text)).map((each) => ({
          ...each,
          text: piece.text,
          offset: piece.offset
        }))
      )
    } catch (error) {
      if (isTransact || isOtherDialect(piece.text)) statements.push({ ...piece, node: guess(piece.text) })
      else {
        broken ??= {
          ok: false,
          line: lineOf(source, piece.offset, piece.text, error),
          message: (error as Error).message
        }
      }
    }
  }
  return { syntax: broken ?? { ok: 'unknown' }, statements }
}

function lineOf(source: Source, start: number, text: string, error: unknown): number {
  const { sqlDetails } = error as { sqlDetails?: { cursorPosition?: number } }
  // The parser counts characters, the text code units.
  const offset = [...text].slice(0, sqlDetails?.cursorPosition ?? 0).join('').length
  return source.lineAt(start + Math.min(offset, Math.max(0, text.trimEnd().length - 1)))
}

/** As much of a tree as the first words tell, for what PostgreSQL cannot read. */
function guess(text: string): SqlNode {
  const clause = /\bwhere\b/i.test(text) ? { whereClause: {} } : {}
  // Several statements without a semicolon between them are looked at one by one.
  const isOne =
    (text.match(/^\s*(?:select|insert|update|delete|exec|declare|print|set\s+@)\b/gim)?.length ?? 0) < 2
  if (isOne && /^delete\s+(?:top\s*\(\d+\)\s+)?(?:from\b|[\w.[\]]+\s*$)/i.test(text)) {
    return { DeleteStmt: clause }
  }
  if (isOne && /^update\s+\S+\s+set\b/i.test(text)) {
    return { UpdateStmt: /\bfrom\b/i.test(text) ? { ...clause, fromClause: {} } : clause }
  }
  return {}
}

function statementsOf(text: string): SqlStatement[] {
  const { stmts = [] } = parseSync(text) as {
    stmts?: { stmt: SqlNode; stmt_location?: number; stmt_len?: number }[]
  }
  // Locations are in bytes.
  const bytes = Buffer.from(text)
  let at = { bytes: 0, chars: 0 }
  return stmts.map(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
    // Counted on from the statement before: from the beginning each time would be quadratic.
    at = { bytes: start, chars: at.chars + bytes.subarray(at.bytes, start).toString().length }
    const raw = bytes.subarray(start, length === undefined ? undefined : start + length).toString()
    const lead = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?(?:\*\/|$))*/.exec(raw)![0].length
    return { offset: at.chars + lead, text: raw.slice(lead), node: stmt }
  })
}
