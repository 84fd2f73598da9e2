/**
 * A syntax node as ESLint's parsers make it; only what every node has is typed, the rest is read through the
 * helpers below.
 */
export interface ScriptNode {
  readonly type: string
  readonly range: readonly [number, number]
  readonly loc: {
    readonly start: { readonly line: number; readonly column: number }
    readonly end: { readonly line: number; readonly column: number }
  }
  readonly parent?: ScriptNode | null
  readonly [key: string]: unknown
}

function isNode(value: unknown): value is ScriptNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

export function child(node: ScriptNode | null | undefined, key: string): ScriptNode | null {
  const value = node?.[key]
  return isNode(value) ? value : null
}

export function children(node: ScriptNode | null | undefined, key: string): ScriptNode[] {
  const value = node?.[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** The statements among which a node stands, as they are: there may be very many, and each may ask. */
export function statementsOf(owner: ScriptNode | null | undefined): readonly ScriptNode[] {
  const list = owner?.[isType(owner, 'SwitchCase') ? 'consequent' : 'body']
  return Array.isArray(list) ? (list as readonly ScriptNode[]) : []
}

export function isType<const T extends string>(
  node: ScriptNode | null | undefined,
  ...types: readonly T[]
): node is ScriptNode & { readonly type: T } {
  return node !== null && node !== undefined && (types as readonly string[]).includes(node.type)
}

const wrappers = new Set([
  'ChainExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion'
])

/** The expression without type assertions and optional chaining around it. */
export function bare(node: ScriptNode | null): ScriptNode | null {
  let current = node
  while (current !== null && wrappers.has(current.type)) current = child(current, 'expression')
  return current
}

/**
 * `a`, `a.b.c`, `this.a`, `a['b']`; what is called or computed on the way reads `()` or `[]`. Empty for
 * anything else.
 */
export function dotted(start: ScriptNode | null): string {
  const node = bare(start)
  if (node === null) return ''
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
    case 'PrivateIdentifier':
      return String(node.name)
    case 'ThisExpression':
      return 'this'
    case 'Super':
      return 'super'
    case 'MemberExpression': {
      const property = child(node, 'property')
      const literal = textOf(property)
      const key = node.computed !== true ? dotted(property) : (literal ?? '[]')
      return `${dotted(child(node, 'object'))}.${key}`
    }
    case 'CallExpression':
      return `${dotted(child(node, 'callee'))}()`
    case 'AwaitExpression':
      return dotted(child(node, 'argument'))
    default:
      return ''
  }
}

const callees = new WeakMap<ScriptNode, string>()

/** Remembered, because most rules of ours ask every call for its name. */
export function calleeOf(call: ScriptNode): string {
  const known = callees.get(call)
  if (known !== undefined) return known
  const name = dotted(child(call, 'callee'))
  callees.set(call, name)
  return name
}

/** Last name of a dotted path: `query` of `db.client.query`. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** The text of a string literal or of a template without expressions, else null. */
export function textOf(node: ScriptNode | null | undefined): string | null {
  if (isType(node, 'Literal') && typeof node.value === 'string') return node.value
  if (isType(node, 'TemplateLiteral') && children(node, 'expressions').length === 0) return quasiText(node)
  return null
}

/** A template's fixed text with `${}` where an expression stands. */
export function quasiText(template: ScriptNode): string {
  return children(template, 'quasis')
    .map((quasi) => {
      const value = quasi.value as { cooked?: string | null; raw: string }
      return value.cooked ?? value.raw
    })
    .join('${}')
}

/** Value of a property of an object literal. */
export function propertyOf(object: ScriptNode | null, name: string): ScriptNode | null {
  if (!isType(object, 'ObjectExpression')) return null
  const property = children(object, 'properties').find((each) => keyOf(each) === name)
  return child(property, 'value')
}

export function keyOf(property: ScriptNode): string {
  const key = child(property, 'key')
  if (property.computed === true) return textOf(key) ?? ''
  return textOf(key) ?? dotted(key)
}

export const functionTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'] as const
export const loopTypes = [
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement'
] as const

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
  node: ScriptNode,
  test: (inner: ScriptNode) => boolean,
  skip: readonly string[] = []
): boolean {
  for (const inner of walk(node, skip)) if (test(inner)) return true
  return false
}

/** The node that begins where this one does, which is the first of its parts. */
export function startingAt(first: ScriptNode, ...types: string[]): ScriptNode | null {
  if (types.includes(first.type)) return first
  const owner = closest(first, ({ type }) => types.includes(type))
  return owner?.range[0] === first.range[0] ? owner : null
}
