import { kindOf, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
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
  bug.warning('unused-import', {
    ...words.unusedImport,
    kinds: 'import_declaration',
    when: (node, tree) => {
      if (/\*|\bstatic\b/.test(node.text())) return false
      const name = /(\w+)\s*;$/.exec(node.text())?.[1] ?? ''
      return name !== '' && !wordsOutsideImports(tree).has(name)
    },
    ...neverUsed('imported', (node) => /(\w+)\s*;$/.exec(node.text())?.[1] ?? '')
  }),
  bug.warning('unused-variable', {
    ...words.unused,
    kinds: 'local_variable_declaration',
    when: (node) => {
      const name = textOf(node.field('declarator')?.field('name'))
      return (
        name !== '' &&
        !/^(?:unused|ignored?)/.test(name) &&
        scopeOf(node)?.words.get(name) === 1 &&
        kindOf(node.parent()) !== 'for_statement'
      )
    },
    ...neverUsed('declared', (node) => textOf(node.field('declarator')?.field('name')))
  }),
  bug.info('unused-field', {
    ...words.unused,
    kinds: 'field_declaration',
    when: (node, tree) => {
      const name = textOf(node.field('declarator')?.field('name'))
      return (
        /^private\b/.test(node.text()) &&
        !/@|serialVersionUID/.test(node.text()) &&
        wordCounts(tree).get(name) === 1 &&
        !isFilledElsewhere(tree)
      )
    },
    ...neverUsed('declared', (node) => textOf(node.field('declarator')?.field('name')))
  }),
  bug.info('shadowed-field', {
    sentence: 'This local variable shadows a field.',
    suggestion: 'Rename the local variable.',
    kinds: 'local_variable_declaration',
    when: (node) => {
      return fieldsAround(node)?.names.has(textOf(node.field('declarator')?.field('name'))) === true
    }
  })
]
