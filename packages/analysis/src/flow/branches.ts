import { alwaysOf, caseOf, isComputed } from './constants.js'
import { either, isFixed, type Fact } from './facts.js'
import { spelling, type Case, type Expression, type Statement } from './form.js'
import { everyKind } from './kinds.js'
import { decide, narrowAll, type Decision } from './narrowing.js'
import type { Reports } from './reports.js'
import { Scope } from './scope.js'
import type { CompiledTables } from './tables.js'

/** How statements end: they come to their end, go on elsewhere in the function, or never go on. */
export type End = 'comes' | 'jumps' | 'leaves'

/** What follows the parts of a branch. */
export interface Code {
  readonly tables: CompiledTables
  readonly reports: Reports
  readonly evaluate: (expression: Expression, scope: Scope) => Fact
  readonly run: (statements: readonly Statement[], scope: Scope) => End
}

/** A case that goes on for longer is a list of labels. */
const maxFallThrough = 8

/** Follows values where a condition or a constant decides which code runs. */
export class Branches {
  readonly #code: Code

  constructor(code: Code) {
    this.#code = code
  }

  #decide(test: Expression, scope: Scope): Decision {
    const always = alwaysOf(test, this.#code.evaluate(test, scope), scope)
    return decide(test, scope, {
      always,
      tables: this.#code.tables.tables,
      evaluate: this.#code.evaluate,
      factOf: (part) => this.#code.reports.withoutNew(() => this.#code.evaluate(part, scope))
    })
  }

  /** `isAllowed(path) ? path : '/'` */
  choice({ test, then, otherwise }: Extract<Expression, { is: 'choice' }>, scope: Scope): Fact {
    const { one, two, always } = this.#decide(test, scope)
    if (always !== null) return this.#code.evaluate(always ? then : otherwise, scope)
    const fact = either(this.#code.evaluate(then, one), this.#code.evaluate(otherwise, two))
    scope.merge([one, two])
    return fact
  }

  choose({ test, then, otherwise }: Extract<Statement, { does: 'if' }>, scope: Scope): End {
    const { whenTrue, whenFalse, one, two, always } = this.#decide(test, scope)
    if (always !== null) return this.block(always ? then : otherwise, scope)
    const endOne = this.#code.run(then, one)
    const endTwo = this.#code.run(otherwise, two)
    if ((endOne === 'leaves') !== (endTwo === 'leaves')) scope.absorb(endOne === 'leaves' ? two : one)
    else scope.merge([endOne === 'leaves' ? null : one, endTwo === 'leaves' ? null : two])
    if (endOne !== 'comes' && endTwo === 'comes') narrowAll(whenFalse, scope, this.#code.evaluate)
    if (endTwo !== 'comes' && endOne === 'comes') narrowAll(whenTrue, scope, this.#code.evaluate)
    return endOne === 'comes' || endTwo === 'comes' ? 'comes' : endOne === 'leaves' ? endTwo : endOne
  }

  /** It certainly runs; its own names end with it. */
  block(body: readonly Statement[], scope: Scope): End {
    const inner = new Scope(scope)
    const end = this.#code.run(body, inner)
    scope.merge([inner, inner])
    return end
  }

  switch({ on, cases }: Extract<Statement, { does: 'switch' }>, scope: Scope): End {
    const subject = this.#code.evaluate(on, scope)
    const tests = cases.map((each) => each.tests?.map((test) => this.#code.evaluate(test, scope)) ?? null)
    const always = isComputed(on, scope) ? caseOf(subject, tests) : null
    const ends: End[] = []
    const branches = cases.flatMap((_case, at) => {
      if (always !== null && always !== at) return []
      const branch = new Scope(scope)
      if (tests[at]?.every(isFixed) === true && spelling(on) !== '') {
        narrowAll([[spelling(on), everyKind]], branch, this.#code.evaluate)
      }
      ends.push(this.#case(cases, at, branch))
      return ends.at(-1) === 'leaves' ? [null] : [branch]
    })
    const isWhole = always !== null || tests.includes(null)
    scope.merge(isWhole ? [...branches, ...branches.slice(0, 1)] : [...branches, new Scope(scope)])
    return isWhole && ends.length > 0 && ends.every((end) => end === 'leaves') ? 'leaves' : 'comes'
  }

  #case(cases: readonly Case[], at: number, branch: Scope): End {
    let end: End = 'comes'
    for (const { body, fallsThrough } of cases.slice(at, at + maxFallThrough)) {
      end = this.#code.run(body, branch)
      if (end !== 'comes' || !fallsThrough) break
    }
    return end
  }
}
