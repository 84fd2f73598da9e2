import { goSyntax } from '../golang/gofmt.js'
import { isTreeLanguage, type TreeLanguage } from '../tree/languages.js'
import { garbageLine, parseTree, runTreeRules, treeSyntax, type Tree, type TreeRule } from '../tree/tree.js'
import type { Source } from '../text/source.js'
import type { Language } from '../languages.js'
import type { SyntaxResult } from '../types.js'
import { unknownSyntax, type Engine } from './engine.js'

/** Languages whose syntax the tree is trusted with. */
const checked: readonly Language[] = ['java', 'rust']

export function createTreeEngine (rules: readonly TreeRule[]): Engine {
  function syntaxOf (source: Source, tree: Tree | null, language: TreeLanguage): SyntaxResult {
    const line = garbageLine(source, language)
    if (line !== null && checked.includes(language)) return { ok: false, line, message: 'too much here is unexpected' }
    if (tree === null) return unknownSyntax
    if (language === 'go') return goSyntax(tree.source)
    return checked.includes(language) ? treeSyntax(tree) : unknownSyntax
  }

  return {
    name: 'tree',
    handles: isTreeLanguage,
    run (source, language, wanted, onFailure) {
      if (!isTreeLanguage(language)) return { syntax: unknownSyntax, hits: [] }
      const tree = parseTree(source, language)
      if (tree === null) return { syntax: syntaxOf(source, tree, language), hits: [] }
      const own = rules.filter((rule) => wanted.has(rule.analysisType) && rule.languages.includes(language))
      const parsed = syntaxOf(source, tree, language)
      // What a parser made of broken code is a guess, and so would be the findings in it.
      return { syntax: parsed, hits: parsed.ok === false ? [] : runTreeRules(tree, own, onFailure) }
    },
    syntax: (source, language) => isTreeLanguage(language) ? syntaxOf(source, parseTree(source, language), language) : unknownSyntax
  }
}
