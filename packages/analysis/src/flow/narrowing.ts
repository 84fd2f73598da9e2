import { without, type Fact } from './facts.js'
import { named, spelling, type Expression } from './form.js'
import { askedNames, guardOf, type Guard } from './guards.js'
import { everyKind } from './kinds.js'
import { Scope } from './scope.js'
import { lastPart, type Tables } from './tables.js'

type Evaluate = (expression: Expression, scope: Scope) => Fact

/** What a condition says about names, and scopes for what runs when it holds and when it does not. */
export interface Decision extends Guard {
  readonly one: Scope
  readonly two: Scope
  /** What the condition always is, where the code shows it. */
  readonly always: boolean | null
}

/** `factOf` gives the value of a part of the condition, which was evaluated already. */
export function decide(
  test: Expression,
  scope: Scope,
  {
    tables,
    evaluate,
    factOf,
    always
  }: {
    tables: Tables
    evaluate: Evaluate
    factOf: (part: Expression) => Fact
    always: boolean | null
  }
): Decision {
  for (const name of askedNames(test)) doubt(name, scope, evaluate)
  const { whenTrue, whenFalse } = guardOf(test, { tables, factOf })
  const [one, two] = [new Scope(scope), new Scope(scope)]
  narrowAll(whenTrue, one, evaluate)
  narrowAll(whenFalse, two, evaluate)
  return { whenTrue, whenFalse, one, two, always }
}

export function narrowAll(names: Guard['whenTrue'], scope: Scope, evaluate: Evaluate): void {
  for (const [name, bits] of names) {
    if (!name.includes('.') || scope.get(name) !== undefined) scope.narrow(name, bits)
    else scope.narrowField(name, without(evaluate(fieldOf(name), scope), bits))
  }
}

/** `assertSafe(path)` as a statement throws when it is not. */
export function narrowAsserted(value: Expression, scope: Scope, evaluate: Evaluate): void {
  if (value.is !== 'call') return
  const method = lastPart(spelling(value.callee))
  if (!/^_?(?:assert|validate|ensure|check|verify|require)[A-Z_]/.test(method)) return
  const names = value.args.map(spelling).filter((name) => name !== '')
  narrowAll(
    names.map((name) => [name, everyKind] as const),
    scope,
    evaluate
  )
}

/** A condition calls a function with the value: whether that is a check, only its author knows. */
function doubt(name: string, scope: Scope, evaluate: Evaluate): void {
  const known = scope.get(name)
  if (known !== undefined) {
    if (known.direct !== 0) scope.assign(name, { ...known, direct: 0 })
    return
  }
  if (!name.includes('.')) return
  const fact = evaluate(fieldOf(name), scope)
  if (fact.direct !== 0) scope.narrowField(name, { ...fact, direct: 0 })
}

/** The expression that is spelled so: `req.query.next`. */
function fieldOf(name: string): Expression {
  const [root, ...keys] = name.split('.')
  return keys.reduce<Expression>((of, key) => ({ is: 'field', of, key }), named(root!))
}
