import { goSyntax } from '../golang/gofmt.js'
import { isTreeLanguage } from '../tree/languages.js'
import { parseTree, runTreeRules, treeSyntax, type Tree, type TreeRule } from '../tree/tree.js'
import type { Language } from '../languages.js'
import type { SyntaxResult } from '../types.js'
import { unknownSyntax, type Engine } from './engine.js'

/** Languages whose syntax the tree is trusted with. */
const checked: readonly Language[] = ['java', 'rust']

export function createTreeEngine (rules: readonly TreeRule[]): Engine {
  function syntaxOf (tree: Tree | null, language: Language): SyntaxResult {
    if (tree === null) return unknownSyntax
    if (language === 'go') return goSyntax(tree.source)
    return checked.includes(language) ? treeSyntax(tree) : unknownSyntax
  }

  return {
    name: 'tree',
    handles: isTreeLanguage,
    run (source, language, wanted, onFailure) {
      const tree = isTreeLanguage(language) ? parseTree(source, language) : null
      if (tree === null) return { syntax: unknownSyntax, hits: [] }
      const own = rules.filter((rule) => wanted.has(rule.analysisType) && rule.languages.includes(language))
      const parsed = syntaxOf(tree, language)
      // What a parser made of broken code is a guess, and so would be the findings in it.
      return { syntax: parsed, hits: parsed.ok === false ? [] : runTreeRules(tree, own, onFailure) }
    },
    syntax: (source, language) => syntaxOf(isTreeLanguage(language) ? parseTree(source, language) : null, language)
  }
}
