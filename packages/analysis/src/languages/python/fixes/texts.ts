import { kindOf, named, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import { isNoTuple } from './types.js'
import type { SqlPiece } from '../../../fix/sql-parameters.js'

export interface PythonText {
  readonly pieces: readonly SqlPiece<TreeNode>[]
  /** The quotes of its first literal. */
  readonly quote: string
  /** Put together with +, which takes nothing but texts. */
  readonly isSum: boolean
}

/** The pieces of a text that is put together; null where they cannot be told apart with certainty. */
export function pythonTextOf(node: TreeNode): PythonText | null {
  switch (kindOf(node)) {
    case 'parenthesized_expression': {
      const [inner, ...others] = named(node)
      return inner === undefined || others.length > 0 ? null : pythonTextOf(inner)
    }
    case 'string':
      return literal(node)
    case 'concatenated_string': {
      const parts = named(node).map(literal)
      if (parts.includes(null) || parts.length === 0) return null
      return { ...parts[0]!, pieces: parts.flatMap((part) => part!.pieces) }
    }
    case 'binary_operator':
      return textOf(node.field('operator')) === '+' ? sum(node) : percent(node)
    case 'call':
      return format(node)
    default:
      return null
  }
}

function literal(node: TreeNode): PythonText | null {
  const start = node.children().find((each) => kindOf(each) === 'string_start')
  const [, prefix, quote] = /^([fF]?)("""|'''|"|')$/.exec(textOf(start)) ?? []
  if (quote === undefined) return null
  const pieces: SqlPiece<TreeNode>[] = []
  for (const child of named(node)) {
    const kind = kindOf(child)
    if (kind === 'string_content') {
      if (/\\/.test(child.text()) || (prefix !== '' && /[{}]/.test(child.text()))) return null
      pieces.push({ text: child.text() })
    } else if (kind === 'interpolation') {
      const [value, ...others] = named(child)
      // A format, a conversion or a `=` makes another text of the value.
      if (value === undefined || others.length > 0 || !/^\{\s*[\s\S]*[^=\s]\s*\}$/.test(child.text())) {
        return null
      }
      pieces.push({ value })
    } else if (!/^string_(?:start|end)$/.test(kind)) return null
  }
  return { pieces, quote, isSum: false }
}

function sum(node: TreeNode): PythonText | null {
  const left = pythonTextOf(node.field('left')!)
  const right = node.field('right')!
  if (left === null) return null
  const own = kindOf(right) === 'string' ? literal(right) : null
  if (kindOf(right) === 'string' && own === null) return null
  return { ...left, pieces: [...left.pieces, ...(own?.pieces ?? [{ value: right }])], isSum: true }
}

/** `"… %s" % (a, b)`. A value that is no tuple as it stands there may hold one, and would be taken apart. */
function percent(node: TreeNode): PythonText | null {
  const left = pythonTextOf(node.field('left')!)
  const right = node.field('right')!
  if (textOf(node.field('operator')) !== '%') return null
  if (kindOf(right) === 'tuple') return filled(left, /%s/, /%/, named(right))
  return isNoTuple(right) ? filled(left, /%s/, /%/, [right]) : null
}

function format(node: TreeNode): PythonText | null {
  const callee = node.field('function')
  if (kindOf(callee) !== 'attribute' || textOf(callee!.field('attribute')) !== 'format') return null
  const values = named(node.field('arguments'))
  if (values.some((each) => /^(?:keyword_argument|list_splat|dictionary_splat)$/.test(kindOf(each)))) {
    return null
  }
  return filled(pythonTextOf(callee!.field('object')!), /\{\}/, /[{}]/, values)
}

/** Values in the places of a format that has nothing but these places. */
function filled(
  text: PythonText | null,
  place: RegExp,
  special: RegExp,
  values: readonly TreeNode[]
): PythonText | null {
  if (text === null || text.isSum || text.pieces.some((piece) => 'value' in piece)) return null
  const parts = text.pieces
    .map((piece) => ('text' in piece ? piece.text : ''))
    .join('')
    .split(place)
  if (parts.length !== values.length + 1 || parts.some((part) => special.test(part))) return null
  const pieces = parts.flatMap((part, index): SqlPiece<TreeNode>[] => {
    const value = values[index]
    return value === undefined ? [{ text: part }] : [{ text: part }, { value }]
  })
  return { ...text, pieces }
}
