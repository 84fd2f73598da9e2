import { ancestor, below, kindOf, named, textOf } from '../../../tree/nodes.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { byName, perScope } from '../../../fix/rewrite.js'
import { remember } from '../../../remember.js'

export interface Span {
  start: number
  end: number
}

const callsOf = remember((tree: Tree) =>
  tree.nodes('call').map((node) => ({ node, start: node.range().start.index, end: node.range().end.index }))
)

/** In the order of the text. */
function callsIn({ start, end }: Span, tree: Tree): TreeNode[] {
  const calls = callsOf(tree)
  let low = 0
  for (let high = calls.length; low < high; ) {
    const middle = (low + high) >> 1
    if (calls[middle]!.start < start) low = middle + 1
    else high = middle
  }
  const found: TreeNode[] = []
  for (let call = calls[low]; call !== undefined && call.start < end; call = calls[++low]) {
    if (call.end <= end) found.push(call.node)
  }
  return found
}

const dictType = /^(?:typing\.)?(?:dict|Dict|defaultdict|OrderedDict)(?:\[[\s\S]*\])?$/

/** Where a name is only read, or what it holds is changed. */
function isUse(node: TreeNode): boolean {
  const parent = node.parent()
  switch (kindOf(parent)) {
    case 'attribute':
      return parent!.field('object')?.id() === node.id()
    case 'subscript':
      return parent!.field('value')?.id() === node.id()
    case 'keyword_argument':
      return parent!.field('value')?.id() === node.id()
    case 'for_statement':
    case 'for_in_clause':
    case 'assignment':
      return parent!.field('right')?.id() === node.id()
    case 'argument_list':
    case 'comparison_operator':
    case 'boolean_operator':
    case 'not_operator':
    case 'return_statement':
    case 'interpolation':
    case 'if_clause':
    case 'if_statement':
    case 'dictionary_splat':
    case 'list_splat':
    case 'pair':
    case 'list':
    case 'expression_statement':
      return true
    default:
      return false
  }
}

/** Where a name gets a value that is a dictionary and nothing but one. */
function isDictBinding(node: TreeNode): boolean {
  const parent = node.parent()
  if (kindOf(parent) === 'typed_parameter') return dictType.test(textOf(parent!.field('type')))
  if (kindOf(parent) === 'typed_default_parameter') {
    return parent!.field('name')?.id() === node.id() && dictType.test(textOf(parent!.field('type')))
  }
  if (kindOf(parent) !== 'assignment' || parent!.field('left')?.id() !== node.id()) return false
  const right = parent!.field('right')
  return (
    /^dictionary(?:_comprehension)?$/.test(kindOf(right)) ||
    textOf(right?.field('function')) === 'dict' ||
    dictType.test(textOf(parent!.field('type')))
  )
}

const identifiersIn = perScope((scope) => byName(below(scope, 'identifier'), textOf))

const isDictIn = perScope((scope, tree, name) => {
  const own = identifiersIn(scope, tree).get(name) ?? []
  return own.some(isDictBinding) && own.every((each) => isDictBinding(each) || isUse(each))
})

function isDict(name: TreeNode, tree: Tree): boolean {
  const scope = ancestor(name, ['function_definition', 'lambda', 'module'])
  return (
    scope !== null &&
    kindOf(name) === 'identifier' &&
    !isDictTaken(tree) &&
    isDictIn(scope, tree, name.text())
  )
}

/** Whether the code gives the built-in name a meaning of its own. */
const isDictTaken = remember((tree: Tree) =>
  /^[ \t]*(?:def|class) dict\b|(?<![\w.])dict\s*=[^=]|\bimport\b[^\n]*(?<![\w.])dict\b|\bimport \*/m.test(
    tree.source.text
  )
)

/**
 * keys() of another class, such as a database row, may hold what `in` on the object itself does not look at.
 */
function dropsKeysOfDict(span: Span, tree: Tree): boolean {
  const calls = callsIn(span, tree).filter(
    (call) => textOf(call.field('function')?.field('attribute')) === 'keys'
  )
  return calls.length > 0 && calls.every((call) => isDict(call.field('function')!.field('object')!, tree))
}

/**
 * An f-string takes its values in the order of the text, formats each at once, and drops what the text does
 * not name.
 */
function formatsPlainValues(span: Span, tree: Tree): boolean {
  const call = callsIn(span, tree).find(
    (each) => textOf(each.field('function')?.field('attribute')) === 'format'
  )
  if (call === undefined) return false
  const values = call.field('arguments')!
  const acts = ['call', 'await', 'yield', 'named_expression'].some((kind) => below(values, kind).length > 0)
  const text = textOf(call.field('function')!.field('object')).replace(/\{\{|\}\}/g, '')
  return !acts || (named(values).length === 1 && text.split('{').length === 2)
}

/** Sorting keeps the order of equals, which reversed turns around and a first sort made. */
function convertsOnly(span: Span, tree: Tree): boolean {
  return callsIn(span, tree)
    .slice(1, 2)
    .every((inner) => /^(?:list|tuple|set)$/.test(textOf(inner.field('function'))))
}

/** A text at the top of a body is its documentation, an f-string is not. */
function staysNoDocstring({ start }: Span, tree: Tree): boolean {
  const text = tree.nodes('string').find((each) => each.range().start.index === start)
  const statement = text?.parent() ?? null
  if (kindOf(statement) !== 'expression_statement') return true
  const body = statement!.parent()
  return !/^(?:block|module)$/.test(kindOf(body)) || named(body)[0]?.id() !== statement!.id()
}

const conditions: Readonly<Record<string, (span: Span, tree: Tree) => boolean>> = {
  F541: staysNoDocstring,
  SIM118: dropsKeysOfDict,
  UP032: formatsPlainValues,
  C414: convertsOnly
}

/** Whether a fix of Ruff's does the same in this place, as far as Ruff does not look itself. */
export function keepsMeaning(code: string, span: Span, tree: Tree | null): boolean {
  const condition = conditions[code]
  return condition === undefined || (tree !== null && condition(span, tree))
}
