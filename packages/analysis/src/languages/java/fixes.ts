import { ancestor, below, kindOf, named, textOf } from '../../tree/nodes.js'
import type { Tree, TreeNode } from '../../tree/tree.js'
import { byName, perScope, type Rewrite } from '../../fix/rewrite.js'
import { remember } from '../../remember.js'

const collection =
  /^(?:java\.util\.)?((?:Array|Linked)?List|(?:Linked|Tree)?(?:Hash)?(?:Map|Set)|Sorted(?:Map|Set)|Collection|(?:Priority)?Queue|(?:Array)?Deque|Vector|Stack)(?:<[\s\S]*>)?$/
/** Names that come into being without a type beside them, or by a pattern. */
const untyped = [
  'lambda_expression',
  'type_pattern',
  'record_pattern',
  'instanceof_expression',
  'spread_parameter',
  'catch_formal_parameter',
  'resource'
]

const ownNames = remember(
  (tree: Tree) =>
    new Set(
      [
        ...tree.source.text.matchAll(/\b(?:class|interface|enum|record) (\w+)/g),
        ...tree.nodes('type_parameter').map((each) => ['', each.text().split(/\W/)[0]!])
      ].map((match) => match[1]!)
    )
)
const importsOf = remember((tree: Tree) => tree.nodes('import_declaration').map(textOf))

/** Whether a simple name means the class of the standard library here. */
function isStandard(name: string, home: string, tree: Tree): boolean {
  const imports = importsOf(tree)
  if (
    ownNames(tree).has(name) ||
    imports.some((each) => each.endsWith(`.${name};`) && each !== `import ${home}.${name};`)
  ) {
    return false
  }
  return (
    home === 'java.lang' ||
    imports.includes(`import ${home}.${name};`) ||
    imports.every((each) => !each.endsWith('.*;') || each === `import ${home}.*;`)
  )
}

function isCollection(type: TreeNode | null, value: TreeNode | null, tree: Tree): boolean {
  const written =
    textOf(type) === 'var' && kindOf(value) === 'object_creation_expression'
      ? textOf(value!.field('type'))
      : textOf(type)
  const name = collection.exec(written)?.[1]
  return name !== undefined && isStandard(name, 'java.util', tree)
}

const namedWithoutType = remember((tree: Tree) =>
  byName(
    untyped.flatMap((kind) => tree.nodes(kind)),
    (each) => textOf(kindOf(each) === 'lambda_expression' ? each.field('parameters') : each)
  )
)
const declarationsOf = remember((tree: Tree) =>
  byName(
    ['variable_declarator', 'formal_parameter', 'enhanced_for_statement'].flatMap((kind) => tree.nodes(kind)),
    (each) => textOf(each.field('name'))
  )
)
const declaredIn = perScope(
  (scope) =>
    new Set(
      [...below(scope, 'variable_declarator'), ...below(scope, 'formal_parameter')].map((each) =>
        textOf(each.field('name'))
      )
    )
)
const fieldsIn = perScope(
  (body) =>
    new Set(
      named(body)
        .filter((each) => kindOf(each) === 'field_declaration')
        .flatMap((each) => below(each, 'variable_declarator'))
        .map((each) => textOf(each.field('name')))
    )
)

/** Nowhere in the code is the name anything but a collection. */
const isAlwaysCollection = perScope(
  (_root, tree, name) =>
    !namedWithoutType(tree).has(name) &&
    (declarationsOf(tree).get(name) ?? []).every((each) =>
      kindOf(each) === 'variable_declarator'
        ? each.field('dimensions') === null &&
          isCollection(each.parent()?.field('type') ?? null, each.field('value'), tree)
        : kindOf(each) === 'formal_parameter' && isCollection(each.field('type'), null, tree)
    )
)

function isCollectionName(receiver: string, node: TreeNode, tree: Tree): boolean {
  const name = receiver.replace(/^this\./, '')
  const method = ancestor(node, ['method_declaration', 'constructor_declaration'])
  const body = ancestor(node, ['class_body'])
  const isNear =
    (method !== null && declaredIn(method, tree).has(name)) ||
    (body !== null && fieldsIn(body, tree).has(name))
  return isNear && isAlwaysCollection(tree.root, tree, name)
}

function isEmpty(node: TreeNode, tree: Tree): string | null {
  const match = /^([\w.]+)\.size\(\) (== 0|> 0|!= 0)$/.exec(node.text())
  if (match === null || !isCollectionName(match[1]!, node, tree)) return null
  return `${match[2] === '== 0' ? '' : '!'}${match[1]}.isEmpty()`
}

const plain = /_literal$|^(?:true|false)$/

/** valueOf shares objects: code that looks at their identity would notice. */
const looksAtIdentity = remember((tree: Tree) => {
  if (
    /\bsynchronized\s*\(|\bIdentityHashMap\b|\bidentityHashCode\b|\bassert(?:Not)?Same\b|\bWeak(?:Reference|HashMap)\b/.test(
      tree.source.text
    )
  ) {
    return true
  }
  return tree
    .nodes('binary_expression')
    .some(
      (node) =>
        /^[!=]=$/.test(textOf(node.field('operator'))) &&
        ![node.field('left'), node.field('right')].some((side) => plain.test(kindOf(side)))
    )
})

function valueOf(node: TreeNode, tree: Tree): string | null {
  const match = /^new (Integer|Long|Double|Boolean)\(([\w.]+)\)$/.exec(node.text())
  return match === null || !isStandard(match[1]!, 'java.lang', tree) || looksAtIdentity(tree)
    ? null
    : `${match[1]}.valueOf(${match[2]})`
}

export const javaRewrites: readonly Rewrite[] = [
  {
    language: 'java',
    ruleId: 'java/size-check',
    kind: 'binary_expression',
    description: 'Used isEmpty.',
    rewrite: isEmpty
  },
  {
    language: 'java',
    ruleId: 'java/boxed-constructor',
    kind: 'object_creation_expression',
    description: 'Used valueOf instead of a constructor.',
    rewrite: valueOf
  }
]
