import { expectsValue, looksLikeSql } from '../text/sql-text.js'
import { holdsAll, type ApiRule } from './apis.js'
import {
  anything,
  either,
  inputFact,
  isFixed,
  join,
  nothing,
  openBits,
  parameterFact,
  textFact,
  without,
  type Built,
  type Fact
} from './facts.js'
import {
  named,
  spelling,
  typePrefix,
  type Call,
  type Declared,
  type Expression,
  type Statement,
  type Target
} from './form.js'
import { askedNames, guardOf, type Guard } from './guards.js'
import { bitsOf, everyKind, kinds, type Kind } from './kinds.js'
import { elementAt, keepElement } from './collections.js'
import { Scope } from './scope.js'
import { argumentsOf, hasOption, isGiven, isHarmful, isProven } from './sinks.js'
import { bitOf, lastPart, type CompiledTables, type Named, type Sink } from './tables.js'
import { declareAll, elementOf, extend, openKinds } from './values.js'

export interface FlowHit {
  readonly kind: Kind
  readonly line: number
  /** Whether there is harm in it, only its author can tell. */
  readonly isDoubtful: boolean
  /** Nothing in the code proves that a client chose the value. */
  readonly isLikely: boolean
}

export interface ApiHit {
  readonly rule: ApiRule
  readonly line: number
}

interface CallFacts {
  /** What a method is called on. */
  readonly on?: Fact
  /** A function of this code is called: what it does with its arguments is known from its own lines. */
  readonly isOwn?: boolean
  /** A copy of one level can change the prototype of the copy only. */
  readonly isCopy?: boolean | undefined
}

/** Functions that give a function of another kind for one they are given; what it does stays the same. */
const sameFunction = /^(?:promisify|callbackify|partial|memoize|debounce|throttle)$/

/** Functions that compile a pattern from a text. */
const compiles =
  /(?:^|\.)(?:re\.compile|regexp\.(?:MustCompile|Compile)|Pattern\.compile|Regex\.new)$|^new:RegExp$/

/** How a class that is made an object of is spelled. */
const newPrefix = 'new:'
const noSettings: ReadonlyMap<string, Fact> = new Map()

/** An own function that is called `exec` or `query` hands on what it is given. */
const actsByName: ReadonlySet<Kind> = new Set(['shell', 'sql'])

/** What a call of a local function does with its arguments. */
interface Summary {
  returned: Fact
  /** By what tells them apart: a function may reach a sink on many ways. */
  readonly sinks: Map<
    string,
    {
      readonly parameter: number
      readonly kind: Kind
      readonly line: number
      readonly doubt: Doubt
    }
  >
}

type Doubt = Pick<FlowHit, 'isDoubtful' | 'isLikely'>

const certain: Doubt = { isDoubtful: false, isLikely: false }

/** More sinks than this behind one function are not told apart by its callers. */
const maxSinks = 50

/** How statements end: they come to their end, go on elsewhere in the function, or never go on. */
type End = 'comes' | 'jumps' | 'leaves'

/** Methods that hand the elements of what they are called on to a function. */
const callbackMethods =
  /^(?:forEach|map|flatMap|filter|find|some|every|reduce|then|for_each|and_then|ifPresent|each|subscribe|sort|tap|on|once)$/
/** Methods whose arguments say which part of a value is meant. */
const cuts = /^(?:slice|substring|substr|at|repeat)$/
/** What tells how much there is of something, or whether. */
const countFields = /^(?:length|byteLength|pid|ppid)$/
/** A function of unknown origin that answers from somewhere else than its arguments. */
const looksUp =
  /^(?:get|find|load|fetch|read|lookup|query|select|create|save|insert|is|has|can|count|num|len|size|hash|compare|generate|render)(?:[A-Z_]|$)/
/** A method of an unknown object that makes something of its arguments. */
const makes =
  /^(?:do|process|transform|convert|format|build|make|render|wrap|normali[sz]e|prepare|decode|to|with|compose|decorate|expand|prefix|apply|parse|generate|interpolate)(?:[A-Z_]|$)/

/** Follows values through the code of one file, once over every statement. */
class Follower {
  readonly hits: FlowHit[] = []
  readonly apiHits: ApiHit[] = []
  readonly #tables: CompiledTables
  readonly #summaries = new Map<Declared, Summary>()
  readonly #closures = new Map<Declared, Scope>()
  /** Names that this code gives to functions of its own, further down as well. */
  readonly #ownFunctions = new Set<string>()
  readonly #built: Built[] = []
  /** Functions whose answer is no page. */
  readonly #typed = new WeakSet<Summary>()
  #current: Summary = { returned: nothing, sinks: new Map() }
  #answers: Declared['answers']

  readonly #lines: readonly string[]

  constructor(tables: CompiledTables, lines: readonly string[]) {
    this.#tables = tables
    this.#lines = lines
  }

  follow(statements: readonly Statement[]): Followed {
    this.#run(statements, new Scope(null))
    // Names cannot be parameters, and code that only puts a statement together may have quoted them.
    for (const { line, isReported, holdsValue } of this.#built) {
      if (!isReported && holdsValue) this.#report('sql', line, { isDoubtful: false, isLikely: true })
    }
    return { hits: this.hits, apiHits: this.apiHits }
  }

  #report(kind: Kind, line: number, doubt: Doubt): void {
    this.hits.push({ kind, line, ...doubt })
  }

  #run(statements: readonly Statement[], scope: Scope): End {
    const declared = statements.flatMap((each) => (each.does === 'declare' ? [each.declared] : []))
    for (const each of statements) {
      if (each.does === 'set' && each.value.is === 'function' && each.target.to === 'name') {
        this.#ownFunctions.add(each.target.name)
      }
    }
    for (const each of declared) this.#declare(each, scope)
    let end: End = 'comes'
    for (const statement of statements) {
      const own = this.#step(statement, scope)
      if (end === 'comes') end = own
    }
    for (const each of declared) this.#summaryOf(each)
    return end
  }

  #declare(declared: Declared, scope: Scope): void {
    this.#closures.set(declared, scope)
    scope.declare(declared.name, { ...nothing, path: declared.name, declared })
  }

  #step(statement: Statement, scope: Scope): End {
    switch (statement.does) {
      case 'set':
        this.#assign(statement.target, this.#added(statement, scope), scope, statement.line)
        return 'comes'
      case 'run':
        this.#evaluate(statement.value, scope)
        this.#narrowAsserted(statement.value, scope)
        return 'comes'
      case 'return':
        if (statement.value !== null) this.#return(this.#evaluate(statement.value, scope), statement.line)
        return 'leaves'
      case 'leave':
        if (statement.value !== null) this.#evaluate(statement.value, scope)
        return 'leaves'
      case 'jump':
        return 'jumps'
      case 'block':
        return this.#branch(statement.body, scope)
      case 'loop': {
        const over = statement.over === null ? nothing : this.#evaluate(statement.over, scope)
        const inner = new Scope(scope)
        if (statement.element !== null) this.#assign(statement.element, elementOf(over), inner, 0)
        this.#run(statement.body, inner)
        scope.merge([inner])
        return 'comes'
      }
      case 'if':
        return this.#choose(statement, scope)
      case 'declare':
        return 'comes'
    }
  }

  #added(
    { target, value, adds, line }: { target: Target; value: Expression; adds: boolean; line: number },
    scope: Scope
  ): Fact {
    const fact = this.#evaluate(value, scope)
    if (!adds) return fact
    const before =
      target.to === 'name'
        ? (scope.get(target.name) ?? nothing)
        : target.to === 'field'
          ? this.#evaluate({ is: 'field', of: target.of, key: target.key }, scope)
          : nothing
    return this.#join([before, fact], line)
  }

  /** A block that certainly runs; its own names end with it. */
  #branch(body: readonly Statement[], scope: Scope): End {
    const inner = new Scope(scope)
    const end = this.#run(body, inner)
    scope.merge([inner, inner])
    return end
  }

  /** Scopes for what runs when a condition holds and when it does not. */
  #decide(test: Expression, scope: Scope): Guard & { readonly one: Scope; readonly two: Scope } {
    this.#evaluate(test, scope)
    for (const name of askedNames(test)) this.#doubt(name, scope)
    const { whenTrue, whenFalse } = guardOf(test, {
      tables: this.#tables.tables,
      factOf: (each) => this.#lookAt(each, scope)
    })
    const [one, two] = [new Scope(scope), new Scope(scope)]
    for (const [name, bits] of whenTrue) this.#narrow(name, bits, one)
    for (const [name, bits] of whenFalse) this.#narrow(name, bits, two)
    return { whenTrue, whenFalse, one, two }
  }

  /** `isAllowed(path) ? path : '/'` */
  #choice({ test, then, otherwise }: Extract<Expression, { is: 'choice' }>, scope: Scope): Fact {
    const { one, two } = this.#decide(test, scope)
    const fact = either(this.#evaluate(then, one), this.#evaluate(otherwise, two))
    scope.merge([one, two])
    return fact
  }

  #choose({ test, then, otherwise }: Extract<Statement, { does: 'if' }>, scope: Scope): End {
    const { whenTrue, whenFalse, one, two } = this.#decide(test, scope)
    const endOne = this.#run(then, one)
    const endTwo = this.#run(otherwise, two)
    scope.merge([endOne === 'leaves' ? null : one, endTwo === 'leaves' ? null : two])
    if (endOne !== 'comes' && endTwo === 'comes') {
      for (const [name, bits] of whenFalse) this.#narrow(name, bits, scope)
    }
    if (endTwo !== 'comes' && endOne === 'comes') {
      for (const [name, bits] of whenTrue) this.#narrow(name, bits, scope)
    }
    return endOne === 'comes' || endTwo === 'comes' ? 'comes' : endOne === 'leaves' ? endTwo : endOne
  }

  /** The value of an expression that was evaluated already: what it finds was reported. */
  #lookAt(expression: Expression, scope: Scope): Fact {
    const [hits, apiHits, built] = [this.hits.length, this.apiHits.length, this.#built.length]
    const fact = this.#evaluate(expression, scope)
    this.hits.length = hits
    this.apiHits.length = apiHits
    this.#built.length = built
    return fact
  }

  #narrow(name: string, bits: number, scope: Scope): void {
    if (!name.includes('.') || scope.get(name) !== undefined) {
      scope.narrow(name, bits)
      return
    }
    scope.narrowField(name, without(this.#evaluate(fieldOf(name), scope), bits))
  }

  /** A condition calls a function with the value: whether that is a check, only its author knows. */
  #doubt(name: string, scope: Scope): void {
    const known = scope.get(name)
    if (known !== undefined) {
      if (known.direct !== 0) scope.assign(name, { ...known, direct: 0 })
      return
    }
    if (!name.includes('.')) return
    const fact = this.#evaluate(fieldOf(name), scope)
    if (fact.direct !== 0) scope.narrowField(name, { ...fact, direct: 0 })
  }

  /** `assertSafe(path)` as a statement throws when it is not. */
  #narrowAsserted(value: Expression, scope: Scope): void {
    if (value.is !== 'call') return
    const method = lastPart(spelling(value.callee))
    if (!/^_?(?:assert|validate|ensure|check|verify|require)[A-Z_]/.test(method)) return
    for (const name of value.args.map(spelling)) if (name !== '') this.#narrow(name, everyKind, scope)
  }

  #return(fact: Fact, line: number): void {
    this.#current.returned = either(this.#current.returned, fact)
    const isPage = this.#answers === 'page' || (this.#answers === 'text' && /<\w/.test(fact.text ?? ''))
    if (isPage && (fact.input & kinds.markup) !== 0 && fact.isJoined) {
      this.#report('markup', line, { isDoubtful: false, isLikely: (fact.direct & kinds.markup) === 0 })
    }
  }

  #assign(target: Target, fact: Fact, scope: Scope, line: number): void {
    switch (target.to) {
      case 'name':
        this.#checkApis(`${target.name}=`, target.name, [fact], {}, line)
        // A name without a known origin is known by itself: `db` says what it is.
        if (target.isNew === true) scope.declare(target.name, fact)
        else scope.assign(target.name, fact)
        return
      case 'parts':
        for (const [key, part] of target.parts) {
          this.#assign(part, key === null ? elementOf(fact) : this.#fieldOf(fact, key), scope, line)
        }
        return
      case 'field':
        this.#assignField(target, fact, scope, line)
    }
  }

  #assignField(
    { of, key, isCopy }: Extract<Target, { to: 'field' }>,
    fact: Fact,
    scope: Scope,
    line: number
  ): void {
    const owner = this.#evaluate(of, scope)
    const name = spelling(of)
    if (typeof key !== 'string') {
      const keyFact = this.#evaluate(key, scope)
      this.#checkSinks(`${owner.path}.[]=`, name, [keyFact, fact, owner], {}, line, { isCopy })
    } else {
      this.#checkSinks(`${owner.path}.${key}=`, `${name}.${key}`, [fact], {}, line)
      this.#checkApis(`${owner.path}.${key}=`, `${name}.${key}`, [fact], {}, line)
      if (name !== '') scope.assign(`${name}.${key}`, fact)
      this.#keepSetting(of, key, fact, scope)
    }
    const before = name === '' ? undefined : scope.get(name)
    // What is put into a collection is part of it. A function with fields is a namespace.
    if (before !== undefined && before.declared === null && !isFixed(fact)) {
      scope.assign(name, { ...either(before, { ...fact, path: '', text: null, built: null }), entries: null })
    }
  }

  #evaluate(expression: Expression, scope: Scope): Fact {
    switch (expression.is) {
      case 'text':
        return textFact(expression.text)
      case 'fixed':
        return expression.value === undefined ? nothing : { ...nothing, value: expression.value }
      case 'name':
        return this.#nameOf(expression.name, scope)
      case 'field':
        return this.#field(expression, scope)
      case 'call':
        return this.#call(expression, scope)
      case 'joined':
        return this.#join(
          expression.parts.map((part) => this.#evaluate(part, scope)),
          expression.line
        )
      case 'any':
        return expression.of.map((each) => this.#evaluate(each, scope)).reduce(either, nothing)
      case 'choice':
        return this.#choice(expression, scope)
      case 'record':
        return this.#record(expression, scope)
      case 'not':
        this.#evaluate(expression.of, scope)
        return nothing
      case 'test':
        for (const each of expression.of) this.#evaluate(each, scope)
        return nothing
      case 'assigned': {
        const fact = this.#added(expression, scope)
        this.#assign(expression.target, fact, scope, expression.line)
        return fact
      }
      case 'function':
        this.#closures.set(expression.declared, scope)
        this.#summaryOf(expression.declared)
        return { ...nothing, declared: expression.declared }
      case 'unknown':
        return expression.of
          .map((each) => this.#evaluate(each, scope))
          .reduce((all, each) => either(all, { ...each, path: '', text: null }), anything)
    }
  }

  #nameOf(name: string, scope: Scope): Fact {
    const known = scope.get(name)
    if (known !== undefined) {
      return known.path === '' && known.text === null && !known.isJoined ? { ...known, path: name } : known
    }
    if (this.#tables.tables.fixedNames.test(name)) return { ...nothing, path: name }
    const { bits, direct } = this.#tables.originOf(name)
    return bits === 0 ? { ...anything, path: name, unknown: openKinds(name) } : inputFact(name, bits, direct)
  }

  #field({ of, key }: Extract<Expression, { is: 'field' }>, scope: Scope): Fact {
    const owner = this.#evaluate(of, scope)
    if (typeof key !== 'string') {
      this.#evaluate(key, scope)
      return elementOf(owner)
    }
    const name = spelling(of)
    const known = name === '' ? undefined : scope.get(`${name}.${key}`)
    return known ?? scope.narrowedField(`${name}.${key}`) ?? this.#fieldOf(owner, key)
  }

  #fieldOf(owner: Fact, key: string): Fact {
    const entry = owner.entries?.get(key)
    if (entry !== undefined) return entry
    if (countFields.test(key)) return { ...nothing, path: extend(owner.path, key) }
    const path = extend(owner.path, key)
    const { cleanFields, fixedNames, fixedPaths } = this.#tables.tables
    const cleaned = bitsOf(cleanFields?.find((each) => each.path.test(path))?.kinds ?? [])
    if (fixedPaths?.test(path) === true) return { ...nothing, path }
    const { bits, direct } = this.#tables.originOf(path)
    if (bits !== 0) return without(inputFact(path, bits, direct), cleaned)
    if (fixedNames.test(key)) return { ...nothing, path }
    if (owner.input !== 0) {
      const { input, unknown, parameters } = owner
      return without({ ...nothing, path, input, direct: owner.direct, unknown, parameters }, cleaned)
    }
    // A field of a value that was made here from fixed parts is fixed as well, and so is a piece of a match.
    if (isFixed(owner) && (owner.entries !== null || /^\d+$/.test(key))) return { ...nothing, path }
    return without({ ...nothing, path, unknown: openKinds(path), parameters: owner.parameters }, cleaned)
  }

  #record({ entries, type = '' }: Extract<Expression, { is: 'record' }>, scope: Scope): Fact {
    const known = new Map<string, Fact>()
    let all: Fact = nothing
    for (const [key, value] of entries) {
      const fact = this.#evaluate(value, scope)
      if (key !== null) known.set(key, fact)
      all = either(all, { ...fact, path: '', text: null, built: null, declared: null, isJoined: false })
    }
    const isWhole = entries.every(([key]) => key !== null)
    return { ...all, path: type, value: null, entries: known, settings: isWhole ? known : null }
  }

  #join(given: readonly Fact[], line: number): Fact {
    const all = given.length === 2 ? filledIn(given) : given
    // A name in quotes is meant as one: honest code builds statements so. A client's value in it is still
    // found.
    const parts = all.map((part, index) =>
      part.input === 0 &&
      isBetweenQuotes(all[index - 1]?.text, all[index + 1]?.text) &&
      !expectsValue(all[index - 1]?.text ?? '')
        ? without(part, kinds.sql)
        : part
    )
    const joined = join(parts)
    if (
      isFixed(joined) ||
      ((joined.input | openBits(joined)) & kinds.sql) === 0 ||
      !looksLikeSql(joined.text ?? '')
    ) {
      return joined
    }
    const built = joined.built ?? { line, isReported: false, holdsValue: false }
    if (built !== joined.built) this.#built.push(built)
    built.holdsValue ||= takesValue(parts)
    return { ...joined, built }
  }

  #call(call: Call, scope: Scope): Fact {
    const { callee } = call
    if (callee.is === 'name' && callee.name.startsWith(typePrefix)) {
      return { ...this.#evaluate(call.args[0]!, scope), path: callee.name.slice(typePrefix.length) }
    }
    const on = callee.is === 'field' ? this.#evaluate(callee.of, scope) : nothing
    const target =
      callee.is === 'field' && typeof callee.key === 'string'
        ? this.#calledField(callee, on, scope)
        : this.#evaluate(callee, scope)
    const path = target.path
    const args = call.args.map((each) => this.#argument(each, on, path, scope))
    const named: Record<string, Fact> = {}
    for (const key in call.named) named[key] = this.#evaluate(call.named[key]!, scope)
    const isOwn = callee.is === 'name' && (target.declared !== null || this.#ownFunctions.has(callee.name))
    this.#checkSinks(path, spelling(callee), args, named, call.line, { on, isOwn })
    if (!isOwn) this.#checkApis(this.#madePath(callee, path, scope), spelling(callee), args, named, call.line)
    this.#forgetSettings(call, scope)
    if (callee.is === 'field' && typeof callee.key === 'string' && args.length === 1) {
      const setting = /^set([A-Z]\w*)$/.exec(callee.key)?.[1]
      if (setting !== undefined) {
        this.#keepSetting(callee.of, setting[0]!.toLowerCase() + setting.slice(1), args[0]!, scope)
      }
    }
    this.#collect(callee, path, args, scope)
    return this.#resultOf(call, {
      on,
      path,
      declared: target.declared,
      args: [...args, ...Object.values(named)]
    })
  }

  /** `new Renamed()` by the name that the class has where it comes from. */
  #madePath(callee: Expression, path: string, scope: Scope): string {
    if (callee.is !== 'name' || !callee.name.startsWith(newPrefix)) return path
    const made = scope.get(callee.name.slice(newPrefix.length))
    return made === undefined || made.path === '' ? path : newPrefix + made.path
  }

  #checkApis(
    path: string,
    spelled: string,
    args: readonly Fact[],
    named: Readonly<Record<string, Fact>>,
    line: number
  ): void {
    for (const { rule, ...use } of this.#tables.apis.find(path)) {
      if (use.on !== undefined && !use.on.test(path) && !use.on.test(spelled)) continue
      if (use.unlessLine?.test(this.#lines[line - 1] ?? '') === true) continue
      if (holdsAll(use, args, named)) this.apiHits.push({ rule, line })
    }
  }

  #keepSetting(owner: Expression, key: string, fact: Fact, scope: Scope): void {
    const name = spelling(owner)
    const before = name === '' ? undefined : scope.get(name)
    if (before?.settings == null) return
    scope.assign(name, { ...before, settings: new Map([...before.settings, [key, fact]]) })
  }

  /** A function that is given an object may set more on it. */
  #forgetSettings({ args }: Call, scope: Scope): void {
    for (const each of args) {
      const name = spelling(each)
      const before = name === '' ? undefined : scope.get(name)
      if (before?.settings != null) scope.assign(name, { ...before, settings: null })
    }
  }

  /** What is called, where a method of this class or a function kept in a field is meant. */
  #calledField(callee: Extract<Expression, { is: 'field' }>, on: Fact, scope: Scope): Fact {
    const key = callee.key as string
    const known = scope.get(`${spelling(callee.of)}.${key}`) ?? on.entries?.get(key)
    return { ...nothing, path: extend(on.path, key), declared: known?.declared ?? null }
  }

  #argument(expression: Expression, on: Fact, path: string, scope: Scope): Fact {
    if (expression.is !== 'function' || on.input === 0 || !callbackMethods.test(lastPart(path))) {
      return this.#evaluate(expression, scope)
    }
    this.#closures.set(expression.declared, scope)
    this.#summaryOf(expression.declared, elementOf(on))
    return { ...nothing, declared: expression.declared }
  }

  /** `list.push(value)`, `builder.append(value)`: the value is part of what it was added to. */
  #collect(callee: Expression, path: string, args: readonly Fact[], scope: Scope): void {
    if (
      callee.is !== 'field' ||
      !/^(?:push|unshift|append|add|put|set|insert|push_str|WriteString|addAll|extend|update|write|Add|Set|putAll|concat|remove)$/.test(
        lastPart(path)
      )
    ) {
      return
    }
    const name = spelling(callee.of)
    const before = name === '' ? undefined : scope.get(name)
    if (before === undefined || before.declared !== null) return
    const isText = /^(?:append|push_str|WriteString|concat|write)$/.test(lastPart(path))
    const kept = keepElement(before, lastPart(path), args)
    if (kept !== null) {
      scope.assign(name, kept)
      return
    }
    // What a library made may have a method of this name that does something else.
    if (!isText && before.path.includes('.')) return
    const added = isText ? this.#join([before, ...args], 0) : args.reduce(either, nothing)
    if (isText) scope.assign(name, { ...added, path: before.path })
    else if (!isFixed(added)) {
      scope.assign(name, {
        ...either(before, { ...added, path: '', text: null, built: null, isJoined: false }),
        entries: null
      })
    }
  }

  #resultOf(
    call: Call,
    { on, path, declared, args }: { on: Fact; path: string; declared: Declared | null; args: readonly Fact[] }
  ): Fact {
    const callPath = extend(path, '()', '')
    const { bits, direct } = this.#tables.originOf(callPath)
    if (bits !== 0) {
      const asked = `${callPath}.${args[0]?.text ?? ''}`
      const { cleanFields } = this.#tables.tables
      const cleaned = cleanFields?.find((each) => each.path.test(asked))?.kinds ?? []
      return without(inputFact(callPath, bits, direct), bitsOf(cleaned))
    }
    const isMadeHere = call.callee.is === 'name' && call.callee.name.startsWith(newPrefix)
    const plain = { ...nothing, path: callPath, settings: isMadeHere ? noSettings : null }
    if (compiles.test(path)) return { ...plain, text: args[0]?.text ?? null }
    if (sameFunction.test(lastPart(path)) && args[0] !== undefined && args[0].path !== '') return args[0]
    const cleaner = this.#tables.cleaners
      .find(path)
      .find(({ given }) => given === undefined || isGiven(given, args, {}))
    if (cleaner !== undefined) {
      const all = args.reduce(either, isMethod(cleaner.pattern) ? on : nothing)
      return {
        ...without({ ...all, path: callPath, text: null, built: null }, bitsOf(cleaner.kinds)),
        entries: null,
        declared: null
      }
    }
    const called = call.callee.is === 'name' ? spelling(call.callee) : lastPart(path)
    if ([called, lastPart(path)].some((name) => this.#tables.tables.cleanNames.test(name))) return plain
    if (declared !== null) return this.#callLocal(declared, args, callPath)
    const mapped = /^(?:map|flatMap)$/.test(lastPart(path)) ? args[0]?.declared : undefined
    if (mapped != null) {
      return {
        ...this.#callLocal(mapped, [elementOf(on), nothing, on], callPath),
        path: callPath,
        declared: null
      }
    }
    const carriers = this.#tables.carriers.find(path)
    // `path.join` is given all of its text, `list.join` has it.
    const carrier = carriers.find(({ pattern }) => !isMethod(pattern)) ?? carriers[0]
    // What is looked up comes from the collection; its key only says which.
    const isLookup = /^(?:get|getOrDefault|getlist|Get|get_or_insert)$/.test(lastPart(path))
    const element = isLookup && call.args.length === 1 ? elementAt(on, args[0]) : null
    if (element !== null) return { ...element, declared: null }
    if (carrier !== undefined) {
      return this.#carried(
        call,
        isMethod(carrier.pattern) ? on : nothing,
        isLookup ? args.slice(1) : cuts.test(lastPart(path)) ? [] : args,
        callPath
      )
    }
    // A method of a client's value gives a piece of it; another one's arguments stay with it.
    const isMade = call.callee.is === 'name' ? !looksUp.test(lastPart(path)) : makes.test(lastPart(path))
    // A function that is given a record works something out from it.
    const handed = makes.test(lastPart(path)) ? args : args.filter(({ entries }) => entries === null)
    const passed = on.input !== 0 ? on : isMade ? handed.reduce(either, nothing) : nothing
    // A helper that is given fixed values only makes a fixed piece of SQL of them.
    const isFixedPiece = call.callee.is === 'name' && args.length > 0 && args.every(isFixed)
    const unknown = isFixedPiece ? openKinds(callPath) & ~kinds.sql : openKinds(callPath)
    return {
      ...plain,
      input: passed.input,
      parameters: passed.parameters,
      unknown,
      isJoined: passed.isJoined && passed.input !== 0
    }
  }

  /**
   * The result of a function that hands its arguments on. One value stays what it is, several are put
   * together.
   */
  #carried(call: Call, on: Fact, args: readonly Fact[], path: string): Fact {
    const isFormat = /(?:format|formatted|Sprintf|Sprint|join|concat|replace|Join)$/i.test(
      lastPart(
        call.callee.is === 'field' && typeof call.callee.key === 'string'
          ? call.callee.key
          : spelling(call.callee)
      )
    )
    // A format that takes numbers only makes numbers of what it is given.
    const takesNumbers =
      isFormat &&
      args[0]?.text != null &&
      /%[\d.]*[dxXfct]/.test(args[0].text) &&
      !/%[-+#]*[\d.]*[svqrw]|\{/.test(args[0].text)
    if (takesNumbers) return { ...nothing, path, text: args[0]!.text }
    const taken = isFormat ? withNumbers(args) : args
    const parts = [on, ...taken].filter((each) => !isFixed(each) || each.text !== null)
    if (parts.length === 0) return { ...nothing, path }
    if (parts.length === 1) return { ...parts[0]!, path, declared: null }
    const joined = isFormat ? this.#join(filledIn(parts), call.line) : parts.reduce(either)
    return { ...joined, path, declared: null, entries: null }
  }

  #callLocal(declared: Declared, args: readonly Fact[], path: string): Fact {
    const { returned, sinks } = this.#summaryOf(declared)
    for (const { parameter, kind, line, doubt } of [...sinks.values()]) {
      const fact = args[parameter]
      if (fact === undefined) continue
      if ((fact.input & bitOf(kind)) !== 0) {
        this.#report(kind, line, {
          ...doubt,
          isLikely: doubt.isLikely || (fact.direct & bitOf(kind)) === 0
        })
      }
      this.#pend(fact, kind, line, doubt)
    }
    let { input, direct, unknown } = returned
    let parameters: Fact['parameters'] = null
    for (const [index, bits] of returned.parameters ?? []) {
      const fact = args[index] ?? nothing
      input |= fact.input & bits
      direct |= fact.direct & bits
      unknown |= fact.unknown & bits
      parameters = either({ ...nothing, parameters }, fact).parameters
    }
    return {
      ...returned,
      path: returned.path === '' ? path : returned.path,
      input,
      direct,
      unknown,
      parameters
    }
  }

  /**
   * Remembers that a parameter of the function around reaches a sink: a call with a client's value is a
   * finding.
   */
  #pend(fact: Fact, kind: Kind, line: number, doubt: Doubt): void {
    const { sinks } = this.#current
    for (const [parameter, bits] of fact.parameters ?? []) {
      if ((bits & bitOf(kind)) !== 0 && sinks.size < maxSinks) {
        sinks.set(`${parameter} ${kind} ${line}`, { parameter, kind, line, doubt })
      }
    }
  }

  #summaryOf(declared: Declared, first?: Fact): Summary {
    const known = this.#summaries.get(declared)
    if (known !== undefined) return known
    const summary: Summary = { returned: nothing, sinks: new Map() }
    this.#summaries.set(declared, summary)
    const outer = this.#closures.get(declared) ?? null
    const scope = new Scope(outer)
    const [before, answered] = [this.#current, this.#answers]
    this.#current = summary
    this.#answers = declared.answers
    for (const [
      index,
      { target, path, isInput, harmlessAs = [], likely = [] }
    ] of declared.parameters.entries()) {
      const name = target.to === 'name' ? target.name : ''
      const bits = everyKind & ~bitsOf(harmlessAs)
      const fact = isInput
        ? inputFact(path === '' ? name : path, bits, bits & ~bitsOf(likely))
        : path === 'number'
          ? nothing
          : index === 0 && first !== undefined
            ? first
            : parameterFact(index, path === '' ? name : path, openKinds(name))
      this.#assign(declareAll(target), fact, scope, 0)
    }
    this.#run(declared.body, scope)
    outer?.mergeFunction(scope)
    this.#current = before
    this.#answers = answered
    return summary
  }

  #checkSinks(
    path: string,
    spelled: string,
    args: readonly Fact[],
    named: Readonly<Record<string, Fact>>,
    line: number,
    { on, isOwn, isCopy }: CallFacts = {}
  ): void {
    for (const row of this.#tables.answerTypes.find(path)) {
      if (row.given !== undefined && !isGiven(row.given, args, named)) continue
      if (argumentsOf(row, args, named).some(({ text }) => !/html/i.test(text ?? ''))) {
        this.#typed.add(this.#current)
      }
    }
    for (const sink of this.#tables.sinks.find(path)) {
      if (isOwn === true && !actsByName.has(sink.kind)) continue
      if (sink.asPage === true && this.#typed.has(this.#current)) continue
      if (sink.on !== undefined && !sink.on.test(path) && !sink.on.test(spelled)) continue
      if (sink.given !== undefined && !isGiven(sink.given, args, named)) continue
      if (sink.isAlone === true && args.length > 1) continue
      if (sink.unless !== undefined && hasOption(sink.unless, args, named)) continue
      for (const fact of argumentsOf(sink, args, named, on)) {
        if (isHarmful(sink, fact)) {
          if (fact.built !== null) fact.built.isReported = true
          // A text that is made inside the call, further down, is where the flaw lies.
          this.#report(sink.kind, Math.max(line, fact.built?.line ?? 0), {
            isDoubtful: isCopy === true || isWholeMarkup(sink, fact),
            isLikely: !isProven(sink, fact)
          })
        } else if (sink.text === undefined || sink.text.test(fact.text ?? '')) {
          this.#pend(fact, sink.kind, line, { ...certain, isDoubtful: isCopy === true })
        }
      }
    }
  }
}

/** Where a format takes a value: `%s`, `{}`, `{name}`. */
const marks = /%(?:\(\w+\))?[-+#0]*\d*(?:\.\d+)?[sdvqr]|\{[\w.!:[\]]*\}/
const maxMarks = 20

const verbs = /%[-+# 0]*[\d.]*([a-zA-Z%])/g

/** The arguments of a format, with a number for each that `%d` or its like makes one of. */
function withNumbers(args: readonly Fact[]): readonly Fact[] {
  const used = [...(args[0]?.text ?? '').matchAll(verbs)]
    .map(([, verb]) => verb!)
    .filter((verb) => verb !== '%')
  if (used.length !== args.length - 1) return args
  return args.map((fact, index) =>
    index > 0 && /[dxXfFeEgGbot]/.test(used[index - 1]!) ? { ...nothing, text: '0' } : fact
  )
}

/** A format and its values, with each value where it goes; anything else as it is. */
function filledIn(parts: readonly Fact[]): readonly Fact[] {
  const [format, ...values] = parts
  if (format === undefined || values.length === 0 || format.text === null || !isFixed(format)) return parts
  const pieces = format.text.split(marks, maxMarks)
  if (pieces.length < 2) return parts
  const filled = pieces.slice(1).flatMap((piece, index) => [values[index] ?? values.at(-1)!, textFact(piece)])
  return [textFact(pieces[0]!), ...filled, ...values.slice(pieces.length - 1)]
}

/** The expression that is spelled so: `req.query.next`. */
function fieldOf(name: string): Expression {
  const [root, ...keys] = name.split('.')
  return keys.reduce<Expression>((of, key) => ({ is: 'field', of, key }), named(root!))
}

/** A method of anything, which hands on what it is called on; of a module, only the arguments count. */
const isMethod = (pattern: string): boolean => pattern.startsWith('*.')

/** Names of what people write; anything else that is given whole may well be meant as markup. */
const writtenText =
  /(?:^|[._a-z])(?:name|message|msg|text|title|comment|description|subject|query|search|input|error|userAgent|bio|email)s?$/i

/** `element.innerHTML = icon`: a whole value of unknown origin, of which only its author knows whether it is safe. */
const isWholeMarkup = ({ kind, pattern }: Sink & Named, { path, text, input, isJoined }: Fact): boolean =>
  kind === 'markup' &&
  /(?:HTML=?|srcdoc=|Fragment|HTMLUnsafe|write(?:ln)?)$/.test(pattern) &&
  pattern !== 'jsx.dangerouslySetInnerHTML=' &&
  input === 0 &&
  (!isJoined || text === '…') &&
  (/html|markup|template|svg/i.test(path) || !writtenText.test(path.replace(/\(\)$/, '')))

/** Further on, and at more gaps than these in one piece, a statement tells nothing new. */
const maxStatementChars = 2_000
const maxGaps = 20

/** Whether a part that nobody knows stands where a statement has a value. */
function takesValue(parts: readonly Fact[]): boolean {
  let before = ''
  return parts.some((part) => {
    if (before.length > maxStatementChars) return false
    const text = part.isJoined ? (part.text ?? '…') : isFixed(part) ? (part.text ?? '0') : '…'
    const isOpen = part.built === null && ((part.input | openBits(part)) & kinds.sql) !== 0
    if (isOpen && part.input !== 0) return true
    const pieces = isOpen ? text.split('…', maxGaps).slice(0, -1) : []
    const start = before
    before += text
    let read = start
    return pieces.some((piece) => {
      read += piece
      const expects = expectsValue(read)
      read += '…'
      return expects
    })
  })
}

function isBetweenQuotes(before: string | null | undefined, after: string | null | undefined): boolean {
  return /["`[]$/.test(before ?? '') && /^["`\]]/.test(after ?? '')
}

export interface Followed {
  /** Every place where a value does harm that should not have come there. */
  readonly hits: readonly FlowHit[]
  /** Every call that is a finding by itself. */
  readonly apiHits: readonly ApiHit[]
}

export function followFlow(
  statements: readonly Statement[],
  tables: CompiledTables,
  lines: readonly string[]
): Followed {
  return new Follower(tables, lines).follow(statements)
}
