import ts from 'typescript'

/**
 * TypeScript's parser reads ahead, gives up and reads the same text again: in some shapes twice for each level
 * of nesting, so 165 characters take seconds. typescript-eslint turns some nodes into two of its own. So every
 * node is counted when it is made, also if it is thrown away, and whenever it is asked for its place. Of 860
 * published files none took more than 2.6 steps for a character.
 */
const MAX_STEPS_PER_CHAR = 16
/** So that the shortest texts need no rule of their own. */
const FREE_STEPS = 20_000

/** Part of TypeScript that its types do not show. */
interface Allocator {
  getNodeConstructor: () => NodeConstructor
  getTokenConstructor: () => NodeConstructor
  getIdentifierConstructor: () => NodeConstructor
}
interface NodeConstructor {
  new (kind: ts.SyntaxKind, pos: number, end: number): ts.Node
  prototype: ts.Node
}
const { objectAllocator, setObjectAllocator } = ts as unknown as {
  objectAllocator: Allocator
  setObjectAllocator: (allocator: Allocator) => void
}

const TOO_MANY_STEPS = 'the parser reads parts of this code again and again'

export class NodeBudgetError extends Error {
  override readonly name = 'NodeBudgetError'
}

let stepsLeft = Infinity
let isInstalled = false

function spend(): void {
  if (--stepsLeft < 0) throw new NodeBudgetError(TOO_MANY_STEPS)
}

function counted(constructorOf: () => NodeConstructor): () => NodeConstructor {
  const Original = constructorOf()
  const { getStart } = Original.prototype
  Original.prototype.getStart = function (this: ts.Node, ...args) {
    spend()
    return getStart.apply(this, args)
  }
  const Counted = function (kind: ts.SyntaxKind, pos: number, end: number): ts.Node {
    spend()
    return new Original(kind, pos, end)
  } as unknown as NodeConstructor
  return () => Counted
}

function install(): void {
  if (isInstalled) return
  isInstalled = true
  setObjectAllocator({
    ...objectAllocator,
    getNodeConstructor: counted(objectAllocator.getNodeConstructor),
    getTokenConstructor: counted(objectAllocator.getTokenConstructor),
    getIdentifierConstructor: counted(objectAllocator.getIdentifierConstructor)
  })
}

/**
 * Runs what parses the text with TypeScript, and ends it with a `NodeBudgetError` where it takes more steps
 * than a text of this length may. The count is the same in every run, unlike a time.
 */
export function withNodeBudget<T>(text: string, parse: () => T): T {
  install()
  stepsLeft = FREE_STEPS + MAX_STEPS_PER_CHAR * text.length
  try {
    const parsed = parse()
    // ESLint makes a message of what its parser throws.
    if (stepsLeft < 0) throw new NodeBudgetError(TOO_MANY_STEPS)
    return parsed
  } finally {
    const isExceeded = stepsLeft < 0
    stepsLeft = Infinity
    // The parser forgets what it noted about a text only when it has read one to its end.
    if (isExceeded) ts.createSourceFile('empty.ts', '', ts.ScriptTarget.Latest)
  }
}
