import { scriptLanguages } from '../../../language-groups.js'
import { makersOf, type Own } from '../../../rules/makers.js'
import type { AnalysisType, RuleInfo } from '../../../types.js'
import { calleeOf } from '../names.js'
import { bare, child, children, functionTypes, isType, quasiText, textOf, type ScriptNode } from '../nodes.js'
import { closest } from '../walk.js'
import type { ScriptContext, ScriptVariable } from '../context.js'
import { remember } from '../../../remember.js'
import type { LintRule, VisitRule } from '../rule.js'

type Visit = Omit<Own<VisitRule>, 'on'> & {
  readonly on?: string
  /** Calls of what is written so, in place of `on`. */
  readonly calls?: RegExp
}

type Lint = Omit<Own<LintRule>, 'rule'> & Partial<Pick<LintRule, 'languages'>>

/** Makers of rules that share languages and type. */
export function rulesOf(analysisType: AnalysisType, languages: RuleInfo['languages'] = scriptLanguages) {
  const shared = { languages, analysisType }
  return {
    visit: makersOf(
      'js',
      shared,
      (head, { calls, on = 'CallExpression', when = () => true, ...own }: Visit): VisitRule => ({
        ...head,
        engine: 'visit',
        on,
        when: calls === undefined ? when : (node, script) => calls.test(calleeOf(node)) && when(node, script),
        ...own
      })
    ),
    lint: makersOf(
      'js',
      shared,
      (head, own: Lint, rule): LintRule => ({
        ...head,
        engine: 'lint',
        id: `js/${rule.replace('security/', '')}`,
        rule,
        ...own
      })
    )
  }
}

/**
 * The pieces of a text being put together: literals as text, everything else as null. Null for what is not a
 * concatenation.
 */
export function pieces(
  start: ScriptNode | null | undefined
): { texts: string[]; dynamic: ScriptNode[] } | null {
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

const methodsOf = remember(
  (owner: ScriptNode): ReadonlyMap<unknown, ScriptNode> =>
    new Map(
      children(owner, 'body')
        .filter((each) => isType(each, 'MethodDefinition') && each.static !== true)
        .map((each) => [child(each, 'key')?.name, child(each, 'value')!])
    )
)

/** `this.save`, where the class around it has such a method. */
function ownMethod(member: ScriptNode): ScriptNode | null {
  if (!isType(child(member, 'object'), 'ThisExpression') || member.computed === true) return null
  const owner = closest(member, ({ type }) => type === 'ClassBody', ['FunctionDeclaration'])
  return owner === null ? null : (methodsOf(owner).get(child(member, 'property')?.name) ?? null)
}

/** The function of this code that a name stands for. */
export function functionNamed(
  target: ScriptNode | null | undefined,
  script: ScriptContext
): ScriptNode | null {
  const known = isType(target, 'Identifier') ? script.variableOf(target)?.defs[0] : undefined
  if (known?.type !== 'FunctionName' && known?.type !== 'Variable') return null
  const definition = known.node
  const declared = isType(definition, 'FunctionDeclaration') ? definition : bare(child(definition, 'init'))
  return isType(declared, ...functionTypes) ? declared : null
}

/** Whether a name is imported from such a module, or from nowhere that the code shows. */
export function mayComeFrom(name: ScriptNode | null, script: ScriptContext, module: RegExp): boolean {
  if (!isType(name, 'Identifier')) return true
  const definition = script.variableOf(name)?.defs[0]
  if (definition === undefined) return true
  const source = child(definition.parent, 'source')
  return definition.type === 'ImportBinding' && module.test(String(source?.value))
}

/** The module and name that an identifier is imported as: `crypto.createHash`. Null for names of this project. */
export function importOf(name: ScriptNode, script: ScriptContext): string | null {
  const variable = script.variableOf(name)
  return variable === null ? null : readImport(variable)
}

const readImport = remember(({ name, defs: [definition] }: ScriptVariable): string | null => {
  const declaration = definition?.node
  const isImport = definition?.type === 'ImportBinding'
  const required = isImport ? null : bare(child(declaration, 'init'))
  const source = isImport
    ? child(definition.parent, 'source')
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
})

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
  const node = bare(start)
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

/** The text of a regular expression, where it is fixed. */
export function patternOf(node: ScriptNode | undefined): string | null {
  if (isType(node, 'Literal')) return (node.regex as { pattern: string } | undefined)?.pattern ?? null
  return isType(node, 'NewExpression', 'CallExpression') && child(node, 'callee')?.name === 'RegExp'
    ? textOf(children(node, 'arguments')[0])
    : null
}

/** Regular expressions with a fixed text like this. */
export const ofPatterns = (
  test: (pattern: string) => boolean
): Pick<VisitRule, 'on'> & Required<Pick<VisitRule, 'when'>> => ({
  on: ':matches(Literal[regex], NewExpression[callee.name="RegExp"], CallExpression[callee.name="RegExp"])',
  when(node) {
    const pattern = patternOf(node)
    return pattern !== null && test(pattern)
  }
})
