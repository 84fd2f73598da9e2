import { fixed, unknown, type Case, type Statement } from '../form.js'
import { declareAll } from '../values.js'
import type { Lowering, Row } from './lowering.js'

/** Rows for statements that every language has. Names are those of the fields that hold the parts. */

/** What is in a node, one after the other. */
export const sequence = <N>(node: N, lower: Lowering<N>): Statement[] => lower.statements(lower.parts(node))

export const jump = (): Statement[] => [{ does: 'jump' }]

export const returns =
  <N>(field?: string): Row<N, Statement[]> =>
  (node, lower) => {
    const value = (field === undefined ? lower.parts(node)[0] : lower.field(node, field)) ?? null
    return [
      { does: 'return', value: value === null ? null : lower.expression(value), line: lower.lineOf(node) }
    ]
  }

export const leave =
  <N>(field?: string): Row<N, Statement[]> =>
  (node, lower) => {
    const value =
      field === undefined
        ? unknown(...lower.expressions(lower.parts(node)))
        : lower.expression(lower.field(node, field))
    return [{ does: 'leave', value }]
  }

/** What certainly runs, in a block of its own. */
export const block =
  <N>(field?: string): Row<N, Statement[]> =>
  (node, lower) => [
    {
      does: 'block',
      body: field === undefined ? lower.statements(lower.parts(node)) : lower.body(lower.field(node, field))
    }
  ]

/** The members of a class, its methods with its name. */
export const methodsOf = (of: string, body: readonly Statement[]): Statement[] =>
  body.map((member) =>
    member.does === 'declare' ? { does: 'declare', declared: { of, ...member.declared } } : member
  )

/** What may run, or not, or often. */
export const maybe = (body: readonly Statement[]): Statement => ({
  does: 'loop',
  element: null,
  over: null,
  body
})

export const branch =
  <N>(test: string, then: string, otherwise: string): Row<N, Statement[]> =>
  (node, lower) => [
    {
      does: 'if',
      test: lower.test(lower.field(node, test)),
      then: lower.body(lower.field(node, then)),
      otherwise: lower.body(lower.field(node, otherwise))
    }
  ]

/** A loop as long as a condition holds. */
export const repeat =
  <N>(test: string, body = 'body'): Row<N, Statement[]> =>
  (node, lower) => [
    {
      does: 'loop',
      element: null,
      over: lower.test(lower.field(node, test)),
      body: lower.body(lower.field(node, body))
    }
  ]

/** A loop over the elements of something; `isNew` when it declares their name. */
export const each =
  <N>(element: string, over: string, isNew = false): Row<N, Statement[]> =>
  (node, lower) => {
    const target = lower.target(lower.field(node, element))
    return [
      {
        does: 'loop',
        element: isNew ? declareAll(target) : target,
        over: lower.expression(lower.field(node, over)),
        body: lower.body(lower.field(node, 'body'))
      }
    ]
  }

/** One of these runs, or none of them. */
export const cases =
  <N>(
    on: string,
    listOf: (node: N, lower: Lowering<N>) => readonly N[],
    caseOf: (one: N, lower: Lowering<N>) => Case
  ): Row<N, Statement[]> =>
  (node, lower) => [
    {
      does: 'switch',
      on: lower.expression(lower.field(node, on)),
      cases: listOf(node, lower).map((one) => caseOf(one, lower))
    }
  ]

/** A body that may fail, what handles that, and what runs in any case; a clause ends with its block. */
export const attempt =
  <N>(
    handlers: RegExp,
    last: RegExp,
    before: (node: N, lower: Lowering<N>) => Statement[] = () => []
  ): Row<N, Statement[]> =>
  (node, lower) => {
    const bodiesOf = (kind: RegExp): Statement[][] =>
      lower
        .parts(node)
        .filter((part) => kind.test(lower.kindOf(part)))
        .map((part) => lower.body(lower.parts(part).at(-1) ?? null))
    const body = [...before(node, lower), ...lower.body(lower.field(node, 'body'))]
    return [tried(body, bodiesOf(handlers)), ...bodiesOf(last).flat()]
  }

/** Without a handler a failure leaves the function; of several, one runs. */
export function tried(body: readonly Statement[], handlers: readonly (readonly Statement[])[]): Statement {
  const [first, ...others] = handlers
  if (first === undefined) return { does: 'block', body }
  const otherwise = others.length === 0 ? first : [tried(first, others)]
  return { does: 'if', test: fixed, then: body, otherwise }
}

/** A function's body that may be an expression alone. */
export function returning<N>(
  body: N | null,
  blockKind: string,
  line: number,
  lower: Lowering<N>
): Statement[] {
  return body !== null && lower.kindOf(body) === blockKind
    ? lower.body(body)
    : [{ does: 'return', value: lower.expression(body), line }]
}
