import type { Proof } from '@filewright/contracts'
import { argumentsOf, type Arguments } from './arguments.js'
import type { Entry } from './driver.js'
import { WORD } from './escapes.js'
import type { Run } from './machine.js'
import { lineOf, shownCall, type Case } from './case.js'
import { reproducerOf, type Check } from './reproducer.js'
import { injections, type Injection, type InjectionKind } from './sinks.js'

const codeNames = /code|script|source|src|template|body|program|fn|func|expr|formula|\bjs\b/i

/** A slot whose value reaches a dangerous call. */
interface Reached {
  place: number
  /** The argument of the call with a harmless value in the slot. */
  usual: string
}

/**
 * Proves that a call outside the code receives a value in which the input escapes from its context or runs as
 * code.
 */
export async function proveInjection(kind: InjectionKind, given: Case): Promise<Proof | null> {
  const { code, line, module, loaded, entries } = given
  const injection = injections[kind]
  const isWholeCode = kind === 'code' && runsParameter(code, line)
  for (const entry of entries) {
    const args = argumentsOf(entry, module)
    const reached = kind === 'code' ? everyPlace(args) : await reachedBy(entry, args, injection, given)
    for (const { place, usual } of reached) {
      const { isClients = false, isTarget = false, name = '' } = args.places[place] ?? {}
      if (!isClients && (injection.needsClient || isWholeCode)) continue
      if (!isClients && injection.isCallersChoice?.(usual) === true) continue
      // Who passes a template or a body means it to be code; only a break out of its strings is a flaw.
      const isMeant = kind === 'code' && !isClients && codeNames.test(name)
      for (const payload of injection.payloads) {
        if (isMeant && !/^"(?:'|\\")/.test(payload)) continue
        // Node.js refuses requests whose target does not begin with a slash.
        const used = isTarget ? payload.replace(/^"(?!\/)/, '"/') : payload
        const text = args.render(new Map([[place, used]]))
        const call = `${entry.access}(${text})`
        const attempt = { injection, payload: used, usual, isClients }
        const run = await loaded.run(call)
        if (run === null || checkOf(run, run.calls, attempt) === null) continue
        const check = await given.confirm(call, (again) =>
          checkOf(
            again,
            again.calls.filter(({ isHere }) => isHere),
            attempt
          )
        )
        if (check === null) continue
        const { effect } = injection
        return {
          input: shownCall(entry, text),
          observed:
            check.kind === 'call'
              ? `${effect}: ${check.path} receives ${JSON.stringify(check.text)}`
              : effect,
          reproducer: reproducerOf(module, call, check, effect),
          entry_line: lineOf(entry, code)
        }
      }
    }
  }
  return null
}

const everyPlace = ({ places }: Arguments): Reached[] => places.map((_, place) => ({ place, usual: '' }))

/** Fills every slot with a distinct word and returns the slots whose words arrive. */
async function reachedBy(
  entry: Entry,
  args: Arguments,
  { textsOf }: Injection,
  { loaded }: Case
): Promise<Reached[]> {
  const word = (place: number): string => `${WORD}${place}x`
  const values = new Map(
    args.places.map(({ isTarget }, place) => [place, JSON.stringify((isTarget ? '/' : '') + word(place))])
  )
  const run = await loaded.run(`${entry.access}(${args.render(values)})`)
  const texts = run?.calls.flatMap(textsOf) ?? []
  return args.places.flatMap((_, place) => {
    const usual = texts.find((text) => text.includes(word(place)))
    return usual === undefined ? [] : [{ place, usual }]
  })
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
