export type Part =
  /** One character of a set of ASCII codes (above 127 counts as 127). */
  | { kind: 'set'; codes: ReadonlySet<number>; min: number; max: number }
  | { kind: 'group'; branches: Part[][]; min: number; max: number }
  /** Matches no text: anchors, lookarounds. `never` holds what `(?!…)` does not let follow. */
  | { kind: 'nothing'; never?: ReadonlySet<number>; isBoundary?: boolean; min: number; max: number }

/** Beyond this many rounds a bounded repetition hurts like an unbounded one. */
const many = 12
/** Larger patterns are not looked at: the work grows with the fourth power of their places. */
const maxPlaces = 120
const maxSteps = 400_000

/** The places where a piece of the pattern can begin or end, and whether a word boundary lies before or after. */
type Ends = ReadonlyMap<number, boolean>

interface Piece {
  readonly isNullable: boolean
  readonly first: Ends
  readonly last: Ends
}

const nothing: Piece = { isNullable: true, first: new Map(), last: new Map() }

export function isWithin(codes: ReadonlySet<number>, others: ReadonlySet<number> | undefined): boolean {
  return others !== undefined && [...codes].every((code) => others.has(code))
}

/**
 * The automaton of a pattern (Glushkov's): a place for each character set, and from each place the places that may
 * come next. A way from one place to another that can be taken for two reasons, as in (a+)+, counts twice.
 */
class Automaton {
  readonly codes: ReadonlySet<number>[] = []
  /** By place: how many ways lead to each next place. */
  readonly next: Map<number, number>[] = []
  /** Something after the repetition around the place can fail, so that it goes back. */
  readonly isFollowed: boolean[] = []
  readonly #wordCodes: ReadonlySet<number>

  constructor(wordCodes: ReadonlySet<number>) {
    this.#wordCodes = wordCodes
  }

  alternatives(branches: readonly Part[][], isFollowed: boolean, inLoop: boolean): Piece {
    const pieces = branches.map((branch) => this.#sequence(branch, isFollowed, inLoop))
    return {
      isNullable: pieces.some((piece) => piece.isNullable),
      first: new Map(pieces.flatMap((piece) => [...piece.first])),
      last: new Map(pieces.flatMap((piece) => [...piece.last]))
    }
  }

  #sequence(branch: readonly Part[], isFollowed: boolean, inLoop: boolean): Piece {
    let whole = nothing
    let isBoundary = false
    branch.forEach((part, index) => {
      if (part.kind === 'nothing') {
        isBoundary ||= part.isBoundary === true
        return
      }
      // Inside a repetition, what matters is what follows the repetition.
      const goesBack = isFollowed || (!inLoop && index < branch.length - 1)
      whole = this.#append(whole, this.#repeated(part, goesBack, inLoop), isBoundary)
      isBoundary = false
    })
    if (!isBoundary) return whole
    return { ...whole, last: new Map([...whole.last.keys()].map((place) => [place, true])) }
  }

  #repeated(part: Exclude<Part, { kind: 'nothing' }>, isFollowed: boolean, inLoop: boolean): Piece {
    const isLoop = part.max > many
    const once = (): Piece =>
      part.kind === 'set'
        ? this.#place(part.codes, isFollowed)
        : this.alternatives(part.branches, isFollowed, inLoop || isLoop)
    const optional = (piece: Piece): Piece => ({ ...piece, isNullable: true })
    if (isLoop) {
      const piece = once()
      this.#connect(piece.last, piece.first, false)
      return part.min === 0 ? optional(piece) : piece
    }
    let whole = nothing
    for (let round = 0; round < part.max; round++) {
      whole = this.#append(whole, round < part.min ? once() : optional(once()), false)
    }
    return whole
  }

  #place(codes: ReadonlySet<number>, isFollowed: boolean): Piece {
    if (this.codes.length >= maxPlaces) throw new Error('too large')
    const place = this.codes.push(codes) - 1
    this.next.push(new Map())
    this.isFollowed.push(isFollowed)
    const ends = new Map([[place, false]])
    return { isNullable: false, first: ends, last: ends }
  }

  #append(before: Piece, piece: Piece, isBoundary: boolean): Piece {
    this.#connect(before.last, piece.first, isBoundary)
    const behind = new Map([...piece.first].map(([place, own]) => [place, own || isBoundary]))
    return {
      isNullable: before.isNullable && piece.isNullable,
      first: before.isNullable ? new Map([...before.first, ...behind]) : before.first,
      last: piece.isNullable ? new Map([...before.last, ...piece.last]) : piece.last
    }
  }

  #connect(from: Ends, to: Ends, isBoundary: boolean): void {
    for (const [one, endsAtBoundary] of from) {
      for (const [two, beginsAtBoundary] of to) {
        // No word begins in the middle of a word.
        const isWordOnly = [one, two].every((place) => isWithin(this.codes[place]!, this.#wordCodes))
        if (isWordOnly && (isBoundary || endsAtBoundary || beginsAtBoundary)) continue
        this.next[one]!.set(two, (this.next[one]!.get(two) ?? 0) + 1)
      }
    }
  }
}

/**
 * Whether some text can be read in exponentially many ways: two different ways lead from a place back to itself over
 * the same text. That is so if a pair of equal places and a pair of different ones reach each other in the product of
 * the automaton with itself, or if a way inside a cycle counts twice.
 */
export function isExponential(branches: readonly Part[][], wordCodes: ReadonlySet<number>): boolean {
  const automaton = new Automaton(wordCodes)
  automaton.alternatives(branches, false, false)
  const { codes, next, isFollowed } = automaton
  const size = codes.length
  // Which characters beyond ASCII are meant is not known.
  const overlaps = codes.map((one) =>
    codes.map((two) => [...one].some((code) => code < 127 && two.has(code)))
  )
  let steps = 0
  const ways = (pair: number): number[] => {
    const [one, two] = [Math.floor(pair / size), pair % size]
    const found: number[] = []
    for (const a of next[one]!.keys()) {
      for (const b of next[two]!.keys()) {
        if (++steps > maxSteps) throw new Error('too much work')
        if (overlaps[a]![b]!) found.push(a * size + b)
      }
    }
    return found
  }
  const starts = codes.map((_, place) => place * size + place)
  return componentsOf(starts, ways).some((pairs) => {
    const places = new Set(pairs.filter((pair) => isEqual(pair)).map((pair) => pair % size))
    if (![...places].some((place) => isFollowed[place])) return false
    const isDouble = [...places].some((one) =>
      [...next[one]!].some(([two, count]) => count > 1 && places.has(two))
    )
    return isDouble || places.size < pairs.length
  })

  function isEqual(pair: number): boolean {
    return Math.floor(pair / size) === pair % size
  }
}

/** Nodes that reach each other, by Tarjan's algorithm, without recursion: products are deep. */
function componentsOf(starts: readonly number[], waysFrom: (node: number) => number[]): number[][] {
  const order = new Map<number, number>()
  const lowest = new Map<number, number>()
  const inStack = new Set<number>()
  const stack: number[] = []
  const components: number[][] = []
  const visit = (node: number): { node: number; ways: number[] } => {
    order.set(node, order.size)
    lowest.set(node, order.get(node)!)
    stack.push(node)
    inStack.add(node)
    return { node, ways: waysFrom(node) }
  }
  const lower = (node: number, bound: number): void => {
    lowest.set(node, Math.min(lowest.get(node)!, bound))
  }
  for (const start of starts) {
    const path = order.has(start) ? [] : [visit(start)]
    while (path.length > 0) {
      const { node, ways } = path.at(-1)!
      const way = ways.pop()
      if (way !== undefined) {
        if (!order.has(way)) path.push(visit(way))
        else if (inStack.has(way)) lower(node, order.get(way)!)
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) lower(parent.node, lowest.get(node)!)
      if (lowest.get(node) !== order.get(node)) continue
      const component = stack.splice(stack.lastIndexOf(node))
      for (const each of component) inStack.delete(each)
      components.push(component)
    }
  }
  return components
}
