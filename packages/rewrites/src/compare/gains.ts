import { kindOf, type TreeNode, type Grammar, tokensOf } from '@filewright/analysis/parsing'

/** Quantities that can be counted in a unit. A lower count is a gain. */
export interface Measures {
  complexity: number
  nesting: number
  /** Iterations over a list: loops, and methods that iterate. */
  passes: number
  /** Expensive operations inside a loop: waiting, searching a list, copying, allocating. */
  loopWork: number
  /** The number of waits. */
  waits: number
  tokens: number
}

const walking =
  /^(?:map|filter|reduce|forEach|some|every|find|findIndex|flatMap|sort|slice|concat|reverse|sorted|list|sum|any|all|min|max|iter|collect|stream|keys|values|entries)$/
const searching =
  /^(?:includes|indexOf|lastIndexOf|find|findIndex|filter|some|concat|count|index|contains|query|execute|fetchone|sort|slice|push_str|clone|compile|Sprintf|format)$/
const making =
  /^(?:new_expression|object_creation_expression|array_creation_expression|spread_element|list_comprehension|regex)$/

/** A list by its first value, and a string or bytes that start empty. */
const lists = /^[ \t]*(?:const |let |var )?(\w+)[ \t]*(?::[^=\n]{1,80})?=[ \t]*(?:\[|list\()/gm
const emptyTexts = /^[ \t]*(?:let |var )?(\w+)[ \t]*(?::[^=\n]{1,80})?=[ \t]*[bru]?(?:""|''|``);?[ \t]*$/gm
const namesIn = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set([...text.matchAll(pattern)].map(([, name = '']) => name))

export function measuresOf(unit: TreeNode, grammar: Grammar): Measures {
  const text = unit.text()
  const known = { lists: namesIn(text, lists), texts: namesIn(text, emptyTexts) }
  const counted: Measures = {
    complexity: 1,
    nesting: 0,
    passes: 0,
    loopWork: 0,
    waits: 0,
    tokens: tokensOf(unit).length
  }

  function visit(node: TreeNode, depth: number, isInLoop: boolean): void {
    const kind = kindOf(node)
    if (/comment/.test(kind)) return
    if (grammar.decisions.has(kind)) counted.complexity++
    const operator = node.field('operator')?.text()
    if (grammar.binaries.has(kind) && (operator === '&&' || operator === '||' || operator === '??')) {
      counted.complexity++
    }
    const isLoop = grammar.loops.has(kind)
    if (isLoop) counted.passes++
    let walks = false
    if (grammar.calls.has(kind)) {
      const callee = node.field('function') ?? node.field('name')
      const name = /(\w+)$/.exec(callee?.text() ?? '')?.[1] ?? ''
      walks =
        walking.test(name) &&
        (callee?.field('property') != null ||
          callee?.field('attribute') != null ||
          kind === 'method_invocation' ||
          grammar.parser === 'rust')
      if (walks) counted.passes++
      if (isInLoop && searching.test(name)) counted.loopWork++
    }
    if (kind === 'await_expression' || kind === 'await') counted.waits++
    const isCostly =
      grammar.awaits.has(kind) ||
      making.test(kind) ||
      isGrowingText(node, kind, known.texts) ||
      isListSearch(node, kind, known.lists)
    if (isInLoop && isCostly) {
      counted.loopWork++
    }
    // An else-if is not nested deeper than its if.
    const isDeeper = grammar.blocks.has(kind) && depth >= 0
    const inner = isDeeper ? depth + 1 : depth
    counted.nesting = Math.max(counted.nesting, inner)
    // A function inside is usually called more than once.
    const isRepeated = isInLoop || isLoop || (kind === 'function_definition' && node.id() !== unit.id())
    for (const child of node.children()) {
      visit(child, inner, isRepeated || (walks && child.id() === node.field('arguments')?.id()))
    }
  }

  visit(unit, 0, false)
  return counted
}

const assigning =
  /^(?:augmented_assignment|augmented_assignment_expression|assignment|assignment_statement|assignment_expression)$/

function isGrowingText(node: TreeNode, kind: string, texts: ReadonlySet<string>): boolean {
  if (!assigning.test(kind)) return false
  const [, name = '', plus, rest = ''] = /^(\w+)\s*(\+?)=([^]*)$/.exec(node.text()) ?? []
  if (plus === '+') return texts.has(name) || /["'`]/.test(rest)
  return texts.has(name) && new RegExp(`^\\s*${name}\\s*\\+|\\+\\s*${name}\\s*;?$`).test(rest)
}

/** Python: whether it searches a list from its beginning. */
function isListSearch(node: TreeNode, kind: string, lists: ReadonlySet<string>): boolean {
  if (kind !== 'comparison_operator') return false
  const [, name = ''] = /\bin\s+(\w+)$/.exec(node.text()) ?? []
  return lists.has(name)
}

/** Describes which quantities became smaller. */
export function gainsOf(before: Measures, after: Measures): string[] {
  const gains: string[] = []
  if (after.complexity < before.complexity) gains.push('complexity')
  if (after.nesting < before.nesting && after.complexity <= before.complexity + 1) gains.push('nesting')
  if (after.loopWork < before.loopWork) gains.push('work in loops')
  if (after.waits < before.waits && after.waits > 0) gains.push('waiting')
  if (after.passes < before.passes && after.loopWork <= before.loopWork) gains.push('passes')
  if (
    after.tokens < before.tokens &&
    after.complexity <= before.complexity &&
    after.loopWork <= before.loopWork
  ) {
    gains.push('length')
  }
  return gains
}
