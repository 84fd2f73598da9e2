import { functionTypes, isNode, isType, loopTypes, type ScriptNode } from './nodes.js'

export function closest(
  node: ScriptNode,
  test: (ancestor: ScriptNode) => boolean,
  stop: readonly string[] = []
): ScriptNode | null {
  for (let current = node.parent; current != null; current = current.parent) {
    if (test(current)) return current
    if (stop.includes(current.type)) return null
  }
  return null
}

export function enclosingFunction(node: ScriptNode): ScriptNode | null {
  return closest(node, (ancestor) => isType(ancestor, ...functionTypes))
}

/** The loop whose body or update runs `node` again and again; functions between them end the search. */
export function enclosingLoop(node: ScriptNode): ScriptNode | null {
  let inner = node
  for (let current = node.parent; current != null; inner = current, current = current.parent) {
    if (isType(current, ...functionTypes)) return null
    if (!isType(current, ...loopTypes)) continue
    // What a loop runs once, its start and the thing it iterates over, is not in the loop.
    if (inner === current.init || (!isType(current, 'ForStatement') && inner === current.right)) continue
    return current
  }
  return null
}

/**
 * Every node below `node`, itself included; iterative, because submitted code may nest deeper than the call
 * stack.
 */
export function* walk(node: ScriptNode, skip: readonly string[] = []): Generator<ScriptNode> {
  const stack = [node]
  while (stack.length > 0) {
    const current = stack.pop()!
    yield current
    if (current !== node && skip.includes(current.type)) continue
    for (const each of childrenOf(current)) stack.push(each)
  }
}

export function childrenOf(node: ScriptNode): ScriptNode[] {
  const children: ScriptNode[] = []
  for (const key in node) {
    if (key === 'parent' || key === 'loc' || key === 'range' || key === 'tokens' || key === 'comments') {
      continue
    }
    const value = node[key]
    if (Array.isArray(value)) {
      for (const each of value) {
        if (isNode(each)) children.push(each)
      }
    } else if (isNode(value)) children.push(value)
  }
  return children
}

/**
 * The innermost node that starts at an offset, or else the one around it: an arrow starts none. ESLint's own
 * lookup walks the whole tree each time.
 */
export function deepestAt(root: ScriptNode, index: number): ScriptNode {
  let found: ScriptNode | null = null
  let around = root
  for (let current: ScriptNode | null = root; current !== null; current = childAt(current, index)) {
    if (current.range[0] === index) found = current
    around = current
  }
  return found ?? around
}

function childAt(node: ScriptNode, index: number): ScriptNode | null {
  for (const key in node) {
    if (key === 'parent' || key === 'loc' || key === 'range' || key === 'tokens' || key === 'comments') {
      continue
    }
    const value = node[key]
    const each = Array.isArray(value) ? elementAt(value, index) : value
    if (isNode(each) && each.range[0] <= index && index < each.range[1]) return each
  }
  return null
}

/**
 * The last of these nodes that starts before or at an offset; they stand in the order of the text, and there
 * may be very many.
 */
function elementAt(list: readonly unknown[], index: number): unknown {
  const nodes = list.every(isNode) ? list : list.filter(isNode)
  let low = 0
  let high = nodes.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (nodes[middle]!.range[0] <= index) low = middle
    else high = middle - 1
  }
  return nodes[low]
}

export function contains(
  node: ScriptNode | null | undefined,
  test: (inner: ScriptNode) => boolean,
  skip: readonly string[] = []
): boolean {
  if (node == null) return false
  for (const inner of walk(node, skip)) if (test(inner)) return true
  return false
}

/** The node that begins where this one does, which is the first of its parts. */
export function startingAt(first: ScriptNode, ...types: string[]): ScriptNode | null {
  if (types.includes(first.type)) return first
  const owner = closest(first, ({ type }) => types.includes(type))
  return owner?.range[0] === first.range[0] ? owner : null
}
