import type { Kind, PlainShape } from '../run/shape.js'

/** The simplest values of each kind, an ordinary one first. */
const simplest: Partial<Record<Kind, readonly string[]>> = {
  string: ['"x"', '"x y"'],
  number: ['1', '0'],
  boolean: ['true', 'false'],
  bigint: ['1n'],
  dict: ['{}']
}

const simpleKinds = new Set<Kind>([
  'string',
  'number',
  'boolean',
  'bigint',
  'regexp',
  'array',
  'object',
  'dict'
])

/** Whether a value consists of strings, numbers, booleans, patterns, and lists and objects of these. */
export const isSimple = ({ kinds, isGuess, element, props }: PlainShape): boolean =>
  isGuess !== true &&
  kinds.length > 0 &&
  kinds.every((kind) => simpleKinds.has(kind) || (kind === 'date' && kinds.length > 1)) &&
  (!kinds.includes('dict') || (element !== undefined && isSimple(element))) &&
  (!kinds.includes('array') || (element !== undefined && isSimple(element))) &&
  (!kinds.includes('object') || (props !== undefined && Object.values(props).every(isSimple)))

/** What the declaration of a value allows in its place. Objects with declared properties are not made up. */
export function declaredValues(
  { kinds, values, alternatives = [], isExact, isGuess, props, result }: PlainShape,
  usual: string
): string[] {
  const literals = isExact === true ? (values ?? []).map((value) => JSON.stringify(value)) : []
  const others = isGuess === true || isExact === true ? [] : kinds.flatMap((kind) => simplest[kind] ?? [])
  const objects =
    kinds.length > 1 && kinds.includes('object') && props === undefined && isGuess !== true ? ['{}'] : []
  const returned = kinds.includes('function') ? (result?.alternatives ?? []) : []
  const functions = returned.map((each) => `() => ${each}`)
  return [...new Set([...alternatives, ...literals, ...functions, ...objects, ...others])].filter(
    (value) => value !== usual
  )
}
