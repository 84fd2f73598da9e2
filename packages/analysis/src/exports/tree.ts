import { kindOf, named, textOf } from '../tree/nodes.js'
import type { Tree, TreeNode } from '../tree/tree.js'
import { normalize, type ExportedSignature } from './types.js'

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
      const left = kindOf(assignment ?? null) === 'assignment' ? assignment!.field('left') : null
      return kindOf(left) === 'identifier' && !textOf(left).startsWith('_')
        ? [{ name: textOf(left), kind: 'value', signature: '' }]
        : []
    })
}

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
              name: prefix + textOf(each.field('declarator')?.field('name') ?? null),
              kind: 'value',
              signature: ''
            }
          ]
        : []
    })
  return members(root, '')
}

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
