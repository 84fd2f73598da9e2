import { constant, fixed, named, off, type Expression, type Target } from '../form.js'
import type { Lowering, Row } from './lowering.js'

/** Rows for expressions that every language has. Names are those of the fields that hold the parts. */

export const name = <N>(node: N, lower: Lowering<N>): Expression => named(lower.textOf(node))
export const number = <N>(node: N, lower: Lowering<N>): Expression => constant(lower.textOf(node))
export const switchedOff = (): Expression => off
/** Cannot carry an attack. */
export const harmless = (): Expression => fixed

/** The value of a part is the value of the whole. */
export const inner =
  <N>(at: string | 0 | -1 = 0): Row<N, Expression> =>
  (node, lower) =>
    lower.expression(typeof at === 'string' ? lower.field(node, at) : (lower.parts(node).at(at) ?? null))

export const member =
  <N>(owner: string, key: string): Row<N, Expression> =>
  (node, lower) => ({
    is: 'field',
    of: lower.expression(lower.field(node, owner)),
    key: lower.textOf(lower.field(node, key))
  })

/** Without the name of the index it is never known. */
export const element =
  <N>(owner: string, index?: string): Row<N, Expression> =>
  (node, lower) => {
    const key = index === undefined ? fixed : lower.expression(lower.field(node, index))
    return {
      is: 'field',
      of: lower.expression(lower.field(node, owner)),
      key: key.is === 'text' ? key.text : key
    }
  }

export const list =
  <N>(field?: string): Row<N, Expression> =>
  (node, lower) => ({ is: 'any', of: [fixed, ...lower.expressions(lower.parts(node, field))], isList: true })

export const eitherOf = <N>(node: N, lower: Lowering<N>): Expression => ({
  is: 'any',
  of: [lower.expression(lower.field(node, 'left')), lower.expression(lower.field(node, 'right'))]
})

/** `isAllowed(path) ? path : '/'` */
export const choice =
  <N>(test: string, then: string, otherwise: string): Row<N, Expression> =>
  (node, lower) => ({
    is: 'choice',
    test: lower.test(lower.field(node, test)),
    then: lower.expression(lower.field(node, then)),
    otherwise: lower.expression(lower.field(node, otherwise))
  })

export const negated =
  <N>(operand: string): Row<N, Expression> =>
  (node, lower) => ({ is: 'not', of: lower.test(lower.field(node, operand)) })

/** Whether both hold, or one of two: conditions of their own. */
export const bothOrOne =
  <N>(and: string): Row<N, Expression> =>
  (node, lower) => ({
    is: 'test',
    of: [lower.test(lower.field(node, 'left')), lower.test(lower.field(node, 'right'))],
    how: lower.operatorOf(node) === and ? 'and' : 'or'
  })

export function assigned<N>(node: N, lower: Lowering<N>): Expression {
  const operator = lower.operatorOf(node)
  const value = lower.expression(lower.field(node, 'right'))
  return {
    is: 'assigned',
    target: lower.target(lower.field(node, 'left')),
    // Arithmetic makes a number of a variable: `x -= y`.
    value: /^(?:[-*/%^]|\*\*|<<|>>)=$/.test(operator) ? { is: 'test', of: [value], how: 'other' } : value,
    adds: operator === '+=',
    line: lower.lineOf(node)
  }
}

/** `i++`: a number that is another one from here on. */
export const counted =
  <N>(operand: string | 0): Row<N, Expression> =>
  (node, lower) => {
    const at = operand === 0 ? (lower.parts(node)[0] ?? null) : lower.field(node, operand)
    const value: Expression = { is: 'test', of: [lower.expression(at)], how: 'other' }
    return { is: 'assigned', target: lower.target(at), value, adds: false, line: lower.lineOf(node) }
  }

/** A sum of texts, a comparison, or `&&` and `||`. */
export function binary<N>(node: N, lower: Lowering<N>): Expression {
  const operator = lower.operatorOf(node)
  if (operator === '+') return sum(node, lower)
  const of = [lower.expression(lower.field(node, 'left')), lower.expression(lower.field(node, 'right'))]
  const how = operator === '&&' ? 'and' : operator === '||' ? 'or' : comparison(operator)
  return { is: 'test', of, how, op: operator }
}

/** Without recursion: sums of thousands of terms nest as deep. */
export function sum<N>(node: N, lower: Lowering<N>): Expression {
  const kind = lower.kindOf(node)
  const bare = lower.bare ?? ((each: N): N => each)
  const parts: Expression[] = []
  const stack = [node]
  while (stack.length > 0) {
    const term = bare(stack.pop()!)
    if (lower.kindOf(term) === kind && lower.operatorOf(term) === '+') {
      stack.push(lower.field(term, 'right')!, lower.field(term, 'left')!)
    } else parts.push(lower.expression(term))
  }
  return { is: 'joined', parts, line: lower.lineOf(node) }
}

/** How a comparison is read: `equals` also for what says that nothing was found, as in `index < 0`. */
export function comparison(operator: string): 'equals' | 'differs' | 'other' {
  return /^(?:==|===|<|is)$/.test(operator)
    ? 'equals'
    : /^(?:!=|!==|>=?|is not)$/.test(operator)
      ? 'differs'
      : 'other'
}

/** A pattern that takes a value apart. */
export const partsOf = <N>(node: N, lower: Lowering<N>): Target => ({
  to: 'parts',
  parts: lower.parts(node).map((part) => [null, lower.target(part)] as const)
})
