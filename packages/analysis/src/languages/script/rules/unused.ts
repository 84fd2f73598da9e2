import { child, children, isType, type ScriptNode } from '../nodes.js'
import { closest } from '../walk.js'
import type { ScriptVariable } from '../context.js'
import type { Found } from '../rule.js'
import { rulesOf } from './shared.js'

const { visit } = rulesOf('bugs')

/**
 * Names that frameworks read without being written in the code, those whose authors say that they are not
 * used, and those of module systems that a bundle hides from its parts.
 */
const exempt = /^(?:_|React$|h$|(?:define|module|exports|require)$)/

/**
 * A snippet is mostly a part of something: what it declares at its top may be used by code that was not sent.
 */
function isLocal({ scope }: ScriptVariable): boolean {
  return scope.type !== 'module' && scope.type !== 'global' && !isType(scope.block, 'Program')
}

/** `count++` and `total = total + 1` as statements read a name only to write it again. */
function readsOnlyForItself(identifier: ScriptNode, name: string): boolean {
  const statement = closest(
    identifier,
    (ancestor) => /Statement$/.test(ancestor.type) || /^(?:Arrow)?Function/.test(ancestor.type)
  )
  const expression = isType(statement, 'ExpressionStatement') ? child(statement, 'expression') : null
  if (isType(expression, 'UpdateExpression')) return child(expression, 'argument') === identifier
  if (!isType(expression, 'AssignmentExpression') || child(expression, 'left')?.name !== name) return false
  // Only plain arithmetic: what is passed to a call on the way is used there.
  return (
    closest(identifier, (ancestor) => ancestor === expression, [
      'CallExpression',
      'NewExpression',
      'AwaitExpression',
      'YieldExpression',
      'MemberExpression',
      'AssignmentExpression'
    ]) !== null
  )
}

function isUsed(variable: ScriptVariable, declaration: ScriptNode): boolean {
  const inside = isType(declaration, 'FunctionDeclaration', 'ClassDeclaration') ? declaration.range : null
  return variable.references.some((reference) => {
    const identifier = reference.identifier
    // A function that only calls itself is called by nobody.
    if (inside !== null && identifier.range[0] >= inside[0] && identifier.range[1] <= inside[1]) return false
    // A loop over keys needs a name for them.
    if (isType(identifier.parent, 'ForInStatement', 'ForOfStatement')) return true
    return (
      (reference.isRead() || (reference as { isTypeReference?: boolean }).isTypeReference === true) &&
      !readsOnlyForItself(identifier, variable.name)
    )
  })
}

/** `const { secret, ...rest } = user` names what is left out. */
function isLeftOut(identifier: ScriptNode): boolean {
  const pattern = identifier.parent?.parent
  return (
    isType(pattern, 'ObjectPattern') &&
    children(pattern, 'properties').some((each) => isType(each, 'RestElement', 'ExperimentalRestProperty'))
  )
}

/** What a namespace exports, and what only describes code that is elsewhere, is used by others. */
function isForOthers(declaration: ScriptNode): boolean {
  const statement = isType(declaration, 'VariableDeclarator') ? declaration.parent : declaration
  return (
    isType(statement?.parent, 'ExportNamedDeclaration') ||
    closest(
      declaration,
      (ancestor) => isType(ancestor, 'TSModuleDeclaration') && ancestor.declare === true
    ) !== null
  )
}

/** `var size = _ref.size`: how compilers take a parameter apart, and callers decide about parameters. */
function isOfParameter(declaration: ScriptNode): boolean {
  const init = child(declaration, 'init')
  return isType(init, 'MemberExpression') && /^_ref\d*$/.test(String(child(init, 'object')?.name))
}

/** `var Hasher = lib.Hasher = …` says what the thing is called, in a way that many take for good. */
function isSecondName(declaration: ScriptNode): boolean {
  const init = child(declaration, 'init')
  return (
    isType(init, 'AssignmentExpression') &&
    child(child(init, 'left'), 'property')?.name === child(declaration, 'id')?.name
  )
}

/** `module.exports = Node = …`: the value goes on to the export, as compilers write it. */
function isExportedName({ references }: ScriptVariable): boolean {
  return references.some(({ identifier }) => {
    const assignment = identifier.parent
    return (
      isType(assignment, 'AssignmentExpression') &&
      isType(assignment.parent, 'AssignmentExpression') &&
      assignment.parent.right === assignment
    )
  })
}

function unusedOf(node: ScriptNode, variables: readonly ScriptVariable[]): readonly Found[] {
  const isImport = isType(node, 'ImportDeclaration')
  if (isType(node, 'VariableDeclarator') && isType(node.parent?.parent, 'ForInStatement', 'ForOfStatement')) {
    return []
  }
  if (isForOthers(node)) return []
  return variables.flatMap((variable) => {
    const identifier = variable.identifiers[0]
    if (identifier === undefined || exempt.test(variable.name) || (!isImport && !isLocal(variable))) return []
    if (isUsed(variable, node) || isLeftOut(identifier) || isOfParameter(node)) return []
    return [
      {
        node: identifier,
        isDoubtful: isSecondName(node) || isExportedName(variable),
        message: `\`${variable.name}\` is ${isImport ? 'imported' : 'declared'} but never used.`
      }
    ]
  })
}

export const unusedRules = [
  visit.warning('no-unused-vars', {
    sentence: 'A variable, function or import is declared but never used.',
    suggestion: 'Remove it, or use it.',
    on: ':matches(VariableDeclarator, FunctionDeclaration, ClassDeclaration, ImportDeclaration)',
    when: (node, script) => {
      // Named so that the rest is without it, as compilers write it for older targets.
      const isTakenOut =
        isType(child(node, 'id'), 'ObjectPattern') && /\b__rest\(/.test(script.text(node.parent ?? node))
      if (isTakenOut) return false
      // Of a function, only its name counts: callers decide about its parameters.
      const own = isType(node, 'FunctionDeclaration', 'ClassDeclaration')
        ? script
            .declaredBy(node)
            .filter(({ name }) => name === child(node, 'id')?.name)
            .slice(0, 1)
        : script.declaredBy(node)
      // Plain JavaScript imports types for its comments as well.
      const isImport = isType(node, 'ImportDeclaration')
      return unusedOf(node, isImport ? own.filter(({ name }) => !script.isTypeInComment(name)) : own)
    }
  })
]
