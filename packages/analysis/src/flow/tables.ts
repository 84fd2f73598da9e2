import type { ApiRule, ApiUse } from './apis.js'
import { bitsOf, kinds, type Kind } from './kinds.js'

/** A call that does harm with a value it should not have. */
export interface Sink {
  readonly kind: Kind
  /**
   * Called names, separated by blanks. `exec` is the bare name, `*.query` a method of anything, `fs.readFile`
   * also what ends so. `innerHTML=` is an assignment to a field, `return` what a function returns.
   */
  readonly calls: string
  /**
   * Which arguments count: by place, by name, all, or `this` for what it is called on. The first when absent.
   */
  readonly args?: readonly (number | string)[] | 'all'
  /**
   * `input`: only a client's value counts. `open`: a text put together from anything unknown. `any`: whatever
   * is not fixed.
   */
  readonly needs: 'input' | 'open' | 'any'
  /** What the call is made on or the call itself must look like this. */
  readonly on?: RegExp
  /** The fixed text around the value must look like this. */
  readonly text?: RegExp
  /** The text is a piece of a statement: a condition, or a column to sort by. */
  readonly isPiece?: true
  /** An argument that has a field of this name is something else. */
  readonly without?: string
  /** An argument with a fixed value that makes the call dangerous: its place or name, and its text. */
  readonly given?: readonly [at: number | string, text: RegExp]
  /** Harmless in a function that has set the type of its answer to something else than a page. */
  readonly asPage?: true
  /** The file must hold this somewhere. */
  readonly onlyIn?: RegExp
  /** Harmless with more than one argument. */
  readonly isAlone?: true
  /** Harmless with an option of this name. */
  readonly unless?: string
  /** An object or an array is harmless: it is sent as JSON. */
  readonly takesObjects?: true
  /** A value that comes from here is harmless. */
  readonly not?: RegExp
  /** Proof only with this fixed text around the value; likely without it. */
  readonly proof?: RegExp
}

/** A call that writes what it reads into a variable: `json.Unmarshal(body, &order)`. */
export interface Fill {
  readonly calls: string
  /** What is read: an argument by its place, what the call is made on, or a request that the call finds itself. */
  readonly from: number | 'this' | 'request'
  /** Where it is written: an argument by its place, or what the call is made on. */
  readonly to: number | 'this'
}

export interface Cleaner {
  readonly calls: string
  /** Only with an argument whose fixed text looks like this. */
  readonly given?: Sink['given']
  readonly kinds: readonly Kind[] | 'all'
}

/** Paths that a client fills. */
export interface Origin {
  readonly path: RegExp
  /** As what it does harm; `all` mostly. */
  readonly kinds: readonly Kind[] | 'all'
  /** As what it does harm only under conditions that the code does not show. */
  readonly likely?: readonly Kind[] | 'all'
  /** Known by the name of a request alone: certain only in code that serves requests. */
  readonly isRequest?: true
}

/** What is known about a language and its libraries. */
export interface Tables {
  /** What only code has that answers requests: a framework's import, its types, or the shape of a handler. */
  readonly serves: RegExp
  readonly sources: readonly Origin[]
  /** Paths of a request itself; an object that another file makes of it is a request as well. */
  readonly requests?: RegExp
  readonly sinks: readonly Sink[]
  readonly fills?: readonly Fill[]
  /** Calls that set the type of an answer, and which of their arguments is the type. */
  readonly answerTypes?: readonly Pick<Sink, 'calls' | 'args' | 'given'>[]
  readonly cleaners: readonly Cleaner[]
  /** Names of functions that make a value safe, wherever they come from. */
  readonly cleanNames: RegExp
  /** Functions whose result holds their arguments; of methods, also what they are called on. */
  readonly carriers: string
  /** Functions whose result is an object or an array, whatever their arguments are. */
  readonly objects?: string
  /** Methods that ask about a value, such as `includes`; a value that passed is safe. */
  readonly guards: RegExp
  /** Calls after which nothing else of the function runs: they end the program, or raise. */
  readonly leaves?: string
  /** Fields that hold a harmless part of a value, and to what it does no harm. */
  readonly cleanFields?: readonly { readonly path: RegExp; readonly kinds: readonly Kind[] }[]
  /** Paths of what neither a client nor anybody else chooses. */
  readonly fixedPaths?: RegExp
  /** What a path reads as: names by convention, such as `request` for `req`. */
  readonly fixedNames: RegExp
}

/** Which of a row's names was meant. */
export interface Named {
  readonly pattern: string
}

/** Rows of a table by the last name of what they call, so that a call asks only those that could be meant. */
export class CallIndex<T extends { readonly calls: string }> {
  readonly #byName = new Map<string, (T & Named)[]>()

  constructor(rows: readonly T[]) {
    for (const row of rows) {
      for (const pattern of row.calls.split(/\s+/)) {
        const name = lastPart(pattern)
        this.#byName.set(name, [...(this.#byName.get(name) ?? []), { ...row, pattern }])
      }
    }
  }

  find(path: string): (T & Named)[] {
    const candidates = this.#byName.get(lastPart(path))
    return candidates === undefined ? [] : candidates.filter(({ pattern }) => matches(pattern, path))
  }
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

function matches(pattern: string, path: string): boolean {
  if (pattern === path) return true
  if (pattern.startsWith('*.')) return path.endsWith(pattern.slice(1))
  // A bare name means the function itself: `exec` is not `pattern.exec`.
  return pattern.includes('.') && path.endsWith(`.${pattern}`)
}

export interface CompiledTables {
  readonly tables: Tables
  readonly sinks: CallIndex<Sink>
  readonly answerTypes: CallIndex<Pick<Sink, 'calls' | 'args' | 'given'>>
  readonly fills: CallIndex<Fill>
  readonly cleaners: CallIndex<Cleaner>
  readonly carriers: CallIndex<{ calls: string }>
  readonly objects: CallIndex<{ calls: string }>
  readonly leaves: CallIndex<{ calls: string }>
  readonly apis: CallIndex<ApiUse & { readonly rule: ApiRule }>
  /** What a client may do with a path, and what of it is certain. */
  readonly originOf: (path: string) => { readonly bits: number; readonly direct: number }
  /** The same for code that does not serve requests. */
  readonly unserved: CompiledTables | null
}

/**
 * A browser fills in the address of its request and the headers itself: another site cannot make it send markup
 * there, or the address of another host.
 */
export const filledByBrowser: readonly Kind[] = ['redirect', 'address', 'markup']

const noOrigin = { bits: 0, direct: 0 }

export function compile(tables: Tables, apiRules: readonly ApiRule[] = []): CompiledTables {
  const originsOf = (isServed: boolean) => {
    const sources = tables.sources.map(({ path, kinds: list, likely = [], isRequest }) => ({
      path,
      bits: bitsOf(list),
      direct: isRequest === true && !isServed ? 0 : bitsOf(list) & ~bitsOf(likely)
    }))
    return (path: string) => sources.find((source) => source.path.test(path)) ?? noOrigin
  }
  const served = {
    tables,
    sinks: new CallIndex(tables.sinks),
    answerTypes: new CallIndex(tables.answerTypes ?? []),
    fills: new CallIndex(tables.fills ?? []),
    cleaners: new CallIndex(tables.cleaners),
    carriers: new CallIndex([{ calls: tables.carriers }]),
    objects: new CallIndex([{ calls: tables.objects ?? '' }]),
    leaves: new CallIndex([{ calls: tables.leaves ?? '' }]),
    apis: new CallIndex(apiRules.flatMap((rule) => rule.uses.map((use) => ({ ...use, rule })))),
    originOf: originsOf(true)
  }
  return { ...served, unserved: { ...served, originOf: originsOf(false), unserved: null } }
}

/** What is certain in this code. */
export const tablesFor = (compiled: CompiledTables, text: string): CompiledTables =>
  compiled.unserved === null || compiled.tables.serves.test(text) ? compiled : compiled.unserved

export const bitOf = (kind: Kind): number => kinds[kind]
