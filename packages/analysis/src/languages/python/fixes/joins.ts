import { ancestor, below, kindOf, named, textOf } from '../../../tree/nodes.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { maxCandidates, type Edit } from '../../../fix/edits.js'

/** Known to be a text: anything else would fail in another place. */
function isText(node: TreeNode | null): boolean {
  switch (kindOf(node)) {
    case 'string':
      return !/^[rR]?[bB]/.test(node!.text())
    case 'concatenated_string':
      return !/^[rR]?[bB]/.test(node!.text())
    case 'parenthesized_expression':
      return isText(named(node)[0] ?? null)
    case 'binary_operator':
      // Markup plus a text is markup, on either side.
      return (
        /^[+%]$/.test(textOf(node!.field('operator'))) &&
        isText(node!.field('left')) &&
        (textOf(node!.field('operator')) === '%' || isText(node!.field('right')))
      )
    case 'call': {
      const callee = node!.field('function')
      if (textOf(callee) === 'str') return true
      return (
        kindOf(callee) === 'attribute' &&
        /^(?:join|format)$/.test(textOf(callee!.field('attribute'))) &&
        isText(callee!.field('object'))
      )
    }
    default:
      return false
  }
}

/** Texts that grow in a loop, collected and joined once. */
export function* joinedTexts(tree: Tree): Generator<Edit> {
  const { text } = tree.source
  if (tree.nodes('augmented_assignment').length === 0) return
  for (const loop of tree.nodes('for_statement').slice(0, maxCandidates)) {
    const scope = ancestor(loop, ['function_definition'])
    const block = loop.parent()
    // Where an error is caught, what was collected so far would be missing. A with statement may catch one.
    if (
      scope === null ||
      block === null ||
      ancestor(loop, ['try_statement', 'with_statement'], ['function_definition']) !== null
    ) {
      continue
    }
    const added = below(loop, 'augmented_assignment').filter(
      (each) => ancestor(each, ['function_definition', 'lambda'])?.id() === scope.id()
    )
    for (const name of new Set(added.map((each) => textOf(each.field('left'))))) {
      const own = added.filter((each) => textOf(each.field('left')) === name)
      const edits = joined(name, own, loop, scope, text)
      if (edits === null) continue
      const group = {}
      for (const edit of edits) {
        yield {
          ...edit,
          ruleId: 'py/string-building-in-loop',
          description:
            onlyPiece(loop) === null
              ? 'Collected the pieces in a list and joined them once.'
              : 'Joined the pieces once.',
          group
        }
      }
    }
  }
}

function joined(
  name: string,
  added: readonly TreeNode[],
  loop: TreeNode,
  scope: TreeNode,
  text: string
): Pick<Edit, 'start' | 'end' | 'text' | 'about'>[] | null {
  const list = `${name}_parts`
  if (
    !/^[A-Za-z_]\w*$/.test(name) ||
    new RegExp(`\\b${list}\\b|\\b(?:global|nonlocal)\\b[^\\n]*\\b${name}\\b`).test(text)
  ) {
    return null
  }
  const isOwn = added.every(
    (each) =>
      textOf(each.field('operator')) === '+=' &&
      isText(each.field('right')) &&
      kindOf(each.parent()) === 'expression_statement'
  )
  const start = startOf(name, loop)
  if (!isOwn || start === null) return null
  const from = start.range().start.index
  const { start: loopStart, end: loopEnd } = loop.range()
  const uses = below(scope, 'identifier').filter((each) => each.text() === name)
  const lefts = new Set(added.map((each) => each.field('left')!.id()))
  const isFine = uses.every((each) => {
    const at = each.range().start.index
    if (at < from || at >= loopEnd.index) {
      return at >= loopEnd.index || kindOf(each.parent()) === 'keyword_argument'
    }
    return lefts.has(each.id()) || at < start.range().end.index
  })
  // What reads the text inside of the loop, or in a function made there, needs it as it is by then.
  if (!isFine || below(loop, 'yield').length > 0 || below(loop, 'return_statement').length > 0) return null
  const indent = text.slice(text.lastIndexOf('\n', loopStart.index - 1) + 1, loopStart.index)
  const lineEnd = text.indexOf('\n', loopEnd.index)
  const at = lineEnd === -1 ? text.length : lineEnd
  if (!/^[ \t]*$/.test(indent) || !/^[ \t]*(?:#.*)?$/.test(text.slice(loopEnd.index, at))) return null
  const only = onlyPiece(loop)
  if (only !== null) {
    const pieces = piecesOf(only, loop, scope)
    const line = wholeLine(start.range(), text)
    if (pieces === null || line === null) return null
    const about = only.value.range().start.index
    return [
      { ...line, text: '', about },
      { start: loopStart.index, end: loopEnd.index, text: `${name} = "".join(${pieces})`, about }
    ]
  }
  return [
    ...added.map((each) => ({
      start: each.range().start.index,
      end: each.range().end.index,
      text: `${list}.append(${textOf(each.field('right'))})`
    })),
    { start: from, end: start.range().end.index, text: `${list} = []` },
    { start: at, end: at, text: `\n${indent}${name} = "".join(${list})` }
  ]
}

interface Piece {
  value: TreeNode
  condition: TreeNode | null
}

/** What a loop adds that does nothing else: a list filled by it would better be a comprehension. */
function onlyPiece(loop: TreeNode): Piece | null {
  let [statement, ...others] = named(loop.field('body'))
  let condition: TreeNode | null = null
  if (kindOf(statement) === 'if_statement' && others.length === 0) {
    condition = statement!.field('condition')
    ;[statement, ...others] = named(statement!.field('consequence'))
  }
  const [added] = kindOf(statement) === 'expression_statement' ? named(statement!) : []
  return others.length === 0 && kindOf(added) === 'augmented_assignment'
    ? { value: added!.field('right')!, condition }
    : null
}

/** What means something else inside of a generator, or fails there in another way. */
const ownFrame = /^(?:super|__class__|next|locals|vars|eval|exec|globals)$/

/** The loop as an expression; null where that would lose a branch, a comment or a name. */
function piecesOf({ value, condition }: Piece, loop: TreeNode, scope: TreeNode): string | null {
  const isPlain =
    /^for\b/.test(loop.text()) &&
    ['else_clause', 'elif_clause', 'comment', 'await', 'named_expression'].every(
      (kind) => below(loop, kind).length === 0
    ) &&
    below(loop, 'identifier').every((each) => !ownFrame.test(each.text()))
  const target = loop.field('left')!
  const targets = new Set(
    [target, ...below(target, 'identifier')]
      .filter((each) => kindOf(each) === 'identifier')
      .map((each) => each.text())
  )
  const { start, end } = loop.range()
  // The names of a comprehension end with it, and what stands in a field would stay as it was.
  const isLocal =
    /^[\w\s,()]+$/.test(target.text()) &&
    below(scope, 'identifier').every((each) => {
      const at = each.range().start.index
      return (at >= start.index && at < end.index) || !targets.has(each.text())
    })
  if (!isPlain || !isLocal) return null
  const test = condition === null ? '' : ` if ${condition.text()}`
  return `${value.text()} for ${target.text()} in ${iterated(loop.field('right')!)}${test}`
}

/** As it may stand in a comprehension: `a, b` and `a if b else c` need parentheses there. */
const iterated = (node: TreeNode): string =>
  /^(?:expression_list|conditional_expression|lambda)$/.test(kindOf(node)) ? `(${node.text()})` : node.text()

/** The line that holds this alone, with its end. */
function wholeLine(
  range: ReturnType<TreeNode['range']>,
  text: string
): { start: number; end: number } | null {
  const start = text.lastIndexOf('\n', range.start.index - 1) + 1
  const end = text.indexOf('\n', range.end.index)
  const isAlone =
    end !== -1 &&
    /^[ \t]*$/.test(text.slice(start, range.start.index)) &&
    /^[ \t]*$/.test(text.slice(range.end.index, end))
  return isAlone ? { start, end: end + 1 } : null
}

/** The `name = ""` before the loop, in its block. */
function startOf(name: string, loop: TreeNode): TreeNode | null {
  for (let before = loop.prev(); before !== null; before = before.prev()) {
    const [inner] = kindOf(before) === 'expression_statement' ? named(before) : []
    if (kindOf(inner) === 'assignment' && textOf(inner!.field('left')) === name) {
      return /^(?:""|'')$/.test(textOf(inner!.field('right'))) && inner!.field('type') === null
        ? inner!
        : null
    }
  }
  return null
}
