import type { SgNode as TreeNode } from '@ast-grep/napi'

/** Finds the innermost node of some kinds around another one. */
export type Enclosing = (node: TreeNode) => TreeNode | null

/**
 * The nodes of some kinds as spans of the text. The native `parent` descends from the root every time, so
 * that a walk up from every node of a deep tree would cost the cube of its depth; here a node's surroundings
 * are looked up by its place.
 */
export function createEnclosing(root: TreeNode, kinds: readonly string[]): Enclosing {
  const spans = root
    .findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })
    .map((node) => ({ node, id: node.id(), ...spanOf(node), outer: -1 }))
  /** Where the innermost span changes, and which one it is from there on. */
  const places: number[] = []
  const inside: number[] = []
  let current = -1

  function change(place: number, to: number): void {
    places.push(place)
    inside.push(to)
    current = to
  }

  function leave(until: number): void {
    for (let open = spans[current]; open !== undefined && open.end <= until; open = spans[current]) {
      change(open.end, open.outer)
    }
  }

  for (const [index, span] of spans.entries()) {
    leave(span.start)
    span.outer = current
    change(span.start, index)
  }
  leave(Infinity)

  return (node) => {
    const { start, end } = spanOf(node)
    for (
      let span = spans[inside[lastUpTo(places, start)] ?? -1];
      span !== undefined;
      span = spans[span.outer]
    ) {
      const isSame = span.start === start && span.end === end
      if (isSame ? span.id !== node.id() && isAbove(span.id, node, start, end) : span.end >= end) {
        return span.node
      }
    }
    return null
  }
}

function spanOf(node: TreeNode): { start: number; end: number } {
  const { start, end } = node.range()
  return { start: start.index, end: end.index }
}

function lastUpTo(places: readonly number[], at: number): number {
  let low = -1
  let high = places.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (places[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Of two nodes with the same text one holds the other; only the tree knows which. */
function isAbove(id: number, node: TreeNode, start: number, end: number): boolean {
  for (let parent = node.parent(); parent !== null; parent = parent.parent()) {
    const span = spanOf(parent)
    if (span.start !== start || span.end !== end) return false
    if (parent.id() === id) return true
  }
  return false
}
