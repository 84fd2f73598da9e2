import { kindOf, named, textOf } from '../../tree/nodes.js'
import type { Tree, TreeNode } from '../../tree/tree.js'
import { normalize, type ExportedSignature } from '../../exports/types.js'

const nameOf = (node: TreeNode): string => textOf(node.field('name'))

export function pythonExports({ root }: Tree): ExportedSignature[] {
  const unwrap = (node: TreeNode): TreeNode =>
    kindOf(node) === 'decorated_definition' ? (node.field('definition') ?? node) : node
  const functionOf = (node: TreeNode, prefix: string): ExportedSignature => ({
    name: prefix + nameOf(node),
    kind: 'function',
    signature: normalize(textOf(node.field('parameters')))
  })
  const isPublic = (name: string): boolean => !name.startsWith('_') || /^__\w+__$/.test(name)
  return named(root)
    .map(unwrap)
    .flatMap((node): ExportedSignature[] => {
      if (kindOf(node) === 'function_definition') return isPublic(nameOf(node)) ? [functionOf(node, '')] : []
      if (kindOf(node) === 'class_definition') {
        const methods = named(node.field('body'))
          .map(unwrap)
          .filter((each) => kindOf(each) === 'function_definition' && isPublic(nameOf(each)))
        return [
          { name: nameOf(node), kind: 'class', signature: normalize(textOf(node.field('superclasses'))) },
          ...methods.map((each) => functionOf(each, `${nameOf(node)}.`))
        ]
      }
      const assignment = kindOf(node) === 'expression_statement' ? named(node)[0] : undefined
      const left = kindOf(assignment) === 'assignment' ? assignment!.field('left') : null
      return kindOf(left) === 'identifier' && !textOf(left).startsWith('_')
        ? [{ name: textOf(left), kind: 'value', signature: '' }]
        : []
    })
}
