import { kindOf, named, textOf } from '../../tree/nodes.js'
import type { Tree, TreeNode } from '../../tree/tree.js'
import { normalize, type ExportedSignature } from '../../exports/types.js'

const nameOf = (node: TreeNode): string => textOf(node.field('name'))

export function rustExports({ root }: Tree): ExportedSignature[] {
  const items = (node: TreeNode, prefix: string): (ExportedSignature & { isPublic: boolean })[] =>
    named(node).flatMap((each) => {
      const kind = kindOf(each)
      const isPublic = /^pub\b/.test(each.text())
      if (kind === 'function_item') {
        return [
          {
            name: prefix + nameOf(each),
            kind: 'function' as const,
            signature: normalize(textOf(each.field('parameters')) + textOf(each.field('return_type'))),
            isPublic: isPublic || nameOf(each) === 'main'
          }
        ]
      }
      if (kind === 'impl_item') {
        return items(each.field('body')!, `${textOf(each.field('type')).replace(/<.*/, '')}.`)
      }
      if (/^(?:struct|enum|trait|type)_item$/.test(kind)) {
        return [{ name: prefix + nameOf(each), kind: 'type' as const, signature: '', isPublic }]
      }
      if (/^(?:const|static)_item$/.test(kind)) {
        return [{ name: prefix + nameOf(each), kind: 'value' as const, signature: '', isPublic }]
      }
      return []
    })
  const all = items(root, '')
  const exported = all.filter(({ isPublic }) => isPublic)
  return (exported.length > 0 ? exported : all).map(({ isPublic, ...signature }) => signature)
}
