import { ancestor, below, isString, kindOf, named, textOf } from '../../../tree/nodes.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { byName, perScope, type Rewrite } from '../../../fix/rewrite.js'
import { remember } from '../../../remember.js'

const binders = [
  'parameter_declaration',
  'variadic_parameter_declaration',
  'short_var_declaration',
  'var_spec',
  'range_clause',
  'type_switch_statement',
  'receive_statement',
  'const_spec'
]

function namesOf(binder: TreeNode): TreeNode[] {
  if (/^(?:parameter_declaration|var_spec)$/.test(kindOf(binder))) {
    return binder.children().filter((child) => kindOf(child) === 'identifier')
  }
  return named(binder.field('left'))
}

/** Comparisons give a plain bool, and so does the second result of a lookup. */
function isBoolValue(declaration: TreeNode, name: string): boolean {
  const names = namesOf(declaration).map(textOf)
  const values = named(declaration.field('right'))
  const [value] = values
  if (value === undefined || values.length !== 1) return false
  if (names.length === 2) {
    return (
      names[1] === name &&
      (/^(?:index_expression|type_assertion_expression)$/.test(kindOf(value)) ||
        value.text().startsWith('<-'))
    )
  }
  return (
    names[0] === name &&
    (/^(?:true|false)$/.test(value.text()) ||
      (kindOf(value) === 'binary_expression' &&
        /^(?:==|!=|<|>|<=|>=)$/.test(textOf(value.field('operator')))))
  )
}

const isBoolTaken = remember((tree: Tree) =>
  /\b(?:bool|true)\s*:?=[^=]|\btype bool\b/.test(tree.source.text.replace(/\bvar \w+ bool =/g, ''))
)
const bindingsIn = perScope((scope) =>
  byName(
    binders.flatMap((kind) => below(scope, kind)),
    (each) =>
      kindOf(each) === 'type_switch_statement'
        ? textOf(each.field('alias'))
        : namesOf(each).map(textOf).join(' ')
  )
)

/** Any other type that is compared with true, such as an interface, cannot stand in its place. */
const isBool = perScope((scope, tree, name) => {
  const bindings = bindingsIn(scope, tree).get(name) ?? []
  return (
    bindings.length > 0 &&
    bindings.every((each) =>
      /^(?:parameter_declaration|var_spec)$/.test(kindOf(each))
        ? textOf(each.field('type')) === 'bool'
        : kindOf(each) === 'short_var_declaration' && isBoolValue(each, name)
    )
  )
})

function itself(node: TreeNode, tree: Tree): string | null {
  const name = /^(\w+) == true$/.exec(node.text())?.[1]
  const scope =
    name === undefined || isBoolTaken(tree)
      ? null
      : ancestor(node, ['function_declaration', 'method_declaration'])
  return scope !== null && isBool(scope, tree, name) ? name! : null
}

/** The arguments of a Sprintf that alone makes the text of an error. */
function formatOf(node: TreeNode): TreeNode | null {
  const [inner, ...others] =
    textOf(node.field('function')) === 'errors.New' ? named(node.field('arguments')) : []
  if (
    inner === undefined ||
    others.length > 0 ||
    kindOf(inner) !== 'call_expression' ||
    textOf(inner.field('function')) !== 'fmt.Sprintf'
  ) {
    return null
  }
  const list = inner.field('arguments')
  const format = named(list)[0] ?? null
  // Errorf would wrap what %w stands for.
  return isString(format) &&
    !/%[^%\s]*w/.test(textOf(format)) &&
    !/\/[/*]/.test(node.text().replace(list!.text(), ''))
    ? list
    : null
}

/**
 * An import that nothing uses any more does not compile, and other packages of the name make other errors.
 */
const canLeaveErrors = remember((tree: Tree) => {
  const imports = tree.nodes('import_spec').map(textOf)
  const uses = tree
    .nodes('selector_expression')
    .filter((each) => textOf(each.field('operand')) === 'errors').length
  return (
    imports.includes('"errors"') &&
    imports.includes('"fmt"') &&
    uses > tree.nodes('call_expression').filter((each) => formatOf(each) !== null).length
  )
})

function errorf(node: TreeNode, tree: Tree): string | null {
  const list = formatOf(node)
  return list !== null && canLeaveErrors(tree) ? `fmt.Errorf${list.text()}` : null
}

export const goRewrites: readonly Rewrite[] = [
  {
    language: 'go',
    ruleId: 'go/boolean-compare',
    kind: 'binary_expression',
    description: 'Used the value itself.',
    rewrite: itself
  },
  {
    language: 'go',
    ruleId: 'go/errors-sprintf',
    kind: 'call_expression',
    description: 'Used fmt.Errorf.',
    rewrite: errorf
  }
]
