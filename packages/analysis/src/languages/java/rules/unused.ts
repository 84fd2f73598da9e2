import { kindOf, remember, textOf } from '../../../tree/nodes.js'
import { countsIn, wordCounts } from '../../../tree/scope.js'
import type { Tree } from '../../../tree/tree.js'
import { neverUsed, treeRulesOf, words } from '../../../rules/tree-rules.js'
import { fieldsAround, notSelected, scopeOf } from './scope.js'

const bug = treeRulesOf('java', 'java', 'bugs')

const wordsOutsideImports = remember((tree: Tree) =>
  countsIn(tree.source.text.replace(/^import .*$/gm, ''), notSelected)
)

const isFilledElsewhere = remember((tree: Tree): boolean =>
  /@(?:Data|Getter|Value|Entity|Builder)\b/.test(tree.source.text)
)

export const javaUnusedRules = [
  bug(
    'unused-import',
    'warning',
    words.unusedImport,
    'import_declaration',
    (node, tree) => {
      if (/\*|\bstatic\b/.test(node.text())) return false
      const name = /(\w+)\s*;$/.exec(node.text())?.[1] ?? ''
      return name !== '' && !wordsOutsideImports(tree).has(name)
    },
    neverUsed('imported', (node) => /(\w+)\s*;$/.exec(node.text())?.[1] ?? '')
  ),
  bug(
    'unused-variable',
    'warning',
    words.unused,
    'local_variable_declaration',
    (node) => {
      const name = textOf(node.field('declarator')?.field('name') ?? null)
      return (
        name !== '' &&
        !/^(?:unused|ignored?)/.test(name) &&
        scopeOf(node)?.words.get(name) === 1 &&
        kindOf(node.parent()) !== 'for_statement'
      )
    },
    neverUsed('declared', (node) => textOf(node.field('declarator')?.field('name') ?? null))
  ),
  bug(
    'unused-field',
    'info',
    words.unused,
    'field_declaration',
    (node, tree) => {
      const name = textOf(node.field('declarator')?.field('name') ?? null)
      return (
        /^private\b/.test(node.text()) &&
        !/@|serialVersionUID/.test(node.text()) &&
        wordCounts(tree).get(name) === 1 &&
        !isFilledElsewhere(tree)
      )
    },
    neverUsed('declared', (node) => textOf(node.field('declarator')?.field('name') ?? null))
  ),
  bug(
    'shadowed-field',
    'info',
    { sentence: 'This local variable shadows a field.', suggestion: 'Rename the local variable.' },
    'local_variable_declaration',
    (node) => {
      return fieldsAround(node)?.names.has(textOf(node.field('declarator')?.field('name') ?? null)) === true
    }
  )
]
