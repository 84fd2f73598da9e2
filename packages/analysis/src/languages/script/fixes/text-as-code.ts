import { child, isType, type ScriptNode } from '../nodes.js'
import { enclosingFunction, walk } from '../walk.js'

/**
 * Functions, and the program, whose names code may use that no parser sees, each with the first reason. A
 * direct `eval` sees the names of every function around it, and `with` hides them behind properties. Neither
 * sees the names of other functions, nor of functions inside the one where it stands. Any other `eval` runs at
 * the top level.
 */
export function hiddenUses(root: ScriptNode, text: string): ReadonlyMap<ScriptNode, ScriptNode> {
  const uses = new Map<ScriptNode, ScriptNode>()
  if (!/\beval\b|\bwith\b/.test(text)) return uses
  for (const node of walk(root)) {
    const isDirect = isType(node, 'CallExpression') && child(node, 'callee')?.name === 'eval'
    if (isDirect || isType(node, 'WithStatement')) {
      let owner = enclosingFunction(node)
      // The functions around one that is known are known as well.
      while (owner !== null && !uses.has(owner)) {
        uses.set(owner, node)
        owner = enclosingFunction(owner)
      }
    } else if (node.name !== 'eval') continue
    if (!uses.has(root)) uses.set(root, node)
  }
  return uses
}

/** What may use a name that is declared here, if anything. */
export function hiddenUseOf(
  declared: ScriptNode,
  root: ScriptNode,
  uses: ReadonlyMap<ScriptNode, ScriptNode>
): ScriptNode | undefined {
  return uses.get(enclosingFunction(declared) ?? root)
}
