import type { Language } from '@filewright/contracts'
import { kindOf, named, type TreeNode, type Grammar } from '@filewright/analysis/parsing'

/** An operation or value of a unit that a rewrite must not lose without proof. */
export interface Item {
  kind:
    | 'text'
    | 'number'
    | 'constant'
    | 'comparison'
    | 'condition'
    | 'arithmetic'
    | 'throw'
    | 'await'
    | 'call'
    | 'catch'
    | 'assignment'
  key: string
  /** The same key with its direction: `a < b` and `a >= b` have the same `key`, but not the same `polar`. */
  polar: string
  start: number
  end: number
  /** A deliberate mistake to put in its place, which the run check must detect. Null if there is none. */
  mutant: string | null
  /** Whether it is part of a loop's counter. */
  isHeader: boolean
}

const logical = new Set(['&&', '||', 'and', 'or'])
const order = new Set(['<', '>', '<=', '>='])
const equal: Readonly<Record<string, string>> = {
  '==': '==',
  '!=': '==',
  '===': '===',
  '!==': '===',
  is: 'is',
  'is not': 'is',
  in: 'in',
  'not in': 'in',
  instanceof: 'instanceof'
}
const ordered = new Set(['-', '/', '%', '**', '<<', '>>', '>>>', '//'])
const transparent = new Set(['parenthesized_expression', 'as_expression', 'non_null_expression'])

const flat = (node: TreeNode | null): string =>
  node === null ? '' : node.text().replace(/\s+/g, ' ').replace(/;$/, '')

function bare(node: TreeNode): TreeNode {
  let current = node
  while (transparent.has(kindOf(current))) current = named(current)[0] ?? current
  return current
}

function operatorOf(node: TreeNode): string {
  const operator = node.field('operator') ?? node.field('operators')
  if (operator !== null) return operator.text()
  return node
    .children()
    .filter((child) => !child.isNamed())
    .map((child) => child.text())
    .join(' ')
}

function operandsOf(node: TreeNode): [TreeNode, TreeNode] | null {
  const [left, right] = [node.field('left') ?? named(node)[0], node.field('right') ?? named(node).at(-1)]
  return left == null || right == null || left.id() === right.id() ? null : [left, right]
}

/** One key for a comparison, whether or not it is swapped or negated. */
function comparison(node: TreeNode): Pick<Item, 'key' | 'polar'> | null {
  const operands = operandsOf(node)
  if (operands === null) return null
  const operator = operatorOf(node)
  const [left, right] = operands.map((each) => flat(bare(each))) as [string, string]
  if (order.has(operator)) {
    const [low, high, isStrict] = operator.startsWith('<')
      ? [left, right, operator === '<']
      : [right, left, operator === '>']
    // not (low <= high) is high < low
    return {
      key: isStrict ? `${low} < ${high}` : `${high} < ${low}`,
      polar: isStrict ? `${low} < ${high}` : `${low} <= ${high}`
    }
  }
  const kind = equal[operator]
  if (kind === undefined) return null
  const key =
    kind === 'in' || kind === 'instanceof'
      ? `${left} ${kind} ${right}`
      : `${[left, right].sort().join(` ${kind} `)}`
  return { key, polar: operator === kind ? key : `not ${key}` }
}

/** The last name in the callee expression. */
function calleeOf(node: TreeNode): string {
  const callee =
    node.field('function') ??
    node.field('constructor') ??
    node.field('name') ??
    node.field('type') ??
    node.field('macro')
  return (/([\w$!]+)(?:<[^()]*>)?$/.exec(flat(callee)) ?? [])[1] ?? flat(callee)
}

function awaitedOf(node: TreeNode): string {
  const call = named(node)[0]
  return call === undefined ? '' : calleeOf(bare(call))
}

const otherConstant: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  null: '0',
  undefined: '0'
}

const otherPythonConstant: Readonly<Record<string, string>> = { True: 'False', False: 'True', None: '0' }

/** Writes a mistake in Python syntax. */
function inPython(mutant: string): string {
  if (mutant === ';') return 'pass'
  return mutant === '(void 0)' ? 'None' : mutant.replace(/^\(!\(/, '(not (')
}

/** Types do not exist at run time. */
const typeParts = new Set(['type_annotation', 'type_arguments', 'type_parameters', 'predefined_type'])

/** All items in a node, in text order. Mistakes are added only for languages that are run. */
export function itemsOf(unit: TreeNode, grammar: Grammar, runs: Language | null): Item[] {
  const canRun = runs !== null
  const items: Item[] = []

  function add(
    kind: Item['kind'],
    node: TreeNode,
    key: string,
    mutant: string | null,
    isHeader: boolean,
    polar = key
  ): void {
    const { start, end } = node.range()
    items.push({
      kind,
      key,
      polar,
      start: start.index,
      end: end.index,
      mutant: runs === 'python' && mutant !== null ? inPython(mutant) : canRun ? mutant : null,
      isHeader
    })
  }

  /** The parts of a condition that are not comparisons. */
  function condition(start: TreeNode, isDenied: boolean, isHeader: boolean): void {
    const node = bare(start)
    const kind = kindOf(node)
    if ((kind === 'unary_expression' && operatorOf(node) === '!') || kind === 'not_operator') {
      return condition(named(node).at(-1) ?? node, !isDenied, isHeader)
    }
    if (logical.has(operatorOf(node)) && operandsOf(node) !== null) {
      for (const each of operandsOf(node)!) condition(each, isDenied, isHeader)
      return
    }
    if (grammar.binaries.has(kind) && comparison(node) !== null) return
    const text = flat(node)
    add('condition', node, text, `(!(${text}))`, isHeader, isDenied ? `not ${text}` : text)
  }

  function visit(node: TreeNode, isHeader: boolean): void {
    const kind = kindOf(node)
    if (/comment/.test(kind) || typeParts.has(kind)) return
    if (grammar.texts.has(kind)) {
      const text = node.text().replace(/^["'`]|["'`]$/g, '')
      if (text.trim() !== '') {
        add(
          'text',
          node,
          text,
          kind === 'string_fragment' || runs === 'python' ? `${node.text()}~` : null,
          isHeader
        )
      }
      return
    }
    if (grammar.numbers.has(kind)) {
      add('number', node, node.text().replace(/_/g, ''), `(${node.text()} + 1)`, isHeader)
    } else if (grammar.constants.has(kind)) {
      add(
        'constant',
        node,
        node.text(),
        (runs === 'python' ? otherPythonConstant : otherConstant)[node.text()] ?? null,
        isHeader
      )
    } else if (grammar.throws.has(kind)) {
      if (!isPassedOn(node)) add('throw', node, flat(node), ';', isHeader)
    } else if (grammar.catches.has(kind)) {
      add(
        'catch',
        node,
        kind === 'catch_clause' && canRun ? 'catch' : flat(node).replace(/[:{].*$/, ''),
        null,
        isHeader
      )
    } else if (grammar.awaits.has(kind)) {
      add('await', node, awaitedOf(node), flat(node).replace(/^await\s+/, ''), isHeader)
    } else if (grammar.calls.has(kind)) add('call', node, calleeOf(node), '(void 0)', isHeader)
    else if (grammar.assignments.has(kind) && /[.[]/.test(flat(node.field('left')))) {
      add('assignment', node, flat(node.field('left')), '(void 0)', isHeader)
    } else if (grammar.binaries.has(kind)) {
      const compared = comparison(node)
      const operands = operandsOf(node)
      const operator = operatorOf(node)
      if (compared !== null) {
        add('comparison', node, compared.key, `(!(${flat(node)}))`, isHeader, compared.polar)
      } else if (operands !== null && ordered.has(operator)) {
        add(
          'arithmetic',
          node,
          operands.map((each) => flat(bare(each))).join(` ${operator} `),
          `(${flat(operands[1])} ${operator} ${flat(operands[0])})`,
          isHeader
        )
      } else if (operands !== null && logical.has(operator)) {
        for (const each of operands) if (!isAsked(node)) condition(each, false, isHeader)
      }
    } else if (kind === 'boolean_operator' && !isAsked(node)) condition(node, false, isHeader)
    if (grammar.conditional.has(kind)) {
      const asked =
        node.field('condition') ??
        (kind === 'conditional_expression'
          ? named(node)[1]
          : kind === 'if_clause'
            ? named(node)[0]
            : undefined)
      if (asked != null) condition(asked, false, isHeader)
    }
    for (const child of node.children()) visit(child, isHeader || headerParts(node, child, grammar))
  }

  visit(unit, false)
  return items
}

/** Whether it is part of a larger condition that is already an item. */
function isAsked(node: TreeNode): boolean {
  for (let parent = node.parent(); parent !== null; parent = parent.parent()) {
    const kind = kindOf(parent)
    if (transparent.has(kind) || kind === 'not_operator' || kind === 'unary_expression') continue
    if (logical.has(operatorOf(parent)) || kind === 'boolean_operator') return true
    return (
      /^(?:if_statement|elif_clause|while_statement|do_statement|ternary_expression|if_expression|if_clause)$/.test(
        kind
      ) && parent.field('body')?.id() !== node.id()
    )
  }
  return false
}

/** Whether it throws the error of a handler that does nothing else and is the only one of its `try`. */
function isPassedOn(node: TreeNode): boolean {
  const handler = node.parent()?.parent() ?? null
  if (handler === null || !/^(?:except_clause|catch_clause)$/.test(kindOf(handler))) return false
  if (named(node.parent()).length > 1) return false
  const rivals = named(handler.parent()).filter((each) => /^(?:except|else)/.test(kindOf(each)))
  const thrown = named(node)[0]?.text()
  return rivals.length <= 1 && thrown === handler.field('parameter')?.text()
}

/** The parts of a loop other than its body. */
function headerParts(loop: TreeNode, child: TreeNode, grammar: Grammar): boolean {
  if (!grammar.headers.has(kindOf(loop))) return false
  return kindOf(loop) === 'for_clause' || child.id() !== loop.field('body')?.id()
}
