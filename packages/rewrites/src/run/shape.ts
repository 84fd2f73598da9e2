/** The kinds that a value may have, inferred from the code that uses it. */
export interface Shape {
  kinds: Set<Kind>
  /** Literals with which the code compares the value. */
  values: Set<string | number | boolean>
  element: Shape | null
  props: Map<string, Shape>
  /** For a function: its result. */
  result: Shape | null
  /** For a function: the parameters of its callback. */
  callback: Shape[] | null
  /** Whether the code tests for its absence. */
  isNullable: boolean
  /** What else its declaration allows, as code. */
  alternatives: Set<Alternative>
  /** Whether the code awaits it. */
  isAwaited: boolean
  /** Whether its type is declared, so that nothing is guessed. */
  isTyped: boolean
  /** Whether it is always one of its values. */
  isExact: boolean
  /** Whether it is iterated in a way that fits both a string and an array. */
  isSequence: boolean
  /** For an array: the shape of each position. */
  tuple: Shape[] | null
  /** The shape that it was unified with. */
  same: Shape | null
}

export type Kind =
  | 'number'
  | 'nan'
  | 'string'
  | 'boolean'
  | 'bigint'
  | 'array'
  | 'object'
  | 'dict'
  | 'map'
  | 'set'
  | 'date'
  | 'function'
  | 'regexp'
  | 'error'
  | 'json'

export type Alternative = 'undefined' | 'null' | 'Buffer.from("x")'

/** A final shape without cycles, as the sandbox needs it. */
export interface PlainShape {
  kinds: Kind[]
  values?: Array<string | number | boolean>
  element?: PlainShape
  props?: Record<string, PlainShape>
  result?: PlainShape
  callback?: PlainShape[]
  isNullable?: true
  alternatives?: Alternative[]
  isAwaited?: true
  isExact?: true
  /** The kind was inferred from the code's use instead of a declared type: a caller may pass another kind. */
  isGuess?: true
  /** For an array: the shape of each position. */
  tuple?: PlainShape[]
  /** For an array: its name implies ascending order. */
  isSorted?: true
  /** For a number: its name implies an integer. */
  isWhole?: true
}

export function createShape(...kinds: readonly Kind[]): Shape {
  return {
    kinds: new Set(kinds),
    values: new Set(),
    element: null,
    props: new Map(),
    result: null,
    callback: null,
    isNullable: false,
    alternatives: new Set(),
    isAwaited: false,
    isTyped: false,
    isExact: false,
    isSequence: false,
    tuple: null,
    same: null
  }
}

export function find(shape: Shape): Shape {
  let current = shape
  while (current.same !== null) current = current.same
  return current
}

export function elementOf(shape: Shape): Shape {
  const own = find(shape)
  own.element ??= createShape()
  return own.element
}

export function resultOf(shape: Shape): Shape {
  const own = find(shape)
  own.result ??= createShape()
  return own.result
}

export function propOf(shape: Shape, name: string): Shape {
  const own = find(shape)
  const known = own.props.get(name)
  if (known !== undefined) return known
  const prop = createShape()
  own.props.set(name, prop)
  return prop
}

/** Records evidence. A guess does not override a declared type. */
export function note(shape: Shape, ...kinds: readonly Kind[]): void {
  const own = find(shape)
  if (!own.isTyped) for (const kind of kinds) own.kinds.add(kind)
}

/** Records that a value is iterated, searched or sliced: an array or a string. */
export function noteSequence(shape: Shape): void {
  const own = find(shape)
  if (!own.isTyped && !own.kinds.has('array') && !own.kinds.has('string')) own.isSequence = true
}

/** A fallback has the same kind as the value that it replaces. */
export function noteFallback(shape: Shape, other: Shape): void {
  if (find(shape).kinds.size === 0) note(shape, ...find(other).kinds)
}

/** A value that the code tests may be missing. */
export function noteTested(shape: Shape): Shape {
  const own = find(shape)
  if (!own.isTyped && !own.kinds.has('boolean')) own.isNullable = true
  return shape
}

const maxDepth = 8

/** Unifies two shapes. */
export function unify(a: Shape, b: Shape, depth = 0): void {
  const [one, other] = [find(a), find(b)]
  if (one === other || depth > maxDepth) return
  if (other.isTyped && !one.isTyped) return unify(b, a, depth)
  if (one.isTyped && other.isTyped) return
  other.same = one
  if (!one.isTyped) for (const kind of other.kinds) one.kinds.add(kind)
  for (const value of other.values) one.values.add(value)
  one.isNullable ||= other.isNullable && !one.isTyped
  one.isAwaited ||= other.isAwaited
  one.isSequence ||= other.isSequence && !one.isTyped
  one.callback ??= other.callback
  for (const [name, prop] of other.props) unify(propOf(one, name), prop, depth + 1)
  for (const key of ['element', 'result'] as const) {
    const part = other[key]
    if (part === null) continue
    const own = one[key]
    if (own === null) one[key] = part
    else unify(own, part, depth + 1)
  }
}

const byName: ReadonlyArray<readonly [RegExp, Kind]> = [
  [
    /^(?:is|has|can|should|enable|disable)[A-Z_]|^(?:flag|enabled|disabled|active|done|strict|force)$/,
    'boolean'
  ],
  [
    /^(?:fn|func|cb|done|next|resolve|reject|action|work|predicate|compare|iteratee|mapper|reducer)$|callback$|handler$|listener$|subscriber$|visitor$|comparator$|^on[A-Z]|Fn$/i,
    'function'
  ],
  [/(?:date|At)$/, 'date'],
  [
    /^(?:n|x|y|z|i|j|k|a|b|c|num|min|max|sum|low|high|lo|hi|start|end|from|to)$|(?:count|index|size|length|total|price|amount|age|width|height|limit|offset|page|ms|seconds|step|rate|score|level|depth|number|quantity|percent|discount|timeout|retries|port)$/i,
    'number'
  ],
  [
    /(?:name|text|str|string|title|label|key|path|url|email|word|line|message|msg|prefix|suffix|token|code|slug|query|sql|html|id|role|type|status|currency|input)$/i,
    'string'
  ],
  [
    /^(?:items?List|list|arr|array|values|data|args)$|(?:list|array|items|ids|names|rows|users|numbers|words|lines|entries|values|records|results|orders|products|nodes|events|tags|keys)$/i,
    'array'
  ]
]

function guess(name: string): Kind[] {
  return (byName.find(([pattern]) => pattern.test(name))?.slice(1, 2) as Kind[] | undefined) ?? []
}

const textNames =
  /^(?:s|t|s\d|str\d|haystack|needle|sentence|phrase|content|source|ch|chars?|letters?|digits|hex|binary|roman|pattern|substring|raw|csv|css|markdown)$/i

/** Decides between a string and an array if the use fits both: by its name and its elements. */
function guessSequence(name: string, element: Shape | null): Kind[] {
  const guessed = guess(name)
  if (guessed.includes('string') || guessed.includes('array')) return guessed
  if (textNames.test(name)) return ['string']
  if (/[^s]s$/i.test(name) || element === null) return ['array']
  const part = find(element)
  const isText = part.kinds.has('string') || [...part.values].some((value) => typeof value === 'string')
  return isText ? ['array', 'string'] : ['array']
}

/** The singular of a name; empty if the name is not a plural. */
function singular(name: string): string {
  const one = name.replace(/s$|List$/, '')
  return one === name ? '' : one
}

/**
 * The name of a function's result; empty if the function's name does not reveal it: `fn` does not return a
 * function.
 */
function resultName(name: string): string {
  const result = name.replace(/^(?:get|find|load|fetch)/, '')
  return result === name ? '' : result
}

/** A shape that contains itself under several names would have as many copies at each depth. */
const MAX_PARTS = 4_096

const partsOf = ({ element, props, result, callback, tuple }: Shape): Shape[] => [
  ...(element === null ? [] : [element]),
  ...props.values(),
  ...(result === null ? [] : [result]),
  ...(callback ?? []),
  ...(tuple ?? [])
]

/** How many shapes `toPlain` would make of it down to a depth. */
function countParts(shape: Shape, depth: number, known: Map<Shape, number[]>): number {
  const own = find(shape)
  const counts = known.get(own) ?? []
  known.set(own, counts)
  counts[depth] ??=
    1 + (depth === 0 ? [] : partsOf(own)).reduce((sum, part) => sum + countParts(part, depth - 1, known), 0)
  return counts[depth]
}

/** Removes cycles, and guesses by name if the code reveals nothing. As deep as the number of its parts allows. */
export function toPlain(shape: Shape, name = ''): PlainShape {
  const known = new Map<Shape, number[]>()
  let depth = maxDepth
  while (depth > 0 && countParts(shape, depth, known) > MAX_PARTS) depth--
  return plainOf(shape, name, depth)
}

/** @param depth how many levels of parts it has */
function plainOf(shape: Shape, name: string, depth: number): PlainShape {
  const own = find(shape)
  const kinds = [...own.kinds]
  if (own.props.size > 0 && !kinds.some((kind) => kind !== 'function' && kind !== 'nan')) kinds.push('object')
  if (own.isSequence && !kinds.some((kind) => kind !== 'function' && kind !== 'nan')) {
    kinds.push(...guessSequence(name, own.element))
  }
  if (kinds.length === 0 && !own.isTyped) kinds.push(...guess(name))
  const deeper = depth > 0
  return {
    kinds,
    ...(own.values.size > 0 ? { values: [...own.values] } : {}),
    ...(own.element !== null && deeper ? { element: plainOf(own.element, singular(name), depth - 1) } : {}),
    ...(own.props.size > 0 && deeper
      ? {
          props: Object.fromEntries([...own.props].map(([key, prop]) => [key, plainOf(prop, key, depth - 1)]))
        }
      : {}),
    ...(own.result !== null && deeper ? { result: plainOf(own.result, resultName(name), depth - 1) } : {}),
    ...(own.callback !== null && deeper
      ? { callback: own.callback.map((each) => plainOf(each, '', depth - 1)) }
      : {}),
    ...(own.isNullable ? { isNullable: true as const } : {}),
    // What another value may be that it was unified with says nothing of this one.
    ...(shape.alternatives.size > 0 ? { alternatives: [...shape.alternatives] } : {}),
    ...(own.isAwaited ? { isAwaited: true as const } : {}),
    ...(own.isExact ? { isExact: true as const } : {}),
    ...(own.isTyped ? {} : { isGuess: true as const }),
    ...(kinds.includes('array') && /^sorted(?![a-z])|Sorted$/.test(name) ? { isSorted: true as const } : {}),
    ...(own.tuple !== null && deeper ? { tuple: own.tuple.map((each) => plainOf(each, '', depth - 1)) } : {})
  }
}

/** The first shape, extended by the second. A declared type stays. */
export function mergePlain(own: PlainShape, other: PlainShape): PlainShape {
  if (own.isGuess !== true) return own
  const merged: PlainShape = { ...own }
  // If nothing is known of it, it stays unrestricted.
  if (own.kinds.length > 0) merged.kinds = [...new Set([...own.kinds, ...other.kinds])]
  if (other.values !== undefined) merged.values = [...new Set([...(own.values ?? []), ...other.values])]
  if (other.isNullable === true) merged.isNullable = true
  if (other.element !== undefined) {
    merged.element = own.element === undefined ? other.element : mergePlain(own.element, other.element)
  }
  if (other.props !== undefined && own.props !== undefined) {
    const props = { ...own.props }
    for (const [key, prop] of Object.entries(other.props)) {
      props[key] = Object.hasOwn(props, key) ? mergePlain(props[key]!, prop) : prop
    }
    merged.props = props
  }
  return merged
}
