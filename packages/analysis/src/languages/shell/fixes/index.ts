import type { Tree, TreeNode } from '../../../tree/tree.js'
import type { Rewrite } from '../../../fix/rewrite.js'

/**
 * Brackets read some texts otherwise than backticks: a subshell as arithmetic, a comment to the end of the
 * line, a case by its own bracket.
 */
function brackets(node: TreeNode, tree: Tree): string | null {
  const inner = /^`([^`\\]*)`$/.exec(node.text())?.[1]
  if (
    inner === undefined ||
    /^\s*\(|#|<<|\bcase\b/.test(inner) ||
    /^#!.*\b(?:t?csh|fish)\b/.test(tree.source.text)
  ) {
    return null
  }
  return `$(${inner})`
}

function grep(node: TreeNode, tree: Tree): string | null {
  const name = node.text()
  if (
    !/^[ef]grep$/.test(name) ||
    /\b[ef]?grep\s*\(\)|\bfunction [ef]?grep\b|\balias [ef]?grep=/.test(tree.source.text)
  ) {
    return null
  }
  return name === 'egrep' ? 'grep -E' : 'grep -F'
}

// Not here: `command -v` for `which`, because it also finds functions, aliases and what is built in.
export const shellRewrites: readonly Rewrite[] = [
  {
    language: 'shell',
    ruleId: 'sh/backticks',
    kind: 'command_substitution',
    description: 'Used $( ) instead of backticks.',
    rewrite: brackets
  },
  {
    language: 'shell',
    ruleId: 'sh/egrep',
    kind: 'command_name',
    description: 'Used grep -E or -F.',
    rewrite: grep
  }
]
