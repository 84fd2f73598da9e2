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

export function measuresOf(unit: TreeNode, grammar: Grammar): Measures {
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
    if (isInLoop && (grammar.awaits.has(kind) || making.test(kind) || isGrowingText(node, kind))) {
      counted.loopWork++
    }
    // An else-if is not nested deeper than its if.
    const isDeeper = grammar.blocks.has(kind) && depth >= 0
    const inner = isDeeper ? depth + 1 : depth
    counted.nesting = Math.max(counted.nesting, inner)
    for (const child of node.children()) {
      visit(child, inner, isInLoop || isLoop || (walks && child.id() === node.field('arguments')?.id()))
    }
  }

  visit(unit, 0, false)
  return counted
}

function isGrowingText(node: TreeNode, kind: string): boolean {
  return (
    /^(?:augmented_assignment|augmented_assignment_expression|assignment_statement|assignment_expression)$/.test(
      kind
    ) &&
    /^\w+\s*\+=/.test(node.text()) &&
    /["'`]/.test(node.text())
  )
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
