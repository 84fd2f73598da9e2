import { ancestor, below, kindOf, named, textOf } from '../../../tree/nodes.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { maxCandidates, type Edit } from '../../../fix/edits.js'
import { pythonTextOf, type PythonText } from './texts.js'
import { annotationOf, callOf, isText } from './types.js'
import {
  parameterise,
  type SqlDriver,
  type SqlParameter,
  type SqlValues
} from '../../../fix/sql-parameters.js'

const sqlite: SqlDriver = {
  placeholder: () => '?',
  quotes: "'",
  taken: /[?:@$]/,
  hasLimits: true,
  keepsNumbers: true
}
const psycopg: SqlDriver = {
  placeholder: () => '%s',
  quotes: "'",
  taken: /%[(s]/,
  hasLimits: true,
  keepsNumbers: true,
  escape: (text) => text.replaceAll('%', '%%')
}

/** Drivers and whatever brings its own way of writing parameters. */
const modules =
  /^\s*(?:import|from)\s+(sqlite3|psycopg2?|pymysql|MySQLdb|mysql|sqlalchemy|asyncpg|aiosqlite|django|flask_sqlalchemy|pyodbc|cx_Oracle|oracledb|databases|peewee|duckdb|trino|snowflake|flask_mysqldb|pymssql)\b/gm

function driverOf(tree: Tree): SqlDriver | null {
  const names = new Set(Array.from(tree.source.text.matchAll(modules), ([, name]) => name!))
  const [name] = names
  if (names.size !== 1) return null
  return name === 'sqlite3' ? sqlite : /^psycopg2?$/.test(name!) ? psycopg : null
}

/** Whether the code shows that a name is a cursor or a connection of the driver. */
function isConnection(receiver: string, text: string): boolean {
  const name = receiver.replaceAll('.', '\\.')
  return (
    /^[\w.]+$/.test(receiver) &&
    (new RegExp(
      `(?<![\\w.])${name}\\s*(?::[^=\\n]+)?=\\s*(?:[\\w.()]+\\.cursor\\(|(?:sqlite3|psycopg2?)\\.connect\\(|connect\\()`
    ).test(text) ||
      new RegExp(`\\bwith\\b[^\\n]*(?:\\.cursor\\(|\\.connect\\()[^\\n]*\\bas ${name}\\b`).test(text))
  )
}

const values: SqlValues<TreeNode> = {
  isNumber: (node) =>
    kindOf(node) === 'identifier'
      ? /^(?:int|float)$/.test(annotationOf(node))
      : /^(?:int|float|len)$/.test(callOf(node)),
  isId(node) {
    const inner = callOf(node) === 'str' ? named(node.field('arguments'))[0] : node
    return /^identifier$|^attribute$/.test(kindOf(inner)) && /(?:^|[._])id$/.test(textOf(inner))
  }
}

function valueText({ pieces, isText: quoted }: SqlParameter<TreeNode>, isSum: boolean): string | null {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined && 'value' in first) {
    const text = first.value.text()
    return isSum || !quoted || isText(first.value) ? text : `str(${text})`
  }
  const texts = pieces.map((piece) => ('text' in piece ? piece.text : piece.value.text()))
  // Quotes inside the braces of an f-string are an error before Python 3.12.
  if (texts.some((text) => /["\\{}\n]/.test(text))) return null
  return `f"${pieces.map((piece) => ('text' in piece ? piece.text : `{${piece.value.text()}}`)).join('')}"`
}

function literalOf(text: string, { quote }: PythonText): string | null {
  const other = quote === '"' ? "'" : '"'
  if (quote.length === 3) return text.includes(quote) ? null : quote + text + quote
  if (/[\n\r\\]/.test(text)) return null
  return text.includes(quote) ? (text.includes(other) ? null : other + text + other) : quote + text + quote
}

/** The text where it is made: at the call, or in the statement before, if nothing else reads it. */
function madeAt(argument: TreeNode, call: TreeNode): TreeNode | null {
  if (kindOf(argument) !== 'identifier') return argument
  const statement = ancestor(call, [
    'expression_statement',
    'return_statement',
    'with_statement',
    'for_statement'
  ])
  const before = statement?.prev() ?? null
  const assignment = before === null ? undefined : named(before)[0]
  if (kindOf(before) !== 'expression_statement' || kindOf(assignment) !== 'assignment') return null
  const scope = ancestor(call, ['function_definition', 'module'])
  const uses =
    scope === null ? [] : below(scope, 'identifier').filter((each) => each.text() === argument.text())
  const isOwn = textOf(assignment!.field('left')) === argument.text() && assignment!.field('type') === null
  return isOwn && uses.length === 2 ? assignment!.field('right') : null
}

/** Statements whose values become parameters, where the driver is known and nothing else changes. */
export function* parameterisedPython(tree: Tree): Generator<Edit> {
  const driver = /\bexecute\b/.test(tree.source.text) ? driverOf(tree) : null
  if (driver === null) return
  let looked = 0
  for (const call of tree.nodes('call')) {
    const callee = call.field('function')
    const [argument, ...others] = named(call.field('arguments'))
    if (
      kindOf(callee) !== 'attribute' ||
      textOf(callee!.field('attribute')) !== 'execute' ||
      argument === undefined ||
      others.length > 0 ||
      ++looked > maxCandidates ||
      !isConnection(textOf(callee!.field('object')), tree.source.text)
    ) {
      continue
    }
    const made = madeAt(argument, call)
    const text = made === null ? null : pythonTextOf(made)
    const result = text === null ? null : parameterise(text.pieces, driver, values)
    if (made === null || text === null || result === null || /#/.test(made.text())) continue
    const sql = literalOf(result.text, text)
    const list = result.parameters.map((each) => valueText(each, text.isSum))
    if (sql === null || list.includes(null)) continue
    const edit = {
      ruleId: 'py/sql-injection',
      description: 'Passed the values as query parameters.',
      group: {}
    }
    const given = `, (${list.join(', ')}${list.length === 1 ? ',' : ''})`
    const { start, end } = made.range()
    if (made.id() === argument.id()) {
      yield { ...edit, start: start.index, end: end.index, text: sql + given }
    } else {
      const place = argument.range().end.index
      yield { ...edit, start: start.index, end: end.index, text: sql }
      yield { ...edit, start: place, end: place, text: given }
    }
  }
}
