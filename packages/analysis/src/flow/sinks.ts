import { openBits, ownAddress, type Fact } from './facts.js'
import { takesValueAtGap } from './statement-text.js'
import { bitOf, type Named, type Sink } from './tables.js'

/** Whether an argument that a sink depends on is as it must be. */
export function isGiven(
  [at, text]: NonNullable<Sink['given']>,
  args: readonly Fact[],
  named: Readonly<Record<string, Fact>>
): boolean {
  const fact =
    typeof at === 'number'
      ? args[at]
      : (named[at] ?? args.find((each) => each.entries?.has(at) === true)?.entries?.get(at))
  return fact !== undefined && text.test(fact.text ?? (fact.path === '' ? 'fixed' : fact.path))
}

/** Whether a call is given an option of this name. */
export function hasOption(
  name: string,
  args: readonly Fact[],
  named: Readonly<Record<string, Fact>>
): boolean {
  return name in named || args.some(({ entries }) => entries?.has(name) === true)
}

/** What records hold under a name: `Location` of `{ headers: { Location: next } }`. */
function entryOf(facts: readonly Fact[], name: string, isInner = false): Fact | undefined {
  for (const { entries } of facts) {
    if (entries === null) continue
    const found = entries.get(name) ?? (isInner ? undefined : entryOf([...entries.values()], name, true))
    if (found !== undefined) return found
  }
  return undefined
}

/** Those arguments of the call that can do harm. */
export function argumentsOf(
  { args: wanted = [0] }: Pick<Sink, 'args'>,
  args: readonly Fact[],
  named: Readonly<Record<string, Fact>>,
  on?: Fact
): Fact[] {
  if (wanted === 'all') return [...args, ...Object.values(named)]
  return wanted.flatMap((at) => {
    const fact =
      at === 'this'
        ? on
        : typeof at === 'number'
          ? args[at]
          : (named[at] ?? entryOf([...args, ...Object.values(named)], at))
    return fact === undefined ? [] : [fact]
  })
}

/** Whether this value goes out as JSON instead of markup. */
export const isSentAsJson = ({ takesObjects }: Sink, { isObject }: Fact): boolean =>
  takesObjects === true && isObject

/** Whether this value must not come to this sink. */
export function isHarmful(sink: Sink, fact: Fact): boolean {
  const bit = bitOf(sink.kind)
  const isInput = (fact.input & bit) !== 0
  const isUnknown = (openBits(fact) & bit) !== 0
  // What is sent as an object goes out as JSON; a statement given as one has its values apart.
  if (
    fact.entries !== null &&
    (sink.kind === 'markup' || sink.kind === 'sql' || fact.entries.has(sink.without ?? ''))
  ) {
    return false
  }
  // An element is part of a page as it is, whatever its attributes hold.
  if (sink.kind === 'markup' && /createElement\w*\(\)$/.test(fact.path)) return false
  if (sink.kind === 'redirect' && ownAddress.test(fact.path)) return false
  if (sink.not?.test(fact.path) === true) return false
  if (sink.text !== undefined && !sink.text.test(fact.text ?? '')) return false
  if (sink.isPiece === true && fact.isJoined && isUnknown && takesValueAtGap(fact.text ?? '')) return true
  if (sink.needs === 'input') return isInput
  if (sink.needs === 'any') return isInput || isUnknown
  if (isInput) return true
  if (!fact.isJoined || !isUnknown) return false
  if (sink.kind !== 'sql') return true
  // A name that this code has from elsewhere cannot be a parameter; one that a caller chooses may be anything.
  return fact.built !== null && (fact.built.holdsValue || fact.parameters !== null)
}

/**
 * Whether the code proves the harm: a request's value comes here straight, or a statement is run that takes a
 * caller's value as a piece of its text.
 */
export function isProven(sink: Sink, fact: Fact): boolean {
  if (sink.proof !== undefined && !sink.proof.test(fact.text ?? '')) return false
  const bit = bitOf(sink.kind)
  // Without a statement in sight the receiver must be known as a database: other clients fetch as well.
  if (sink.kind === 'sql' && fact.built === null && sink.on === undefined) return false
  if ((fact.direct & bit) !== 0) return true
  return sink.kind === 'sql' && fact.built?.holdsValue === true && hasParameter(fact, bit)
}

function hasParameter({ parameters }: Fact, bit: number): boolean {
  return [...(parameters?.values() ?? [])].some((bits) => (bits & bit) !== 0)
}

/** Names of what people write; anything else that is given whole may well be meant as markup. */
const writtenText =
  /(?:^|[._a-z])(?:name|message|msg|text|title|comment|description|subject|query|search|input|error|userAgent|bio|email)s?$/i

/** `element.innerHTML = icon`: a whole value of unknown origin, of which only its author knows whether it is safe. */
export const isWholeMarkup = (
  { kind, pattern }: Sink & Named,
  { path, text, input, isJoined }: Fact
): boolean =>
  kind === 'markup' &&
  /(?:HTML=?|srcdoc=|Fragment|HTMLUnsafe|write(?:ln)?)$/.test(pattern) &&
  pattern !== 'jsx.dangerouslySetInnerHTML=' &&
  input === 0 &&
  (!isJoined || text === '…') &&
  (/html|markup|template|svg/i.test(path) || !writtenText.test(path.replace(/\(\)$/, '')))
