import { kindOf, named, type TreeNode, type Unit } from '@filewright/analysis/parsing'

/** The node kinds of functions, in all grammars. */
export const callable =
  /^(?:function_declaration|generator_function_declaration|function_expression|function|arrow_function|method_definition|function_definition|method_declaration|constructor_declaration|function_item)$/

function functionIn(unit: Unit): TreeNode | null {
  for (let node: TreeNode | null = unit.node; node !== null; ) {
    if (callable.test(kindOf(node))) return node
    const next: TreeNode | null =
      node.field('declaration') ??
      node.field('definition') ??
      node.field('value') ??
      node.field('right') ??
      (/^(?:lexical|variable)_declaration$|^expression_statement$|^variable_declarator$|^assignment/.test(
        kindOf(node)
      )
        ? (named(node)[0] ?? null)
        : null)
    node = next
  }
  return null
}

interface Head {
  /** Async, generator, and the result type. */
  kind: string
  params: string
  /**
   * For languages that are run: the parameters without their defaults, because running shows the effect of a
   * default.
   */
  names: Array<{ name: string; type: string }>
}

/**
 * Whether callers can call both versions alike. In a language that is run, a parameter may gain a default,
 * and a rest parameter may replace `arguments`: the run shows the effect.
 */
export function isCallCompatible(unit: Unit, other: Unit, isScript: boolean): boolean {
  const [old, now] = [headOf(unit), headOf(other)]
  if (old === null || now === null) return old === now
  if (old.kind !== now.kind) return false
  if (old.params === now.params) return true
  if (!isScript) return false
  const rest = now.names.length === old.names.length + 1 && now.names.at(-1)!.name.startsWith('...')
  const names = rest ? now.names.slice(0, -1) : now.names
  return (
    names.length === old.names.length &&
    names.every(({ name, type }, index) => {
      const before = old.names[index]!
      return name === before.name && (type === '' || before.type === '' || type === before.type)
    })
  )
}

function headOf(unit: Unit): Head | null {
  const node = functionIn(unit)
  if (node === null) return null
  const body = node.field('body')
  const head =
    body === null ? node.text() : node.text().slice(0, body.range().start.index - node.range().start.index)
  const params = (node.field('parameters') ?? node.field('parameter'))?.text() ?? ''
  const result = (node.field('return_type') ?? node.field('result') ?? node.field('type'))?.text() ?? ''
  const isAsync = /\basync\b/.test(head.slice(0, head.indexOf(params.slice(0, 1) || '(') + 1))
  const isGenerator =
    /^(?:async )?function\s*\*|^\s*(?:async\s*)?\*/.test(head) ||
    kindOf(node) === 'generator_function_declaration'
  const bare = params
    .replace(/^\(|\)$/g, '')
    .replace(/\s+/g, '')
    .replace(/,$/, '')
  return {
    kind: `${isAsync ? 'async ' : ''}${isGenerator ? '* ' : ''}${result.replace(/\s+/g, '')}`,
    params: bare,
    names: named(node.field('parameters')).map((each) => ({
      name: (each.field('pattern') ?? each.field('left') ?? each).text().replace(/\s+/g, ''),
      type: (each.field('type')?.text() ?? '').replace(/\s+/g, '')
    }))
  }
}
