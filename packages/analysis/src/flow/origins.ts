import { anything, either, inputFact, isFixed, nothing, parameterFact, without, type Fact } from './facts.js'
import { newPrefix, type Expression, type Parameter } from './form.js'
import { bitsOf, everyKind } from './kinds.js'
import type { Scope } from './scope.js'
import type { CompiledTables } from './tables.js'
import { extend, openKinds } from './values.js'

/** What tells how much there is of something, or whether. */
const countFields = /^(?:length|byteLength|pid|ppid)$/

/** What a name holds. */
export function factOfName(name: string, scope: Scope, { tables, originOf }: CompiledTables): Fact {
  const known = scope.get(name)
  if (known !== undefined) {
    return known.path === '' && known.text === null && !known.isJoined ? { ...known, path: name } : known
  }
  if (tables.fixedNames.test(name)) return { ...nothing, path: name }
  const { bits, direct } = originOf(name)
  return bits === 0 ? { ...anything, path: name, unknown: openKinds(name) } : inputFact(name, bits, direct)
}

/** What a field of a value holds. */
export function factOfField(owner: Fact, key: string, { tables, originOf }: CompiledTables): Fact {
  const entry = owner.entries?.get(key)
  if (entry !== undefined) return entry
  const path = extend(owner.path, key)
  if (countFields.test(key) || tables.fixedPaths?.test(path) === true) return { ...nothing, path }
  const cleaned = cleanedBits(path, tables)
  const { bits, direct } = originOf(path)
  const { trace } = owner
  if (bits !== 0) return without({ ...inputFact(path, bits, direct), trace }, cleaned)
  if (owner.input !== 0) {
    const { input, unknown, parameters } = owner
    const { parsedFrom } = owner
    return without(
      {
        ...nothing,
        path,
        input,
        direct: owner.isPartly ? 0 : owner.direct,
        unknown,
        parameters,
        parsedFrom,
        trace
      },
      cleaned
    )
  }
  if (tables.fixedNames.test(key)) return { ...nothing, path }
  // A field of a value that was made here from fixed parts is fixed as well, and so is a piece of a match.
  if (isFixed(owner) && (owner.entries !== null || /^\d+$/.test(key))) return { ...nothing, path }
  const { parameters, parsedFrom } = owner
  return without({ ...nothing, path, unknown: openKinds(path), parameters, parsedFrom, trace }, cleaned)
}

/** What a call gives that reads a request: `req.get('host')`; null for any other. */
export function factOfRequest(
  path: string,
  asked: Fact | undefined,
  { tables, originOf }: CompiledTables
): Fact | null {
  const { bits, direct } = originOf(path)
  if (bits === 0) return null
  return without(inputFact(path, bits, direct), cleanedBits(`${path}.${asked?.text ?? ''}`, tables))
}

/** To what a field does no harm. */
export function cleanedBits(path: string, { cleanFields }: CompiledTables['tables']): number {
  return bitsOf(cleanFields?.find((each) => each.path.test(path))?.kinds ?? [])
}

/** An object with the values of its fields, null for those whose names are not known. */
export function factOfRecord(entries: readonly (readonly [string | null, Fact])[], type: string): Fact {
  const known = new Map<string, Fact>()
  let all: Fact = nothing
  for (const [key, fact] of entries) {
    if (key !== null) known.set(key, fact)
    all = either(all, { ...fact, path: '', text: null, built: null, declared: null, isJoined: false })
  }
  const isWhole = entries.every(([key]) => key !== null)
  return { ...all, path: type, value: null, entries: known, settings: isWhole ? known : null, isObject: true }
}

/** @param given what a call is known to hand to it. */
export function factOfParameter(
  { target, path, isInput, harmlessAs = [], likely = [] }: Parameter,
  index: number,
  given: Fact | undefined
): Fact {
  const name = target.to === 'name' ? target.name : ''
  const known = path === '' ? name : path
  const bits = everyKind & ~bitsOf(harmlessAs)
  if (isInput) return inputFact(known, bits, bits & ~bitsOf(likely))
  if (path === 'number') return nothing
  return given ?? parameterFact(index, known, openKinds(name))
}

/** `new Renamed()` by the name that the class has where it comes from. */
export function madePath(callee: Expression, path: string, scope: Scope): string {
  if (callee.is !== 'name' || !callee.name.startsWith(newPrefix)) return path
  const made = scope.get(callee.name.slice(newPrefix.length))
  return made === undefined || made.path === '' ? path : newPrefix + made.path
}
