import type { ScriptContext } from '../context.js'
import { calleeOf, lastName } from '../names.js'
import { bare, child, isType, type ScriptNode } from '../nodes.js'
import { closest, walk } from '../walk.js'
import type { ScriptValues } from './values.js'
import type { SqlDriver } from '../../../fix/sql-parameters.js'

export interface ScriptDriver extends SqlDriver {
  /** Methods that take a statement and then its values in an array. */
  readonly methods: RegExp
  /** A method that takes a statement alone; the values go to the method called on its result. */
  readonly prepares?: string
  /** Values of other types than text and number mean something of their own, such as a list or a condition. */
  readonly readsObjects: boolean
}

const postgres: ScriptDriver = {
  placeholder: (index) => `$${index}`,
  quotes: "'",
  taken: /\$/,
  hasLimits: true,
  keepsNumbers: true,
  methods: /^query$/,
  readsObjects: false
}
const mysql: ScriptDriver = {
  placeholder: () => '?',
  quotes: '\'"',
  taken: /\?/,
  // A text as limit is an error, and so is a number in a prepared statement.
  hasLimits: false,
  keepsNumbers: true,
  methods: /^(?:query|execute)$/,
  readsObjects: true
}
const sqlite: ScriptDriver = {
  placeholder: () => '?',
  quotes: "'",
  taken: /[?:@$]/,
  hasLimits: true,
  keepsNumbers: true,
  methods: /^(?:run|get|all|each)$/,
  readsObjects: true
}
// It hands over every number as a floating-point one: in a column of texts 5 would become 5.0.
const betterSqlite: ScriptDriver = { ...sqlite, keepsNumbers: false, methods: /^$/, prepares: 'prepare' }

const drivers: Readonly<Record<string, ScriptDriver>> = {
  pg: postgres,
  mysql,
  mysql2: mysql,
  'mysql2/promise': mysql,
  sqlite3: sqlite,
  'better-sqlite3': betterSqlite
}
const makers = /^(?:Pool|Client|createPool|createConnection|Database|cached|verbose)?$/
/** What gives another connection of the same kind. */
const passesOn = /^(?:connect|getConnection|promise|verbose)$/
const types = /^(?:Pool|PoolClient|Client|Connection|PoolConnection|Database)$/
const maxSteps = 6

/** The driver behind what a query is called on; null where the code does not show it. */
export function driverOf(
  start: ScriptNode | null,
  script: ScriptContext,
  values: ScriptValues,
  steps = 0
): ScriptDriver | null {
  let node = bare(start)
  if (isType(node, 'AwaitExpression')) node = bare(child(node, 'argument'))
  if (node === null || steps > maxSteps) return null
  if (isType(node, 'NewExpression', 'CallExpression')) {
    const made = values.importOf(child(node, 'callee'))
    if (made !== null) return makers.test(made.name) ? (drivers[made.module] ?? null) : null
    const callee = child(node, 'callee')
    if (!isType(callee, 'MemberExpression')) return null
    const name = lastName(calleeOf(node))
    // `new sqlite3.Database()`, where `sqlite3` is what `require('sqlite3').verbose()` gave.
    const isMade = isType(node, 'NewExpression') && makers.test(name)
    return isMade || passesOn.test(name) ? driverOf(child(callee, 'object'), script, values, steps + 1) : null
  }
  if (isType(node, 'MemberExpression')) return driverOfField(node, script, values, steps)
  if (!isType(node, 'Identifier')) return null
  const imported = values.importOf(node)
  if (imported !== null) return imported.name === '' ? (drivers[imported.module] ?? null) : null
  const variable = script.variableOf(node)
  const declared = variable?.defs.length === 1 ? variable.defs[0]!.name : null
  const typed = typeOf(declared, values)
  if (typed !== undefined) return typed
  const init = script.initOf(node)
  return init !== null && isType(child(init.parent, 'id'), 'Identifier')
    ? driverOf(init, script, values, steps + 1)
    : null
}

/** The driver that a type belongs to; undefined without a type. */
function typeOf(declared: ScriptNode | null, values: ScriptValues): ScriptDriver | null | undefined {
  const type = child(child(declared, 'typeAnnotation'), 'typeAnnotation')
  if (type === null) return undefined
  const name = child(type, 'typeName')
  const from = isType(name, 'Identifier') ? values.importOf(name) : null
  // A module whose class is what it exports, such as better-sqlite3, gives the type of the same name.
  return from !== null && (types.test(from.name) || from.name === '') ? (drivers[from.module] ?? null) : null
}

/** `this.pool`, by the declaration or the one assignment in its class. */
function driverOfField(
  node: ScriptNode,
  script: ScriptContext,
  values: ScriptValues,
  steps: number
): ScriptDriver | null {
  const key = child(node, 'property')
  const body = closest(node, ({ type }) => type === 'ClassBody')
  if (!isType(child(node, 'object'), 'ThisExpression') || node.computed === true || body === null) return null
  const isKey = (each: ScriptNode | null): boolean => each?.type === key?.type && each?.name === key?.name
  const found: ScriptNode[] = []
  for (const each of walk(body)) {
    if (isType(each, 'TSParameterProperty') && isKey(child(each, 'parameter'))) {
      return typeOf(child(each, 'parameter'), values) ?? null
    }
    if (isType(each, 'PropertyDefinition') && isKey(child(each, 'key'))) {
      const typed = typeOf(each, values)
      if (typed !== undefined) return typed
      if (child(each, 'value') !== null) found.push(child(each, 'value')!)
    }
    const left = isType(each, 'AssignmentExpression') ? child(each, 'left') : null
    if (isType(left, 'MemberExpression') && isKey(child(left, 'property'))) found.push(child(each, 'right')!)
  }
  return found.length === 1 ? driverOf(found[0]!, script, values, steps + 1) : null
}
