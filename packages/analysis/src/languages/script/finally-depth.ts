import { SourceCode } from 'eslint'
import type { ScriptNode } from './nodes.js'
import { childrenOf } from './walk.js'

/**
 * ESLint follows every path through a finally block twice, once for code that threw. Its work doubles for each
 * such block inside another: 16 of them take seconds.
 */
const MAX_FINALLY_DEPTH = 4

let isInstalled = false

/** Makes ESLint refuse code with too many finally blocks inside each other before it looks for paths. */
export function limitFinallyDepth(): void {
  if (isInstalled) return
  isInstalled = true
  const { traverse } = SourceCode.prototype
  SourceCode.prototype.traverse = function (this: SourceCode) {
    if (finallyDepthOf(this.ast as unknown as ScriptNode) > MAX_FINALLY_DEPTH) {
      throw new Error(`more than ${MAX_FINALLY_DEPTH} finally blocks are inside each other`)
    }
    return traverse.call(this)
  }
}

/** Without recursion: code may nest deeper than the call stack. */
function finallyDepthOf(root: ScriptNode): number {
  let deepest = 0
  const stack = [{ node: root, depth: 0 }]
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { node, depth } = entry
    deepest = Math.max(deepest, depth)
    for (const child of childrenOf(node)) {
      stack.push({ node: child, depth: child === node['finalizer'] ? depth + 1 : depth })
    }
  }
  return deepest
}
