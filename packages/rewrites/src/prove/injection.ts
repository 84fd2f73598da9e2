import type { Proof } from '@filewright/contracts'
import { callOf, shownCall, type Call } from './calls.js'
import { payloadsIn } from './code-context.js'
import { literalsIn, samplesOf } from '../run/pattern-samples.js'
import type { Entry } from './trace.js'
import { WORD } from './escapes.js'
import type { LoadedCode, Run } from './machine.js'
import { lineOf, type Case } from './case.js'
import { reproducerOf, type Check } from './reproducer.js'
import { injections, type Injection, type InjectionKind } from './sinks.js'

/** Calls with other ordinary values that are tried to reach the dangerous one. */
const MAX_BASES = 12
const MAX_BLIND_BASES = 4
const MAX_PREFIXES = 4

const codeNames = /code|script|source|src|template|body|program|fn|func|expr|formula|\bjs\b/i

/** A slot whose value reaches a dangerous call. */
interface Reached {
  place: number
  /** The argument of the call with a harmless value in the slot. */
  usual: string
  /** Inputs made for the text that the value reaches. */
  payloads: readonly string[]
  isReached: boolean
}

/** A call that breaks out, as far as a run without marks can tell. */
interface BreakOut {
  text: string
  attempt: Attempt
}

/**
 * Proves that a call outside the code receives a value in which the input escapes from its context or runs as
 * code.
 */
export async function proveInjection(kind: InjectionKind, given: Case): Promise<Proof | null> {
  const { code, line, module, loaded, entries } = given
  const isWholeCode = kind === 'code' && runsParameter(code, line)
  const { run } = kind === 'code' && given.marked !== null ? loaded.withText(given.marked) : loaded
  for (const entry of entries) {
    const call = callOf(entry, module)
    for await (const found of breakOuts(kind, call, { code, run, isClientsOnly: isWholeCode })) {
      const proof = await proveBreakOut(found, entry, given)
      if (proof !== null) return proof
    }
  }
  return null
}

/** Kinds for which a text shows what is wrong without the harmless one beside it. */
const shownAlone: ReadonlySet<InjectionKind> = new Set(['redirect', 'address', 'markup'])

interface Sandbox {
  code: string
  run: LoadedCode['run']
  /** Whether only what a client chooses is dangerous here. */
  isClientsOnly: boolean
}

/** Calls with inputs that break out, the simplest first. */
export async function* breakOuts(
  kind: InjectionKind,
  call: Call,
  { code, run, isClientsOnly }: Sandbox
): AsyncGenerator<BreakOut> {
  const injection = injections[kind]
  const tried = new Set<number>()
  // Other ordinary values may lead to the dangerous call where these do not.
  for (const from of [...basesOf(call).map((base) => withBase(call, base)), ...prefixedCalls(call, code)]) {
    const reached =
      kind === 'code' ? await codeReachedBy(from, run, code) : await reachedBy(from, injection, run)
    const added = reached.filter(({ place, isReached }) => isReached && !tried.has(place))
    for (const { place } of added) tried.add(place)
    yield* withPayloads(added, from)
  }
  if (tried.size > 0) return
  // Where the word is refused, an input may pass.
  if (kind === 'code') yield* withPayloads(await codeReachedBy(call, run, code), call)
  if (!shownAlone.has(kind)) return
  for (const base of basesOf(call).slice(0, MAX_BLIND_BASES)) {
    const from = withBase(call, base)
    yield* withPayloads(clientsPlaces(from, injection), from)
  }

  async function* withPayloads(reached: readonly Reached[], from: Call): AsyncGenerator<BreakOut> {
    for (const { place, usual, payloads } of reached) {
      const { isClients = false, isTarget = false, name = '' } = call.places[place] ?? {}
      if (!isClients && (injection.needsClient || isClientsOnly)) continue
      if (!isClients && injection.isCallersChoice?.(usual) === true) continue
      // Who passes a template or a body means it to be code; only a break out of its strings is a flaw.
      const isMeant = kind === 'code' && !isClients && codeNames.test(name) && !/name$/i.test(name)
      for (const payload of payloads) {
        if (isMeant && !/^"(?:'|\\")/.test(payload)) continue
        // Node.js refuses requests whose target does not begin with a slash.
        const used = isTarget ? payload.replace(/^"(?!\/)/, '"/') : payload
        const text = from.render(new Map([[place, used]]))
        const attempt = { injection, payload: used, usual, isClients }
        const result = await run(text)
        if (result !== null && checkOf(result, result.calls, attempt) !== null) yield { text, attempt }
      }
    }
  }
}

/** No other values, and then one at a time: the first one of each slot, the second one, and so on. */
function basesOf({ places }: Call): Array<ReadonlyMap<number, string>> {
  const values = places.map(({ declared, others, type }) => [
    ...new Set([...declared, ...(type === 'flag' ? ['false'] : []), ...others])
  ])
  const turns = [...Array(Math.max(0, ...values.map(({ length }) => length))).keys()]
  const bases = turns.flatMap((turn) =>
    values.flatMap((list, place) => (list[turn] === undefined ? [] : [new Map([[place, list[turn]]])]))
  )
  return [new Map(), ...bases.slice(0, MAX_BASES)]
}

/** The call with a beginning that the code may ask for before each value of one slot. */
function prefixedCalls(call: Call, code: string): Call[] {
  const texts = call.places.flatMap(({ type, isTarget }, place) =>
    type === 'text' && !isTarget ? [place] : []
  )
  const samples = literalsIn(code).flatMap((literal) => samplesOf(literal).slice(0, 1))
  const prefixes = ['/', ...prefixesIn(code), ...samples].slice(0, MAX_PREFIXES)
  const isText = (value: string): boolean => /^"(?:[^"\\]|\\.)*"$/.test(value)
  return texts.flatMap((place) =>
    prefixes.map((prefix) => ({
      ...call,
      render: (values) => {
        const value = values.get(place) ?? '""'
        if (!isText(value)) return call.render(values)
        return call.render(new Map([...values, [place, JSON.stringify(prefix + JSON.parse(value))]]))
      }
    }))
  )
}

const withBase = (call: Call, base: ReadonlyMap<number, string>): Call =>
  base.size === 0 ? call : { ...call, render: (values) => call.render(new Map([...values, ...base])) }

const clientsPlaces = ({ places }: Call, { payloads }: Injection): Reached[] =>
  places.flatMap(({ isClients, type }, place) =>
    isClients && type === 'text' ? [{ place, usual: '', payloads, isReached: false }] : []
  )

/** Repeats the call and asks whether an expression of the finding makes it break out. */
export async function proveBreakOut(
  { text, attempt }: BreakOut,
  entry: Entry,
  given: Case
): Promise<Proof | null> {
  const check = await given.confirm(text, (again) =>
    checkOf(
      again,
      again.calls.filter(({ isHere }) => isHere),
      attempt
    )
  )
  if (check === null) return null
  const { effect } = attempt.injection
  return {
    input: shownCall(entry, text),
    observed:
      check.kind === 'call' ? `${effect}: ${check.path} receives ${JSON.stringify(check.text)}` : effect,
    reproducer: reproducerOf(given.module, text, check, effect),
    entry_line: lineOf(entry, given)
  }
}

const wordOf = (place: number): string => `${WORD}${place}x`

/** The call with a distinct word in each slot. */
const withWords = (call: Call): string =>
  call.render(
    new Map(
      call.places.flatMap(({ isTarget, type }, place) =>
        type === 'text' ? [[place, JSON.stringify((isTarget ? '/' : '') + wordOf(place))] as const] : []
      )
    )
  )

/** The slots whose words arrive at a dangerous call. */
async function reachedBy(
  call: Call,
  { textsOf, payloads }: Injection,
  run: LoadedCode['run']
): Promise<Reached[]> {
  const texts = (await run(withWords(call)))?.calls.flatMap(textsOf) ?? []
  return call.places.flatMap((_, place) => {
    const usual = texts.find((text) => text.includes(wordOf(place)))
    return usual === undefined ? [] : [{ place, usual, payloads, isReached: true }]
  })
}

/** Every slot: first those whose words are run as code, with inputs for the place where they stand in it. */
async function codeReachedBy(call: Call, run: LoadedCode['run'], code: string): Promise<Reached[]> {
  const texts: string[] = []
  // A word at a time, too: where one is refused, another one may pass.
  const places = [...call.places.keys()].filter((place) => call.places[place]?.type === 'text')
  for (const place of [-1, ...places]) {
    const text =
      place === -1 ? withWords(call) : call.render(new Map([[place, JSON.stringify(wordOf(place))]]))
    texts.push(...((await run(text))?.codes ?? []))
    if (texts.length > 0) break
  }
  const prefixes = prefixesIn(code)
  const found = places.map((place) => {
    const usual = texts.find((text) => text.includes(wordOf(place)))
    const own =
      usual === undefined ? [] : payloadsIn(usual, wordOf(place)).map((each) => JSON.stringify(each))
    const behind = prefixes.map((prefix) => JSON.stringify(`${prefix}${WORD}()`))
    return {
      place,
      usual: '',
      isReached: usual !== undefined,
      payloads: [...own, ...injections.code.payloads, ...behind]
    }
  })
  return found.sort((a, b) => Number(b.isReached) - Number(a.isReached))
}

/** Texts that the code looks for at the beginning of others. */
function prefixesIn(code: string): string[] {
  const found = new Set<string>()
  for (const [, quoted = '', name = ''] of code.matchAll(
    /\.(?:indexOf|startsWith)\(\s*(?:(["'][^"'\n]{1,40}["'])|([A-Za-z_$][\w$]*))\s*\)/g
  )) {
    const literal =
      quoted === ''
        ? (new RegExp(`\\b${name.replace(/\$/g, '\\$')}\\s*=\\s*(["'][^"'\\n]{1,40}["'])`).exec(code)?.[1] ??
          '')
        : quoted
    if (literal.length > 3) found.add(literal.slice(1, -1))
  }
  return [...found].slice(0, 3)
}

interface Attempt {
  injection: Injection
  payload: string
  usual: string
  isClients: boolean
}

/** @param calls those that may be the flaw; each call of the run may make it harmless */
function checkOf(
  run: Run,
  calls: Run['calls'],
  { injection, payload, usual, isClients }: Attempt
): Check | null {
  if (run.isInjected) return injection === injections.code ? { kind: 'code' } : null
  if (run.calls.some((call) => injection.isHarmless?.(call))) return null
  for (const call of calls) {
    for (const text of injection.textsOf(call)) {
      // Running the argument is the purpose of such a function.
      const isWhole = JSON.stringify(text) === payload
      if ((isClients || !isWhole) && injection.breaksOut(text, usual, call.path)) {
        return { kind: 'call', path: call.path, text }
      }
    }
  }
  return null
}

/** Whether the line runs a parameter unchanged: then running code is the purpose of the function. */
function runsParameter(code: string, line: number): boolean {
  // A longer line is not read to its end: it can be the whole code.
  const text = (code.split('\n')[line - 1] ?? '').slice(0, 1_000)
  const name = /(?:eval|Function|runIn\w+|Script|setTimeout|setInterval)\s*\(\s*([\w$]+)\s*[,)]/.exec(
    text
  )?.[1]
  return name !== undefined && !new RegExp(`\\b${name.replace(/\$/g, '\\$')}\\s*\\+?=(?!=)`).test(code)
}
