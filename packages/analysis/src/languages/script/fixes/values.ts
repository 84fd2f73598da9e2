import type { ScriptContext } from '../context.js'
import { calleeOf, dotted, lastName } from '../names.js'
import { bare, child, children, isType, textOf, type ScriptNode } from '../nodes.js'

/** What the code says about values. `this` and properties are what others may change. */
export interface ScriptValues {
  isNumber(node: ScriptNode): boolean
  isText(node: ScriptNode): boolean
  isId(node: ScriptNode): boolean
  /** The same whenever it is read: a name that is given its value once. */
  isStable(node: ScriptNode): boolean
  /** The module that a name was imported from, and under which name; null for anything else. */
  importOf(node: ScriptNode | null): Import | null
}

export interface Import {
  readonly module: string
  /** Empty for the module itself. */
  readonly name: string
}

const textMethods =
  /^(?:trim|trimStart|trimEnd|toLowerCase|toUpperCase|toString|toFixed|padStart|padEnd|join|toISOString|repeat)$/
const maxSteps = 5

export function createScriptValues(script: ScriptContext): ScriptValues {
  function annotationOf(identifier: ScriptNode): string | null {
    const type = script.typeOf(identifier)
    const isOptional = script.variableOf(identifier)?.defs[0]?.name.optional === true
    return type === null || isOptional ? null : script.text(type)
  }

  /** Declared by itself: what destructuring takes apart is something else than its parts. */
  function ownInit(node: ScriptNode): ScriptNode | null {
    const init = script.initOf(node)
    return init !== null && isType(child(init.parent, 'id'), 'Identifier') ? init : null
  }

  function isNumber(start: ScriptNode | null, steps = 0): boolean {
    const node = bare(start)
    if (node === null || steps > maxSteps) return false
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'number'
      case 'UnaryExpression':
        return (
          node.operator === '+' || (node.operator === '-' && isNumber(child(node, 'argument'), steps + 1))
        )
      case 'BinaryExpression':
        return (
          /^[-+*/%]$/.test(String(node.operator)) &&
          isNumber(child(node, 'left'), steps + 1) &&
          isNumber(child(node, 'right'), steps + 1)
        )
      case 'CallExpression': {
        const callee = calleeOf(node)
        if (/^(?:Number|parseInt|parseFloat)$/.test(callee)) return script.isGlobal(child(node, 'callee'))
        return (
          /^(?:Math\.\w+|Date\.now|Number\.parse(?:Int|Float))$/.test(callee) &&
          script.isGlobal(child(child(node, 'callee'), 'object'))
        )
      }
      case 'Identifier':
        return annotationOf(node) === 'number' || isNumber(ownInit(node), steps + 1)
      default:
        return false
    }
  }

  function isText(start: ScriptNode | null, steps = 0): boolean {
    const node = bare(start)
    if (node === null || steps > maxSteps) return false
    if (textOf(node) !== null || isType(node, 'TemplateLiteral')) return true
    if (isType(node, 'CallExpression')) {
      if (calleeOf(node) === 'String') return script.isGlobal(child(node, 'callee'))
      return isType(child(node, 'callee'), 'MemberExpression') && textMethods.test(lastName(calleeOf(node)))
    }
    return isType(node, 'Identifier') && (annotationOf(node) === 'string' || isText(ownInit(node), steps + 1))
  }

  function importOf(start: ScriptNode | null): Import | null {
    const node = bare(start)
    if (isType(node, 'CallExpression') && calleeOf(node) === 'require') {
      const module = textOf(children(node, 'arguments')[0])
      return module === null ? null : { module: module.replace(/^node:/, ''), name: '' }
    }
    if (isType(node, 'MemberExpression') && node.computed !== true) {
      const owner = importOf(child(node, 'object'))
      const name = String(child(node, 'property')?.name)
      return owner === null || owner.name !== ''
        ? null
        : { module: owner.module, name: name === 'default' ? '' : name }
    }
    if (!isType(node, 'Identifier')) return null
    const variable = script.variableOf(node)
    const definition = variable?.defs[0]
    if (variable === null || definition === undefined || variable.defs.length !== 1) return null
    const declared = definition.node
    if (definition.type === 'ImportBinding') {
      const module = textOf(child(declared.parent, 'source'))
      const imported = isType(declared, 'ImportSpecifier') ? dotted(child(declared, 'imported')) : ''
      return module === null
        ? null
        : { module: module.replace(/^node:/, ''), name: imported === 'default' ? '' : imported }
    }
    const init = script.initOf(node)
    if (init === null) return null
    const id = child(declared, 'id')
    const from = importOf(init)
    if (from === null || isType(id, 'Identifier')) return from
    const property = children(id, 'properties').find((each) => child(each, 'value')?.name === node.name)
    return property === undefined || from.name !== '' || property.computed === true
      ? null
      : { module: from.module, name: dotted(child(property, 'key')) }
  }

  return {
    isNumber: (node) => isNumber(node),
    isText: (node) => isText(node),
    isId(start) {
      const node = bare(start)
      return (
        isType(node, 'Identifier', 'MemberExpression') &&
        node.computed !== true &&
        /^_?id$|_id$|[a-z]I[dD]$/.test(lastName(dotted(node)))
      )
    },
    isStable(start) {
      const node = bare(start)
      if (isType(node, 'Literal')) return true
      if (!isType(node, 'Identifier')) return false
      const variable = script.variableOf(node)
      if (variable === null || variable.defs.length !== 1) return false
      const writes = variable.references.filter((reference) => reference.isWrite() && reference.init !== true)
      return writes.length === 0
    },
    importOf
  }
}
