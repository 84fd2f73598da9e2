import { kindOf, named, textOf } from '../../tree/nodes.js'
import type { Tree, TreeNode } from '../../tree/tree.js'
import { normalize, type ExportedSignature } from '../../exports/types.js'

const nameOf = (node: TreeNode): string => textOf(node.field('name'))

export function javaExports({ root }: Tree): ExportedSignature[] {
  const members = (node: TreeNode, prefix: string): ExportedSignature[] =>
    named(node).flatMap((each): ExportedSignature[] => {
      const kind = kindOf(each)
      if (/^private\b|^(?:@\w+\s+)*private\b/.test(each.text())) return []
      if (/^(?:method|constructor)_declaration$/.test(kind)) {
        return [
          {
            name: prefix + nameOf(each),
            kind: 'function',
            signature:
              normalize(textOf(each.field('parameters')).replace(/\bfinal /g, '')) +
              normalize(textOf(each.field('type')))
          }
        ]
      }
      if (/^(?:class|interface|enum|record)_declaration$/.test(kind)) {
        const body = each.field('body')
        return [
          {
            name: prefix + nameOf(each),
            kind: 'class',
            signature: normalize(textOf(each.field('parameters')))
          },
          ...(body === null ? [] : members(body, `${prefix}${nameOf(each)}.`))
        ]
      }
      return kind === 'field_declaration'
        ? [
            {
              name: prefix + textOf(each.field('declarator')?.field('name')),
              kind: 'value',
              signature: ''
            }
          ]
        : []
    })
  return members(root, '')
}
