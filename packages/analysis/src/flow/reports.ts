import { looksLikeSql } from '../text/sql-text.js'
import { holdsAll, type ApiRule } from './apis.js'
import { isFixed, join, nothing, openBits, type Built, type Fact } from './facts.js'
import { kinds, type Kind } from './kinds.js'
import { argumentsOf, hasOption, isGiven, isHarmful, isProven, isSentAsJson, isWholeMarkup } from './sinks.js'
import { filledIn, takesValue, withoutQuotedNames } from './statement-text.js'
import { bitOf, lastPart, type CompiledTables, type Sink } from './tables.js'
import { continued, flowOf, type Trace } from './trace.js'

export interface FlowHit {
  readonly kind: Kind
  readonly line: number
  /** Whether there is harm in it, only its author can tell. */
  readonly isDoubtful: boolean
  /** Nothing in the code proves that a client chose the value. */
  readonly isLikely: boolean
  /** Lines from the source to this one; empty where they are not known. */
  readonly flow: readonly number[]
}

export interface ApiHit {
  readonly rule: ApiRule
  readonly line: number
}

type Doubt = Pick<FlowHit, 'isDoubtful' | 'isLikely'>

/** A parameter of a function that reaches a sink in it. */
interface ParameterSink {
  readonly parameter: number
  /** The last name of what reached the sink: `location` of `headers.location`. */
  readonly field: string
  readonly sink: Sink
  readonly line: number
  readonly doubt: Doubt
  readonly trace: Trace | null
  /** It is a finding whatever is given to it; a call only shows where the value can come from. */
  readonly isReported: boolean
}

/** What a call of a local function does with its arguments. */
export interface Summary {
  returned: Fact
  /** By what tells them apart: a function may reach a sink on many ways. */
  readonly sinks: Map<string, ParameterSink>
  /** The answer has been given another type than a page. */
  isTyped: boolean
}

/** @param around the function that this one stands in. */
export const emptySummary = (around?: Summary): Summary => ({
  returned: nothing,
  sinks: new Map(),
  isTyped: around?.isTyped === true
})

/** More sinks than this behind one function are not told apart by its callers. */
const maxSinks = 50

/** An own function that is called `exec` or `query` hands on what it is given. */
const actsByName: ReadonlySet<Kind> = new Set(['shell', 'sql'])

/** A call or an assignment as the tables know it. */
export interface Use {
  /** In the words of the tables. */
  readonly path: string
  /** As it is written in this file. */
  readonly spelled: string
  readonly args: readonly Fact[]
  readonly named?: Readonly<Record<string, Fact>>
  readonly line: number
  /** What a method is called on. */
  readonly on?: Fact
  /** A function of this code is called: what it does with its arguments is known from its own lines. */
  readonly isOwn?: boolean
  /** A copy of one level can change the prototype of the copy only. */
  readonly isCopy?: boolean | undefined
}

/** Holds the uses of one file against the tables and keeps what is found. */
export class Reports {
  readonly hits: FlowHit[] = []
  readonly apiHits: ApiHit[] = []
  /** The function whose lines are being followed. */
  current = emptySummary()
  readonly #tables: CompiledTables
  readonly #lines: readonly string[]
  readonly #built: Built[] = []

  constructor(tables: CompiledTables, lines: readonly string[]) {
    this.#tables = tables
    this.#lines = lines
  }

  add(kind: Kind, line: number, { isDoubtful, isLikely }: Doubt, trace: Trace | null): void {
    this.hits.push({ kind, line, isDoubtful, isLikely, flow: flowOf(trace, line) })
  }

  /** Statements that are put together and never seen to run. */
  addUnrun(): void {
    // Names cannot be parameters, and code that only puts a statement together may have quoted them.
    for (const { line, isReported, holdsValue } of this.#built) {
      if (!isReported && holdsValue) this.add('sql', line, { isDoubtful: false, isLikely: true }, null)
    }
  }

  /** The value of something that was evaluated already: what it finds was reported. */
  withoutNew(evaluate: () => Fact): Fact {
    const [hits, apiHits, built] = [this.hits.length, this.apiHits.length, this.#built.length]
    const fact = evaluate()
    this.hits.length = hits
    this.apiHits.length = apiHits
    this.#built.length = built
    return fact
  }

  /** Texts put together, which may become an SQL statement. */
  join(given: readonly Fact[], line: number): Fact {
    const parts = withoutQuotedNames(given.length === 2 ? filledIn(given) : given)
    const joined = join(parts)
    const isOpen = !isFixed(joined) && ((joined.input | openBits(joined)) & kinds.sql) !== 0
    if (!isOpen || !looksLikeSql(joined.text ?? '')) return joined
    const built = joined.built ?? { line, isReported: false, holdsValue: false }
    if (built !== joined.built) this.#built.push(built)
    built.holdsValue ||= takesValue(parts)
    return { ...joined, built }
  }

  checkApis({ path, spelled, args, named = {}, line }: Use): void {
    for (const { rule, ...use } of this.#tables.apis.find(path)) {
      if (use.on !== undefined && !use.on.test(path) && !use.on.test(spelled)) continue
      if (use.unlessLine?.test(this.#lines[line - 1] ?? '') === true) continue
      if (holdsAll(use, args, named)) this.apiHits.push({ rule, line })
    }
  }

  checkSinks({ path, spelled, args, named = {}, line, on, isOwn, isCopy = false }: Use): void {
    for (const row of this.#tables.answerTypes.find(path)) {
      if (row.given !== undefined && !isGiven(row.given, args, named)) continue
      if (argumentsOf(row, args, named).some(({ text }) => !/html/i.test(text ?? ''))) {
        this.current.isTyped = true
      }
    }
    for (const sink of this.#tables.sinks.find(path)) {
      if (isOwn === true && !actsByName.has(sink.kind)) continue
      if (sink.asPage === true && this.current.isTyped) continue
      if (sink.on !== undefined && !sink.on.test(path) && !sink.on.test(spelled)) continue
      if (sink.given !== undefined && !isGiven(sink.given, args, named)) continue
      if (sink.isAlone === true && args.length > 1) continue
      if (sink.onlyIn !== undefined && !this.#lines.some((each) => sink.onlyIn!.test(each))) continue
      if (sink.unless !== undefined && hasOption(sink.unless, args, named)) continue
      for (const fact of argumentsOf(sink, args, named, on)) {
        if (isSentAsJson(sink, fact)) continue
        if (isHarmful(sink, fact)) {
          if (fact.built !== null) fact.built.isReported = true
          // A text that is made inside the call, further down, is where the flaw lies.
          const doubt = {
            isDoubtful: isCopy || isWholeMarkup(sink, fact),
            isLikely: !isProven(sink, fact)
          }
          const place = Math.max(line, fact.built?.line ?? 0)
          const isInput = (fact.input & bitOf(sink.kind)) !== 0
          this.add(sink.kind, place, doubt, isInput ? fact.trace : null)
          if (!isInput) this.#pend(fact, sink, place, doubt, true)
        } else if (sink.text === undefined || sink.text.test(fact.text ?? '')) {
          this.#pend(fact, sink, line, { isDoubtful: isCopy, isLikely: false }, false)
        }
      }
    }
  }

  /** Arguments that reach a sink inside the local function that is called with them. */
  checkArguments({ sinks }: Summary, args: readonly Fact[]): void {
    for (const { parameter, field, sink, line, doubt, trace, isReported } of [...sinks.values()]) {
      const fact = args[parameter]?.entries?.get(field) ?? args[parameter]
      if (fact === undefined || isSentAsJson(sink, fact)) continue
      const { kind } = sink
      const whole = continued(fact.trace, trace)
      if ((fact.input & bitOf(kind)) !== 0) {
        // The function may use another field of an object of which one came from a client.
        const isIndirect = (fact.direct & bitOf(kind)) === 0 || fact.isPartly
        const isLikely = doubt.isLikely || (isIndirect && !isReported)
        this.add(kind, line, { ...doubt, isLikely }, whole)
      }
      this.#pend({ ...fact, trace: whole }, sink, line, doubt, isReported)
    }
  }

  /**
   * Remembers that a parameter of the function around reaches a sink: a call with a client's value is a
   * finding.
   */
  #pend(fact: Fact, sink: Sink, line: number, doubt: Doubt, isReported: boolean): void {
    const { kind } = sink
    const { sinks } = this.current
    for (const [parameter, bits] of fact.parameters ?? []) {
      if ((bits & bitOf(kind)) !== 0 && sinks.size < maxSinks) {
        const key = `${parameter} ${kind} ${line}${isReported ? ' reported' : ''}`
        const field = lastPart(fact.path)
        sinks.set(key, { parameter, field, sink, line, doubt, trace: fact.trace, isReported })
      }
    }
  }
}
