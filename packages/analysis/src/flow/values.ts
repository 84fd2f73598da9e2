import { isFixed, nothing, type Fact } from './facts.js'
import type { Target } from './form.js'
import { everyKind, kinds } from './kinds.js'

const maxPathChars = 160
/** Names that SQL is built from in honest code: a client's value in them is still found. */
const sqlNames =
  /(?:^|[._])(?:table|tbl|schema|columns?|cols|fields|placeholders?|marks|bindings|prefix|dialect|db_?name|database)(?:_?names?|_?list|_?sql)?$|(?:Table|Schema|Columns?|Placeholders?|TableName|ColumnNames?|Fields)$/i

/** A part of a collection, whichever. */
export function elementOf(fact: Fact): Fact {
  if (isFixed(fact)) return nothing
  return {
    ...nothing,
    path: fact.input !== 0 ? extend(fact.path, '[]') : '',
    input: fact.input,
    direct: fact.direct,
    unknown: fact.unknown,
    parameters: fact.parameters,
    trace: fact.trace
  }
}

export function declareAll(target: Target): Target {
  if (target.to === 'name') return { ...target, isNew: true }
  return target.to === 'parts'
    ? { to: 'parts', parts: target.parts.map(([key, part]) => [key, declareAll(part)] as const) }
    : target
}

export function openKinds(path: string): number {
  // `this.tableName()` gives what `tableName` holds.
  return sqlNames.test(path.replace(/\(\)$/, '')) ? everyKind & ~kinds.sql : everyKind
}

export function extend(path: string, key: string, dot = '.'): string {
  return path === '' || path.length > maxPathChars
    ? key === '()'
      ? ''
      : `${dot}${key}`
    : `${path}${dot}${key}`
}
