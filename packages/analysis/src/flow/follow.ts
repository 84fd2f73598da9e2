import { assign, targeted } from './assignments.js'
import { Branches, type Code, type End } from './branches.js'
import { characterOf, fold, sumOf } from './constants.js'
import { anything, either, nothing, predictable, textFact, traced, type Fact } from './facts.js'
import {
  spelling,
  typePrefix,
  type Call,
  type Declared,
  type Expression,
  type Statement,
  type Target
} from './form.js'
import { parsedAddress } from './hosts.js'
import { kinds } from './kinds.js'
import { narrowAsserted } from './narrowing.js'
import { collect, fill, forgetSettings, keepSetter } from './objects.js'
import { factOfField, factOfName, factOfParameter, factOfRecord, madePath } from './origins.js'
import { emptySummary, Reports, type Summary } from './reports.js'
import { requestWrapper, resultOf, returnedWith, type ResultContext } from './results.js'
import { Scope } from './scope.js'
import { lastPart, type CompiledTables } from './tables.js'
import { methodsIn, typedPath } from './types-in-file.js'
import { declareAll, elementOf, extend } from './values.js'

/** Methods that hand the elements of what they are called on to a function. */
const callbackMethods =
  /^(?:forEach|map|flatMap|filter|find|some|every|reduce|then|for_each|and_then|ifPresent|each|subscribe|sort|tap|on|once)$/

/** Follows values through the code of one file, once over every statement. */
class Follower {
  readonly #tables: CompiledTables
  readonly #reports: Reports
  readonly #results: ResultContext
  readonly #code: Code
  readonly #branches: Branches
  readonly #summaries = new Map<Declared, Summary>()
  readonly #closures = new Map<Declared, Scope>()
  /** Methods by their class: `Repository.find`. */
  readonly #methods: ReadonlyMap<string, Declared>
  /** Names that this code gives to functions of its own, further down as well. */
  readonly #ownFunctions = new Set<string>()
  #answers: Declared['answers']

  constructor(tables: CompiledTables, reports: Reports, statements: readonly Statement[]) {
    this.#tables = tables
    this.#methods = new Map(methodsIn(statements))
    this.#reports = reports
    this.#code = {
      tables,
      reports,
      evaluate: this.#evaluate,
      run: (body, scope) => this.run(body, scope)
    }
    this.#branches = new Branches(this.#code)
    this.#results = {
      tables,
      join: (parts, line) => reports.join(parts, line),
      callOwn: (declared, args, path, line) => {
        const summary = this.#summaryOf(declared)
        const given = args.map((fact) => traced(fact, line))
        reports.checkArguments(summary, given)
        return returnedWith(summary.returned, given, path)
      }
    }
  }

  run(statements: readonly Statement[], scope: Scope): End {
    const declared = statements.flatMap((each) => (each.does === 'declare' ? [each.declared] : []))
    for (const each of statements) {
      if (each.does === 'set' && each.value.is === 'function' && each.target.to === 'name') {
        this.#ownFunctions.add(each.target.name)
      }
    }
    for (const each of declared) {
      this.#closures.set(each, scope)
      scope.declare(each.name, { ...nothing, path: each.name, declared: each })
    }
    let end: End = 'comes'
    for (const statement of statements) {
      const own = this.#step(statement, scope)
      if (end === 'comes') end = own
    }
    for (const each of declared) this.#summaryOf(each)
    return end
  }

  #step(statement: Statement, scope: Scope): End {
    switch (statement.does) {
      case 'set':
        this.#set(statement, scope)
        return 'comes'
      case 'run':
        this.#evaluate(statement.value, scope)
        narrowAsserted(statement.value, scope, this.#evaluate)
        return this.#neverReturns(statement.value, scope) ? 'leaves' : 'comes'
      case 'return':
        if (statement.value !== null) this.#return(this.#evaluate(statement.value, scope), statement.line)
        return 'leaves'
      case 'leave':
        if (statement.value !== null) this.#evaluate(statement.value, scope)
        return 'leaves'
      case 'jump':
        return 'jumps'
      case 'block':
        return this.#branches.block(statement.body, scope)
      case 'switch':
        return this.#branches.switch(statement, scope)
      case 'loop': {
        const over = statement.over === null ? nothing : this.#evaluate(statement.over, scope)
        const inner = new Scope(scope, 'loop')
        if (statement.element !== null) assign(statement.element, elementOf(over), inner, 0, this.#code)
        this.run(statement.body, inner)
        scope.merge([inner])
        return 'comes'
      }
      case 'if':
        return this.#branches.choose(statement, scope)
      case 'declare':
        return 'comes'
    }
  }

  #neverReturns(value: Expression, scope: Scope): boolean {
    if (value.is !== 'call' || spelling(value.callee) === '') return false
    return this.#tables.leaves.find(this.#evaluate(value.callee, scope).path).length > 0
  }

  #return(fact: Fact, line: number): void {
    const { current } = this.#reports
    current.returned = either(current.returned, traced(fact, line))
    this.#reports.checkSinks({ path: 'return', spelled: 'return', args: [fact], line })
    const isPage = this.#answers === 'page' || (this.#answers === 'text' && /<\w/.test(fact.text ?? ''))
    if (isPage && (fact.input & kinds.markup) !== 0 && fact.isJoined) {
      const isLikely = (fact.direct & kinds.markup) === 0
      this.#reports.add('markup', line, { isDoubtful: false, isLikely }, fact.trace)
    }
  }

  #set(
    { target, value, adds, line }: { target: Target; value: Expression; adds: boolean; line: number },
    scope: Scope
  ): Fact {
    const added = this.#evaluate(value, scope)
    const all = adds ? this.#reports.join([targeted(target, scope, this.#code), added], line) : added
    const fact = traced(all, line)
    assign(target, fact, scope, line, this.#code)
    return fact
  }

  readonly #evaluate = (expression: Expression, scope: Scope): Fact => {
    switch (expression.is) {
      case 'text':
        return textFact(expression.text)
      case 'fixed':
        return expression.value === undefined ? nothing : { ...nothing, value: expression.value }
      case 'name':
        return factOfName(expression.name, scope, this.#tables)
      case 'field':
        return this.#field(expression, scope)
      case 'call':
        return this.#call(expression, scope)
      case 'joined': {
        const parts = expression.parts.map((part) => this.#evaluate(part, scope))
        const value = sumOf(parts)
        return value === null ? this.#reports.join(parts, expression.line) : { ...nothing, value }
      }
      case 'any': {
        const fact = expression.of.map((each) => this.#evaluate(each, scope)).reduce(either, nothing)
        return expression.isList === true ? { ...fact, isObject: true } : fact
      }
      case 'choice':
        return this.#branches.choice(expression, scope)
      case 'record':
        return factOfRecord(
          expression.entries.map(([key, value]) => [key, this.#evaluate(value, scope)]),
          expression.type ?? ''
        )
      case 'not': {
        const { value } = this.#evaluate(expression.of, scope)
        return value === 'true' || value === 'false'
          ? { ...nothing, value: String(value === 'false') }
          : nothing
      }
      case 'test': {
        const facts = expression.of.map((each) => this.#evaluate(each, scope))
        const value = fold(expression.op, facts)
        if (value !== null) return { ...nothing, value }
        return expression.how === 'other' ? { ...nothing, ...predictable(facts) } : nothing
      }
      case 'assigned':
        return this.#set(expression, scope)
      case 'function':
        return this.#closure(expression.declared, scope)
      case 'unknown':
        return expression.of
          .map((each) => this.#evaluate(each, scope))
          .reduce((all, each) => either(all, { ...each, path: '', text: null }), anything)
    }
  }

  #field({ of, key }: Extract<Expression, { is: 'field' }>, scope: Scope): Fact {
    const owner = this.#evaluate(of, scope)
    const constant = typeof key === 'string' ? key : this.#evaluate(key, scope).value
    const character = characterOf(owner, constant)
    if (character !== null) return character
    if (typeof key !== 'string') return elementOf(owner)
    const name = spelling(of)
    const known = name === '' ? undefined : scope.get(`${name}.${key}`)
    return known ?? scope.narrowedField(`${name}.${key}`) ?? factOfField(owner, key, this.#tables)
  }

  #call(call: Call, scope: Scope): Fact {
    const { callee, line } = call
    if (callee.is === 'name' && callee.name.startsWith(typePrefix)) {
      const fact = this.#evaluate(call.args[0]!, scope)
      return fact.path === requestWrapper
        ? fact
        : { ...fact, path: typedPath(callee.name.slice(typePrefix.length), fact) }
    }
    const on = callee.is === 'field' ? this.#evaluate(callee.of, scope) : nothing
    const { path, declared } = this.#callee(callee, on, scope)
    const args = call.args.map((each) => this.#argument(each, on, path, scope))
    const named: Record<string, Fact> = {}
    for (const key in call.named) named[key] = this.#evaluate(call.named[key]!, scope)
    const isOwn = callee.is === 'name' && (declared !== null || this.#ownFunctions.has(callee.name))
    const use = { path, spelled: spelling(callee), args, named, line, on, isOwn }
    this.#reports.checkSinks(use)
    if (!isOwn) this.#reports.checkApis({ ...use, path: madePath(callee, path, scope) })
    forgetSettings(call, scope)
    keepSetter(call, args, scope)
    collect(call, { path, args }, scope, this.#results.join)
    fill(call, { path, args, on }, scope, this.#tables)
    const result = resultOf(
      { call, on, path, declared, args: [...args, ...Object.values(named)] },
      this.#results
    )
    const parsedFrom = parsedAddress(path, call.args)
    return parsedFrom === '' ? result : { ...result, parsedFrom }
  }

  /** What is called. A method of this class or a function kept in a field may be meant. */
  #callee(callee: Expression, on: Fact, scope: Scope): Pick<Fact, 'path' | 'declared'> {
    if (callee.is !== 'field' || typeof callee.key !== 'string') return this.#evaluate(callee, scope)
    const { of, key } = callee
    const known = scope.get(`${spelling(of)}.${key}`) ?? on.entries?.get(key)
    const owner = /^(?:new:)?(\w+)(?:\(\))?$/.exec(on.path)?.[1]
    const declared = known?.declared ?? this.#methods.get(`${owner}.${key}`) ?? null
    return { path: extend(on.path, key), declared }
  }

  #argument(expression: Expression, on: Fact, path: string, scope: Scope): Fact {
    return expression.is === 'function' && on.input !== 0 && callbackMethods.test(lastPart(path))
      ? this.#closure(expression.declared, scope, elementOf(on))
      : this.#evaluate(expression, scope)
  }

  /** @param first what its first parameter is given, where that is known. */
  #closure(declared: Declared, scope: Scope, first?: Fact): Fact {
    this.#closures.set(declared, scope)
    this.#summaryOf(declared, first)
    return { ...nothing, declared }
  }

  #summaryOf(declared: Declared, first?: Fact): Summary {
    const known = this.#summaries.get(declared)
    if (known !== undefined) return known
    const summary = emptySummary(this.#reports.current)
    this.#summaries.set(declared, summary)
    const outer = this.#closures.get(declared) ?? null
    const scope = new Scope(outer, 'function')
    const [before, answered] = [this.#reports.current, this.#answers]
    this.#reports.current = summary
    this.#answers = declared.answers
    for (const [index, parameter] of declared.parameters.entries()) {
      const fact = factOfParameter(parameter, index, index === 0 ? first : undefined)
      assign(declareAll(parameter.target), fact, scope, 0, this.#code)
    }
    this.run(declared.body, scope)
    outer?.mergeFunction(scope)
    this.#reports.current = before
    this.#answers = answered
    return summary
  }
}

/** Finds every place where a value does harm that should not have come there, and every call that is a finding by itself. */
export function followFlow(
  statements: readonly Statement[],
  tables: CompiledTables,
  lines: readonly string[]
): Pick<Reports, 'hits' | 'apiHits'> {
  const reports = new Reports(tables, lines)
  new Follower(tables, reports, statements).run(statements, new Scope(null))
  reports.addUnrun()
  return reports
}
