import { flowOf } from './flows.js'
import { goSyntax } from '../languages/go/gofmt.js'
import { javaHolders } from '../languages/java/syntax.js'
import { rustHolders } from '../languages/rust/syntax.js'
import { treeRules } from './tree-rules.js'
import { isTreeLanguage, type TreeLanguage } from '../tree/languages.js'
import { parseTree, runTreeRules, treeSyntax } from '../tree/tree.js'
import type { Source } from '../text/source.js'
import { skippedSyntax, type SyntaxResult } from '../types.js'
import { unknownSyntax, type Engine, type EngineResult } from '../engines/engine.js'
import { runFlow } from '../engines/flow.js'

/** Languages whose syntax the tree is trusted with, and where it shows that something is missing. */
const checked: Partial<Record<TreeLanguage, readonly string[]>> = { java: javaHolders, rust: rustHolders }

/**
 * What a parser made of broken code is a guess, and so would be the findings in it: broken code gets no tree.
 */
function read(
  source: Source,
  language: TreeLanguage,
  known: SyntaxResult
): { syntax: SyntaxResult; tree: ReturnType<typeof parseTree> } {
  // Go's own parser knows better than the tree's.
  const syntax = language === 'go' ? goSyntax(source) : known
  if (syntax.ok === false) return { syntax, tree: null }
  const tree = parseTree(source, language, { isValid: syntax.ok === true })
  const holders = checked[language]
  if (tree === null || holders === undefined) return { syntax, tree }
  const own = treeSyntax(tree, holders)
  return { syntax: own, tree: own.ok === false ? null : tree }
}

export const treeEngine: Engine = {
  run(source, language, wanted, onFailure, known): EngineResult {
    if (!isTreeLanguage(language)) return { syntax: unknownSyntax, hits: [] }
    const { syntax, tree } = read(source, language, known)
    const own = treeRules.filter((rule) => wanted.has(rule.analysisType) && rule.languages.includes(language))
    // What is known already was reported already.
    const reported = syntax === known ? unknownSyntax : syntax
    if (tree === null) return { syntax: syntax.ok === false ? reported : skippedSyntax, hits: [] }
    const flow = flowOf(language)
    const followed =
      flow === null
        ? []
        : runFlow(source, () => flow.lower(tree.root), flow.tables, language, wanted, onFailure)
    return { syntax: reported, hits: [...runTreeRules(tree, own, onFailure), ...followed] }
  },
  syntax: (source, language) =>
    isTreeLanguage(language) && (language === 'go' || language in checked)
      ? read(source, language, unknownSyntax).syntax
      : unknownSyntax
}
