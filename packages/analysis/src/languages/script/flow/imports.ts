import { child, children, isType, textOf, type ScriptNode } from '../nodes.js'
import { fixed, named, set, type Expression, type Statement } from '../../../flow/form.js'
import type { Lowering } from '../../../flow/lower/lowering.js'

/** `import { exec as run } from 'node:child_process'`: run is `child_process.exec`. */
export function importsOf(node: ScriptNode): Statement[] {
  const source = textOf(child(node, 'source')) ?? ''
  const module = moduleName(source)
  // A text that is imported is a file of the project.
  const isText = /\.(?:svg|html|css|txt|sql)$/.test(source)
  return children(node, 'specifiers').map((each): Statement => {
    const name = String(child(each, 'local')?.name)
    const imported = isType(each, 'ImportSpecifier') ? child(each, 'imported') : null
    const value: Expression =
      imported === null
        ? isText
          ? fixed
          : named(module)
        : { is: 'field', of: named(module), key: textOf(imported) ?? String(imported.name) }
    return set({ to: 'name', name, isNew: true }, value, node.loc.start.line)
  })
}

export function moduleName(source: string): string {
  return source
    .replace(/^node:/, '')
    .replace(/^\.{0,2}\/.*\//, '')
    .replace(/\/promises$/, '')
    .replace(/[^\w/@-]/g, '')
}

/** `await import('node:fs')` is the module, as `require` of it is. */
export function imported(node: ScriptNode, lower: Lowering<ScriptNode>): Expression {
  const source = child(node, 'source')
  const fixedSource = textOf(source)
  return fixedSource === null
    ? { is: 'call', callee: named('import'), args: [lower.expression(source)], line: node.loc.start.line }
    : named(moduleName(fixedSource))
}
