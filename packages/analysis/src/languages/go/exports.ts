import { kindOf, named, textOf } from '../../tree/nodes.js'
import type { Tree, TreeNode } from '../../tree/tree.js'
import { normalize, type ExportedSignature } from '../../exports/types.js'

const nameOf = (node: TreeNode): string => textOf(node.field('name'))

export function goExports({ root }: Tree): ExportedSignature[] {
  const all = named(root).flatMap((node): ExportedSignature[] => {
    const signature = normalize(textOf(node.field('parameters')) + textOf(node.field('result')))
    if (kindOf(node) === 'function_declaration') return [{ name: nameOf(node), kind: 'function', signature }]
    if (kindOf(node) === 'method_declaration') {
      const receiver = /(\w+)(?:\[[^\]]*\])?\)$/.exec(textOf(node.field('receiver')))?.[1] ?? ''
      return [{ name: `${receiver}.${nameOf(node)}`, kind: 'function', signature }]
    }
    if (!/^(?:type|const|var)_declaration$/.test(kindOf(node))) return []
    return node
      .findAll({ rule: { any: [{ kind: 'type_spec' }, { kind: 'const_spec' }, { kind: 'var_spec' }] } })
      .map((spec) => ({
        name: nameOf(spec),
        kind: kindOf(spec) === 'type_spec' ? 'type' : 'value',
        signature: ''
      }))
  })
  const exported = all.filter(({ name }) => /^[A-Z]|\.[A-Z]/.test(name) || name === 'main')
  return exported.length > 0 ? exported : all
}
