import type { RuleInfo } from '../types.js'
import { isFixed, type Fact } from './facts.js'

/** What an argument, or a setting of an object that is an argument, must be. */
export interface Condition {
  /** The argument's place or name; with `of`, the name of a setting. `cookie.secure` is a setting of a setting. */
  readonly at: number | string
  /** The place of the object that has the setting. */
  readonly of?: number
  /** Its constant value: a text, a number as it is written, `true`, or the canonical name of a constant. */
  readonly is?: RegExp
  /** Anything but a constant like this, given or not. */
  readonly isnt?: RegExp
  /** A number below this. */
  readonly below?: number
  /** Certainly not given. */
  readonly isAbsent?: true
  /** Certainly not given, or false. */
  readonly isOff?: true
  /** A text or bytes that stand in the code. */
  readonly isText?: true
}

/** A use of an API that is a finding by itself, wherever its values come from. */
export interface ApiUse {
  /** Canonical names as in the tables of sinks: `crypto.createHash`, `*.cookie`, `new:Cookie`, `*.verify=`. */
  readonly calls: string
  /** What the call is made on or the call itself must look like this. */
  readonly on?: RegExp
  /** All of these must hold. */
  readonly where?: readonly Condition[]
  /** The line must not look like this. */
  readonly unlessLine?: RegExp
}

/** A rule about calls by their canonical names, whatever they are called in this file. */
export interface ApiRule extends RuleInfo {
  readonly engine: 'api'
  readonly uses: readonly ApiUse[]
  /** The file must hold this somewhere. */
  readonly onlyIn?: RegExp
}

export function holdsAll(
  { where = [] }: ApiUse,
  args: readonly Fact[],
  named: Readonly<Record<string, Fact>>
): boolean {
  return where.every((condition) => holds(condition, args, named))
}

function holds(
  { at, of, is, isnt, below, isAbsent, isOff, isText }: Condition,
  args: readonly Fact[],
  named: Readonly<Record<string, Fact>>
): boolean {
  const fact = factAt({ at, of }, args, named)
  if (isnt !== undefined) return typeof fact === 'string' || !isnt.test(constantOf(fact))
  if (fact === 'unknown') return false
  if (fact === 'absent') return isAbsent === true || isOff === true
  const constant = constantOf(fact)
  if (isOff === true) return /^(?:false|False|0|null|nil|None|undefined)$/.test(constant)
  if (below !== undefined) return constant !== '' && Number(constant) < below
  if (isText === true) return fact.text !== null && fact.text !== '' && isFixed(fact)
  return is?.test(constant) === true
}

function factAt(
  { at, of }: { at: number | string; of: number | undefined },
  args: readonly Fact[],
  named: Readonly<Record<string, Fact>>
): Fact | 'absent' | 'unknown' {
  if (typeof at === 'number') return args[at] ?? 'absent'
  const [first, ...inner] = at.split('.')
  // `**options` may hold it.
  let found =
    of === undefined
      ? (named[first!] ?? ('**' in named ? 'unknown' : 'absent'))
      : settingOf(args[of] ?? 'absent', first!)
  for (const key of inner) found = settingOf(found, key)
  return found
}

function settingOf(owner: Fact | 'absent' | 'unknown', key: string): Fact | 'absent' | 'unknown' {
  if (typeof owner === 'string') return owner
  return owner.settings === null ? 'unknown' : (owner.settings.get(key) ?? 'absent')
}

/** The value of what is written in the code, or the name that it has; empty for what is made at run time. */
function constantOf({ text, value, path, isJoined }: Fact): string {
  return isJoined ? '' : (text ?? value ?? path)
}
