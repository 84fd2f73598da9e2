import { ancestor, below, kindOf, named, textOf } from '../../tree/nodes.js'
import type { Tree, TreeNode } from '../../tree/tree.js'
import { byName, perScope, type Rewrite } from '../../fix/rewrite.js'
import { remember } from '../../remember.js'

const stdTypes = 'Vec|String|HashMap|HashSet|BTreeMap|BTreeSet|VecDeque|BinaryHeap|LinkedList'
const stdType = new RegExp(
  `^&?(?:'\\w+ )?(?:mut )?(?:str|\\[[\\s\\S]*\\]|(?:std::\\w+::)?(${stdTypes})(?:<[\\s\\S]*>)?)$`
)
const stdMaker = new RegExp(`^(?:std::\\w+::)?(${stdTypes})(?:::<[\\s\\S]*>)?::(?:new|from|with_capacity)$`)
const binders = [
  'let_declaration',
  'parameter',
  'for_expression',
  'let_condition',
  'match_arm',
  'closure_parameters'
]

const foreignUses = remember((tree: Tree) =>
  tree
    .nodes('use_declaration')
    .map(textOf)
    .filter((use) => !/^(?:pub )?use (?:std|alloc)::/.test(use))
    .join('\n')
)
const ownTypes = remember(
  (tree: Tree) =>
    new Set(
      [...tree.source.text.matchAll(/\b(?:struct|enum|union|type|trait) (\w+)/g)].map((match) => match[1]!)
    )
)
const hasLen = remember((tree: Tree) => /\bfn len\b/.test(tree.source.text))

/** The names of the standard library can be taken by others. */
function isStandard(name: string | undefined, tree: Tree): boolean {
  return (
    name === undefined ||
    (!ownTypes(tree).has(name) && !new RegExp(`\\*|\\b${name}\\b`).test(foreignUses(tree)))
  )
}

function isStandardType(type: TreeNode | null, tree: Tree): boolean {
  const match = stdType.exec(textOf(type))
  return match !== null && isStandard(match[1], tree)
}

function isStandardValue(value: TreeNode | null, tree: Tree): boolean {
  if (kindOf(value) === 'string_literal') return true
  if (kindOf(value) === 'macro_invocation') return /^(?:vec|format)$/.test(textOf(value!.field('macro')))
  const match = kindOf(value) === 'call_expression' ? stdMaker.exec(textOf(value!.field('function'))) : null
  return match !== null && isStandard(match[1], tree)
}

const bindingsIn = perScope((scope) =>
  byName(
    binders.flatMap((kind) => below(scope, kind)),
    (each) => textOf(kindOf(each) === 'closure_parameters' ? each : each.field('pattern'))
  )
)

const isStandardName = perScope((scope, tree, name) => {
  const bindings = bindingsIn(scope, tree).get(name) ?? []
  return (
    bindings.length > 0 &&
    bindings.every(
      (each) =>
        textOf(each.field('pattern')).replace(/^mut /, '') === name &&
        (each.field('type') === null
          ? isStandardValue(each.field('value'), tree)
          : isStandardType(each.field('type'), tree))
    )
  )
})

const isStandardField = perScope((owner, tree, name) => {
  const type = textOf(owner.field('type')).replace(/<[\s\S]*$/, '')
  const fields = tree
    .nodes('struct_item')
    .filter((struct) => textOf(struct.field('name')) === type)
    .flatMap((struct) => below(struct, 'field_declaration'))
  return fields.some(
    (each) => textOf(each.field('name')) === name && isStandardType(each.field('type'), tree)
  )
})

/**
 * A name whose every binding in the function has a type of the standard library, or a field of a struct of
 * this code that has one.
 */
function isStandardReceiver(receiver: string, node: TreeNode, tree: Tree): boolean {
  const field = /^self\.(\w+)$/.exec(receiver)?.[1]
  const scope = ancestor(node, [field === undefined ? 'function_item' : 'impl_item'])
  if (scope === null) return false
  return field === undefined
    ? /^\w+$/.test(receiver) && isStandardName(scope, tree, receiver)
    : isStandardField(scope, tree, field)
}

function isEmpty(node: TreeNode, tree: Tree): string | null {
  const match = /^([\w.]+)\.len\(\) (== 0|> 0|!= 0|>= 1)$/.exec(node.text())
  // A type of this code with a len need not have an is_empty.
  if (match === null || hasLen(tree) || !isStandardReceiver(match[1]!, node, tree)) return null
  return `${match[2] === '== 0' ? '' : '!'}${match[1]}.is_empty()`
}

const blocks = /^(?:if|match|unsafe|loop|while|for|async|const)\b|^[{']/
const blockKinds = /^(?:if|match|loop|while|for)_expression$|^(?:unsafe_|async_|const_)?block$/
/** Calls whose result holds no borrow, whatever they are called on. */
const plainCall = /\.(?:len|is_empty)\(\)$/

/**
 * What a last expression makes on its way lives longer than the names of the function, and may borrow from
 * them: a result of a call is fine where it is passed on, not where something is called on it or compared
 * with it.
 */
function makesTemporaries(expression: TreeNode): boolean {
  return ['call_expression', 'macro_invocation', 'await_expression']
    .flatMap((kind) => below(expression, kind))
    .some(
      (call) =>
        /^(?:field|reference|unary|index|binary|match|range|try|await)_expression$|^let_condition$/.test(
          kindOf(call.parent())
        ) && !plainCall.test(call.text())
    )
}

function lastExpression(node: TreeNode): string | null {
  const block = node.parent()
  const returned = named(node)[0] ?? null
  const expression = named(returned)[0]
  if (
    kindOf(returned) !== 'return_expression' ||
    expression === undefined ||
    kindOf(block?.parent()) !== 'function_item'
  ) {
    return null
  }
  const isLast =
    block!
      .children()
      .filter((child) => child.isNamed())
      .at(-1)
      ?.id() === node.id()
  if (!isLast || kindOf(node.prev()) === 'attribute_item' || makesTemporaries(expression)) return null
  // A block at the start of a statement ends it.
  if (blocks.test(expression.text()) && !blockKinds.test(kindOf(expression))) return null
  return /^return ([\s\S]+);$/.exec(node.text())?.[1] ?? null
}

export const rustRewrites: readonly Rewrite[] = [
  {
    language: 'rust',
    ruleId: 'rust/is-empty',
    kind: 'binary_expression',
    description: 'Used is_empty.',
    rewrite: isEmpty
  },
  {
    language: 'rust',
    ruleId: 'rust/needless-return',
    kind: 'expression_statement',
    description: 'Made the last expression the result.',
    rewrite: lastExpression
  }
]
