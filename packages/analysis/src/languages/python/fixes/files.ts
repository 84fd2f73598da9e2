import { ancestor, below, kindOf, named, textOf } from '../../../tree/nodes.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { maxCandidates, type Edit } from '../../../fix/edits.js'

const ruleId = 'py/open-file-with-context-handler'
const description = 'Opened the file in a with statement, which closes it in any case.'

/** The step by which the code indents its blocks. */
function stepOf(text: string): string {
  const indents = Array.from(text.matchAll(/:[ \t]*\n([ \t]+)\S/g), ([, indent]) => indent!)
  return indents.reduce(
    (shortest, each) => (each.length < shortest.length ? each : shortest),
    indents[0] ?? '    '
  )
}

const indentOf = (text: string, at: number): string | null => {
  const indent = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[ \t]*$/.test(indent) ? indent : null
}

/** Lines moved one step inwards; null where a text goes over several lines and would change with them. */
function indented(text: string, nodes: readonly TreeNode[], step: string): string | null {
  const hasLongText = nodes.some((node) => below(node, 'string').some((each) => each.text().includes('\n')))
  return hasLongText || /\\\n/.test(text) ? null : text.replace(/\n(?=[^\n])/g, `\n${step}`)
}

const isOpen = (node: TreeNode | null): boolean =>
  kindOf(node) === 'call' && /^(?:io\.)?open$/.test(textOf(node!.field('function')))

/** Whether a name is only read, or something is asked of what it holds. */
function isRead(node: TreeNode): boolean {
  const parent = node.parent()
  switch (kindOf(parent)) {
    case 'attribute':
      return parent!.field('object')?.id() === node.id() && kindOf(parent!.parent()) === 'call'
    case 'argument_list':
      return true
    case 'for_statement':
    case 'for_in_clause':
      return parent!.field('right')?.id() === node.id()
    default:
      return false
  }
}

/** Whether a way leads out of a statement past the call of close: what left that way finds the file open. */
function leavesEarly(statement: TreeNode, opened: number): boolean {
  const all = (kind: string): TreeNode[] => [
    ...(kindOf(statement) === kind ? [statement] : []),
    ...below(statement, kind)
  ]
  const leavesLoop = (each: TreeNode): boolean => {
    const loop = ancestor(each, ['for_statement', 'while_statement'])
    return loop === null || loop.range().start.index < opened
  }
  return (
    [...all('return_statement'), ...all('yield')].length > 0 ||
    [...all('break_statement'), ...all('continue_statement')].some(leavesLoop)
  )
}

/** `f = open(…)` … `f.close()` in one block. */
function closedByHand(assignment: TreeNode, tree: Tree, step: string): Edit | null {
  const { text } = tree.source
  const statement = assignment.parent()
  const name = textOf(assignment.field('left'))
  if (kindOf(statement) !== 'expression_statement' || kindOf(assignment.field('left')) !== 'identifier') {
    return null
  }
  if (assignment.field('type') !== null) return null
  const between: TreeNode[] = []
  let close = statement!.next()
  while (close !== null && close.text() !== `${name}.close()`) {
    between.push(close)
    close = close.next()
  }
  const scope = ancestor(assignment, ['function_definition', 'module'])
  if (close === null || scope === null || between.length === 0) return null
  const start = statement!.range().start.index
  const end = close.range().end.index
  const uses = below(scope, 'identifier').filter((each) => each.text() === name)
  const inside = uses.filter((each) => each.range().start.index >= start && each.range().end.index <= end)
  // The name stands for this file alone.
  if (inside.length !== uses.length || !inside.slice(1, -1).every(isRead)) return null
  if (
    between.some((each) => indentOf(text, each.range().start.index) === null && kindOf(each) !== 'comment')
  ) {
    return null
  }
  if (between.some((each) => leavesEarly(each, start))) return null
  if (indentOf(text, start) === null || indentOf(text, close.range().start.index) === null) return null
  if (!/^[ \t]*(?:\n|$)/.test(text.slice(end))) return null
  const body = indented(
    text.slice(statement!.range().end.index, close.range().start.index).trimEnd(),
    between,
    step
  )
  if (body === null || /[^\\]\n[ \t]*\S/.test(statement!.text()) || body.startsWith(';')) return null
  return {
    start,
    end,
    text: `with ${textOf(assignment.field('right'))} as ${name}:${body}`,
    ruleId,
    description
  }
}

const loaders = /^(?:json|pickle|tomllib|yaml)\.(?:load|safe_load)$/

/** The call of open that a value begins with: `open(p).read().split()`, `json.load(open(p))`. */
function openedIn(start: TreeNode | null): TreeNode | null {
  let node = start
  let isRead = false
  while (node !== null) {
    if (isOpen(node)) return isRead ? node : null
    const callee = kindOf(node) === 'call' ? node.field('function') : null
    if (kindOf(callee) === 'attribute') {
      const [argument, ...others] = named(node.field('arguments'))
      if (loaders.test(callee!.text()) && others.length === 0 && isOpen(argument ?? null)) return argument!
      // What is called on the file itself must take all of it before the file is closed.
      isRead = isRead || /^(?:read|readlines|readline|write)$/.test(textOf(callee!.field('attribute')))
      node = callee!.field('object')
    } else if (kindOf(node) === 'subscript') node = node.field('value')
    else return null
  }
  return null
}

/** A file that is opened, read and forgotten in one statement. */
function openedInside(call: TreeNode, tree: Tree, step: string): Edit | null {
  const { text } = tree.source
  const statement = ancestor(
    call,
    ['expression_statement', 'return_statement'],
    ['lambda', 'list_comprehension']
  )
  const [inner] = statement === null ? [] : named(statement)
  const value = kindOf(inner) === 'assignment' ? inner!.field('right') : (inner ?? null)
  if (statement === null || openedIn(value)?.id() !== call.id()) return null
  const { start, end } = statement.range()
  const indent = indentOf(text, start.index)
  const name = ['file', 'opened'].find((each) => !new RegExp(`\\b${each}\\b`).test(text))
  if (indent === null || name === undefined || statement.text().includes('\n')) return null
  if (/^[ \t]*;/.test(text.slice(end.index)) || !/^(?:block|module)$/.test(kindOf(statement.parent()))) {
    return null
  }
  const at = call.range()
  const rest = text.slice(start.index, at.start.index) + name + text.slice(at.end.index, end.index)
  return {
    start: start.index,
    end: end.index,
    text: `with ${call.text()} as ${name}:\n${indent}${step}${rest}`,
    ruleId,
    description
  }
}

/** Files that are closed only if nothing fails. */
export function* filesInWith(tree: Tree): Generator<Edit> {
  const { text } = tree.source
  if (!/\bopen\(/.test(text) || /\bdef open\b|\bimport\b[^\n]*\bopen\b|(?<![\w.])open\s*=/.test(text)) return
  const step = stepOf(text)
  for (const call of tree.nodes('call').filter(isOpen).slice(0, maxCandidates)) {
    const parent = call.parent()
    const isWhole = kindOf(parent) === 'assignment' && parent!.field('right')?.id() === call.id()
    const edit = isWhole ? closedByHand(parent!, tree, step) : openedInside(call, tree, step)
    if (edit !== null) yield edit
  }
}
