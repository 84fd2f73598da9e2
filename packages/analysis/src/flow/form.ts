import type { Kind } from './kinds.js'

/**
 * The form that every language is brought into before its values are followed: what is assigned, joined,
 * called and returned, and nothing else. Lines count from 1.
 */
export type Expression =
  | { readonly is: 'text'; readonly text: string }
  /** A number, a truth value, nothing: cannot carry an attack. `value` is how it is written. */
  | { readonly is: 'fixed'; readonly value?: string }
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'field'; readonly of: Expression; readonly key: string | Expression }
  | Call
  /** Texts put together: sums, templates, format calls. */
  | { readonly is: 'joined'; readonly parts: readonly Expression[]; readonly line: number }
  /** One of these: operands of `||`, elements of a list. */
  | { readonly is: 'any'; readonly of: readonly Expression[]; readonly isList?: true }
  | {
      readonly is: 'choice'
      readonly test: Expression
      readonly then: Expression
      readonly otherwise: Expression
    }
  | {
      readonly is: 'record'
      readonly entries: readonly (readonly [key: string | null, value: Expression])[]
      /** Of what: `http.Cookie`. */
      readonly type?: string
    }
  | { readonly is: 'not'; readonly of: Expression }
  /** A truth value made from these. `equals` and `differs` are comparisons with something. */
  | {
      readonly is: 'test'
      readonly of: readonly Expression[]
      readonly how: 'and' | 'or' | 'equals' | 'differs' | 'other'
      /** The operator between two operands, as it is written; `//` divides integers, `=` only makes a number. */
      readonly op?: string
    }
  | { readonly is: 'function'; readonly declared: Declared }
  /** An assignment that has a value of its own. */
  | {
      readonly is: 'assigned'
      readonly target: Target
      readonly value: Expression
      readonly adds: boolean
      readonly line: number
    }
  /** What the form has no word for; its parts are looked at, its value is not known. */
  | { readonly is: 'unknown'; readonly of: readonly Expression[] }

export interface Call {
  readonly is: 'call'
  /** The called name, or a field of what it is called on. */
  readonly callee: Expression
  readonly args: readonly Expression[]
  /** Arguments given by name. */
  readonly named?: Readonly<Record<string, Expression>>
  readonly line: number
}

export type Target =
  | { readonly to: 'name'; readonly name: string; readonly isNew?: boolean }
  | {
      readonly to: 'field'
      readonly of: Expression
      readonly key: string | Expression
      /** The value has the same key in another object. */
      readonly isCopy?: boolean
    }
  /** Destructuring: each target takes a field, or null for an unknown part. */
  | { readonly to: 'parts'; readonly parts: readonly (readonly [key: string | null, target: Target])[] }

export type Statement =
  | {
      readonly does: 'set'
      readonly target: Target
      readonly value: Expression
      readonly adds: boolean
      readonly line: number
    }
  | { readonly does: 'run'; readonly value: Expression }
  | { readonly does: 'return'; readonly value: Expression | null; readonly line: number }
  /** Throws or ends the program. */
  | { readonly does: 'leave'; readonly value: Expression | null }
  /** Breaks or continues: what was done before lives on. */
  | { readonly does: 'jump' }
  | {
      readonly does: 'if'
      readonly test: Expression
      readonly then: readonly Statement[]
      readonly otherwise: readonly Statement[]
    }
  | {
      readonly does: 'loop'
      readonly element: Target | null
      readonly over: Expression | null
      readonly body: readonly Statement[]
    }
  | { readonly does: 'switch'; readonly on: Expression; readonly cases: readonly Case[] }
  | { readonly does: 'block'; readonly body: readonly Statement[] }
  | { readonly does: 'declare'; readonly declared: Declared }

export interface Case {
  /** What the value is compared with; null for the case that takes all others. */
  readonly tests: readonly Expression[] | null
  readonly body: readonly Statement[]
  /** Control goes on to the next case unless the body leaves it. */
  readonly fallsThrough: boolean
}

export interface Parameter {
  readonly target: Target
  /** What a value of this type is known as: `req` for a request, `number`; empty when nothing is known. */
  readonly path: string
  /** Filled by a framework from a request. */
  readonly isInput: boolean
  /** What a client's value in this place cannot do harm as. */
  readonly harmlessAs?: readonly Kind[]
  /** As what it does harm only under conditions that the code does not show. */
  readonly likely?: readonly Kind[] | 'all'
}

export interface Declared {
  /** Empty for a function without a name. */
  readonly name: string
  /** The class that it is a method of. */
  readonly of?: string
  readonly parameters: readonly Parameter[]
  readonly body: readonly Statement[]
  readonly line: number
  /** A handler whose result is sent to the client: as a page, or as a text that may be one. */
  readonly answers?: 'page' | 'text' | undefined
}

export const fixed: Expression = { is: 'fixed' }
export const constant = (value: string): Expression => ({ is: 'fixed', value })
/** An option that is switched off. */
export const off: Expression = { is: 'text', text: 'false' }
export const unknown = (...of: Expression[]): Expression => ({ is: 'unknown', of })
export const named = (name: string): Expression => ({ is: 'name', name })
export const set = (target: Target, value: Expression, line: number): Statement => ({
  does: 'set',
  target,
  value,
  adds: false,
  line
})

/** Longer chains are nobody's variable. */
const maxSpelledParts = 6

/** How a value is written where it is a name or a field of one: `user.name`; empty for anything else. */
export function spelling(start: Expression): string {
  const keys: string[] = []
  let expression = start
  while (expression.is === 'field' && typeof expression.key === 'string' && keys.length < maxSpelledParts) {
    keys.push(expression.key)
    expression = expression.of
  }
  return expression.is === 'name' ? [expression.name, ...keys.reverse()].join('.') : ''
}

/** A call of this and a type's name says that its argument is known by the type. */
export const typePrefix = 'as '
/** How a class that is made an object of is spelled. */
export const newPrefix = 'new:'
