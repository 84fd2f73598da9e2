import { keepElement } from './collections.js'
import { either, inputFact, isFixed, nothing, textFact, type Fact } from './facts.js'
import { spelling, type Call, type Expression } from './form.js'
import type { Scope } from './scope.js'
import { lastPart, type CompiledTables } from './tables.js'

/** Methods that put their arguments into what they are called on. */
const collects =
  /^(?:push|unshift|append|add|put|set|insert|push_str|WriteString|addAll|extend|update|write|Add|Set|putAll|concat|remove)$/
/** Those that put texts together. */
const collectsText = /^(?:append|push_str|WriteString|concat|write)$/

/** Functions that read a request into a variable. */
const reads = /^(?:decode|bind|parse|read|unmarshal)(?:[A-Z_]|$)/i
/** What such a function reads, as a path of the tables. */
const wholeRequest = 'request'

/** An object that a name or a field of one stands for, where something is known of it. */
function ownerIn(expression: Expression, scope: Scope): { name: string; before: Fact } | null {
  const name = spelling(expression)
  const before = name === '' ? undefined : scope.get(name)
  return before === undefined ? null : { name, before }
}

/** What is put into a collection is part of it. */
function withPart(before: Fact, part: Fact): Fact {
  const { isObject } = before
  return { ...either(before, { ...part, path: '', text: null, built: null }), entries: null, isObject }
}

/** `owner.key = value`, also with a computed key. */
export function keepPart(owner: Expression, key: string | Expression, fact: Fact, scope: Scope): void {
  const known = ownerIn(owner, scope)
  // A function with fields is a namespace.
  if (known === null || known.before.declared !== null || isFixed(fact)) return
  const { before } = known
  const isPartly = before.isPartly || (typeof key === 'string' && before.input === 0 && fact.input !== 0)
  scope.assign(known.name, { ...withPart(before, fact), settings: before.settings, isPartly })
}

/** `list.push(value)`, `builder.append(value)`: the value is part of what it was added to. */
export function collect(
  { callee, line }: Call,
  { path, args }: { path: string; args: readonly Fact[] },
  scope: Scope,
  join: (parts: readonly Fact[], line: number) => Fact
): void {
  const method = lastPart(path)
  if (callee.is !== 'field' || !collects.test(method)) return
  const known = ownerIn(callee.of, scope)
  if (known === null || known.before.declared !== null) return
  const { name, before } = known
  const kept = keepElement(before, method, args)
  if (kept !== null) {
    scope.assign(name, kept)
  } else if (collectsText.test(method)) {
    // A new builder is empty.
    const start = isFixed(before) && before.text === null ? textFact('') : before
    scope.assign(name, { ...join([start, ...args], line), path: before.path })
  } else if (!before.path.includes('.')) {
    // What a library made may have a method of this name that does something else.
    const added = args.reduce(either, nothing)
    if (!isFixed(added)) scope.assign(name, withPart(before, { ...added, isJoined: false }))
  }
}

/** `json.Unmarshal(body, &order)`: what was read is in the variable now. */
export function fill(
  { callee, args: given }: Call,
  { path, args, on }: { path: string; args: readonly Fact[]; on: Fact },
  scope: Scope,
  { fills, originOf, tables }: CompiledTables
): void {
  const put = (target: Expression | undefined, read: Fact | undefined): void => {
    const known = target === undefined ? null : ownerIn(target, scope)
    if (read === undefined || read.input === 0 || known === null || known.before.declared !== null) return
    const part = { ...read, isJoined: false, isObject: false }
    scope.assign(known.name, { ...withPart(known.before, part), settings: null })
  }
  const rows = fills.find(path)
  for (const { from, to } of rows) {
    const read = from === 'request' ? bodyOf(originOf(`${path}(&)`)) : from === 'this' ? on : args[from]
    put(to !== 'this' ? given[to] : callee.is === 'field' ? callee.of : undefined, read)
  }
  // `decodeBody(r, &order)`: a function of another file reads a request into a variable that is empty so far.
  const isReader = rows.length === 0 && reads.test(lastPart(path))
  if (!isReader || !args.some((each) => tables.requests?.test(each.path) === true)) return
  const whole = originOf(`${wholeRequest}(&)`)
  for (const [index, each] of args.entries()) if (isFixed(each)) put(given[index], bodyOf(whole))
}

const bodyOf = ({ bits, direct }: { bits: number; direct: number }): Fact => inputFact('', bits, direct)

export function keepSetting(owner: Expression, key: string, fact: Fact, scope: Scope): void {
  const known = ownerIn(owner, scope)
  if (known === null || known.before.settings === null) return
  const settings = new Map([...known.before.settings, [key, fact] as const])
  scope.assign(known.name, { ...known.before, settings })
}

/** `cookie.setSecure(true)` sets `secure`. */
export function keepSetter({ callee }: Call, args: readonly Fact[], scope: Scope): void {
  if (callee.is !== 'field' || typeof callee.key !== 'string' || args.length !== 1) return
  const name = /^set([A-Z]\w*)$/.exec(callee.key)?.[1]
  if (name !== undefined) keepSetting(callee.of, name[0]!.toLowerCase() + name.slice(1), args[0]!, scope)
}

/** A function that is given an object may set more on it. */
export function forgetSettings({ args }: Call, scope: Scope): void {
  for (const each of args) {
    const known = ownerIn(each, scope)
    if (known !== null && known.before.settings !== null) {
      scope.assign(known.name, { ...known.before, settings: null })
    }
  }
}
