import type { Scope } from 'eslint'
import { scriptLanguages } from '../../../language-groups.js'
import { makersOf, type Own } from '../../../rules/makers.js'
import type { AnalysisType, RuleInfo } from '../../../types.js'
import {
  bare,
  calleeOf,
  child,
  children,
  closest,
  functionTypes,
  isType,
  quasiText,
  textOf,
  type ScriptNode
} from '../nodes.js'
import type { ScriptContext } from '../context.js'
import type { LintRule, VisitRule } from '../rule.js'

/** Makers of rules that share languages and type, so that a rule's file says only what is its own. */
export function rulesOf(analysisType: AnalysisType, languages: RuleInfo['languages'] = scriptLanguages) {
  return {
    visit: makersOf(
      (id, severity, own: Own<VisitRule>): VisitRule => ({
        id: `js/${id}`,
        engine: 'visit',
        languages,
        analysisType,
        severity,
        ...own
      })
    ),
    lint: makersOf(
      (
        rule,
        severity,
        own: Omit<Own<LintRule>, 'rule'> & Partial<Pick<LintRule, 'languages'>>
      ): LintRule => ({
        id: `js/${rule.replace('security/', '')}`,
        engine: 'lint',
        rule,
        languages,
        analysisType,
        severity,
        ...own
      })
    )
  }
}

/**
 * The pieces of a text being put together: literals as text, everything else as null. Null for what is not a
 * concatenation.
 */
export function pieces(start: ScriptNode | null): { texts: string[]; dynamic: ScriptNode[] } | null {
  const node = bare(start)
  if (isType(node, 'TemplateLiteral')) {
    const dynamic = children(node, 'expressions')
    return dynamic.length === 0 ? null : { texts: [quasiText(node)], dynamic }
  }
  if (!isType(node, 'BinaryExpression') || node.operator !== '+') return null
  const texts: string[] = []
  const dynamic: ScriptNode[] = []
  const stack: ScriptNode[] = [node]
  while (stack.length > 0) {
    const current = bare(stack.pop()!)!
    const text = textOf(current)
    if (text !== null) texts.push(text)
    else if (isType(current, 'BinaryExpression') && current.operator === '+') {
      stack.push(child(current, 'right')!, child(current, 'left')!)
    } else if (isType(current, 'TemplateLiteral')) {
      texts.push(quasiText(current))
      dynamic.push(...children(current, 'expressions'))
    } else dynamic.push(current)
  }
  return texts.length > 0 && dynamic.length > 0 ? { texts, dynamic } : null
}

/** Constants by convention and numbers cannot carry an attack. */
export function isFixed(start: ScriptNode): boolean {
  const node = bare(start)
  if (node === null) return true
  if (isType(node, 'Literal')) return true
  if (isType(node, 'Identifier')) return /^[A-Z][A-Z0-9_]*$/.test(String(node.name))
  if (isType(node, 'MemberExpression')) {
    return (
      /^[A-Z][A-Z0-9_]*$/.test(String(child(node, 'property')?.name)) ||
      child(node, 'property')?.name === 'length'
    )
  }
  return false
}

/** The function of this code that a call by name, or of a method of `this`, calls. */
export function localFunction(call: ScriptNode, script: ScriptContext): ScriptNode | null {
  const target = bare(child(call, 'callee'))
  return isType(target, 'MemberExpression') ? ownMethod(target) : functionNamed(target, script)
}

const methods = new WeakMap<ScriptNode, ReadonlyMap<unknown, ScriptNode>>()

/** `this.save`, where the class around it has such a method. */
function ownMethod(member: ScriptNode): ScriptNode | null {
  if (!isType(child(member, 'object'), 'ThisExpression') || member.computed === true) return null
  const owner = closest(member, ({ type }) => type === 'ClassBody', ['FunctionDeclaration'])
  if (owner === null) return null
  let known = methods.get(owner)
  if (known === undefined) {
    known = new Map(
      children(owner, 'body')
        .filter((each) => isType(each, 'MethodDefinition') && each.static !== true)
        .map((each) => [child(each, 'key')?.name, child(each, 'value')!])
    )
    methods.set(owner, known)
  }
  return known.get(child(member, 'property')?.name) ?? null
}

/** The function of this code that a name stands for. */
export function functionNamed(target: ScriptNode | null, script: ScriptContext): ScriptNode | null {
  const known = isType(target, 'Identifier') ? script.variableOf(target)?.defs[0] : undefined
  if (known?.type !== 'FunctionName' && known?.type !== 'Variable') return null
  const definition = known.node as unknown as ScriptNode
  const declared = isType(definition, 'FunctionDeclaration') ? definition : bare(child(definition, 'init'))
  return isType(declared, ...functionTypes) ? declared : null
}

/** Whether a name is imported from such a module, or from nowhere that the code shows. */
export function mayComeFrom(name: ScriptNode | null, script: ScriptContext, module: RegExp): boolean {
  if (!isType(name, 'Identifier')) return true
  const definition = script.variableOf(name)?.defs[0]
  if (definition === undefined) return true
  const source = child(definition.parent as unknown as ScriptNode, 'source')
  return definition.type === 'ImportBinding' && module.test(String(source?.value))
}

const imports = new WeakMap<Scope.Variable, string | null>()

/** The module and name that an identifier is imported as: `crypto.createHash`. Null for names of this project. */
export function importOf(name: ScriptNode, script: ScriptContext): string | null {
  const variable = script.variableOf(name)
  if (variable === null) return null
  const known = imports.get(variable)
  if (known !== undefined) return known
  const found = readImport(variable)
  imports.set(variable, found)
  return found
}

function readImport({ name, defs: [definition] }: Scope.Variable): string | null {
  const declaration = definition?.node as unknown as ScriptNode | undefined
  const isImport = definition?.type === 'ImportBinding'
  const required = isImport ? null : bare(child(declaration, 'init'))
  const source = isImport
    ? child(definition.parent as unknown as ScriptNode, 'source')
    : isType(required, 'CallExpression') && calleeOf(required) === 'require'
      ? children(required, 'arguments')[0]
      : null
  const module = textOf(source)?.replace(/^node:/, '')
  if (module === undefined || /^[./]/.test(module)) return null
  const taken = children(child(declaration, 'id'), 'properties').find(
    (each) => child(each, 'value')?.name === name
  )
  const key = child(declaration, 'imported') ?? child(taken, 'key')
  return key === null || key.name === 'default' ? module : `${module}.${String(key.name)}`
}

/** What is called, by the name that its module gives it, however it is named here. */
export function importedCallee(call: ScriptNode, script: ScriptContext): string {
  const callee = calleeOf(call)
  let root = bare(child(call, 'callee'))
  while (isType(root, 'MemberExpression')) root = bare(child(root, 'object'))
  const origin = isType(root, 'Identifier') ? importOf(root, script) : null
  return origin === null ? callee : origin + callee.slice(String(root!.name).length)
}

/** The fixed text of a value, also where a constant holds it. */
export function fixedText(start: ScriptNode | null | undefined, script: ScriptContext): string | null {
  const node = bare(start ?? null)
  return textOf(node) ?? (isType(node, 'Identifier') ? textOf(bare(script.initOf(node))) : null)
}

/** Used as a condition, alone or as part of one. */
export function isTruthValue(node: ScriptNode): boolean {
  const { parent } = node
  if (
    isType(
      parent,
      'IfStatement',
      'ConditionalExpression',
      'WhileStatement',
      'DoWhileStatement',
      'ForStatement'
    )
  ) {
    return parent.test === node
  }
  if (isType(parent, 'UnaryExpression')) return parent.operator === '!'
  if (isType(parent, 'LogicalExpression') && parent.operator !== '??') return isTruthValue(parent)
  return isType(parent, 'CallExpression') && calleeOf(parent) === 'Boolean'
}
