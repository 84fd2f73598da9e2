import { typedScriptLanguages } from '../../../language-groups.js'
import { calleeOf } from '../names.js'
import { child, children, functionTypes, isType, type ScriptNode } from '../nodes.js'
import { startingAt } from '../walk.js'
import type { ScriptContext, ScriptVariable } from '../context.js'
import { remember } from '../../../remember.js'
import { pieces, rulesOf } from './shared.js'

const { lint, visit } = rulesOf('style')
const typed = rulesOf('style', typedScriptLanguages)

export const maxima = { complexity: 15, depth: 4, parameters: 5, functionLines: 100 }

/** `name + ';'` reads as well either way; from three pieces on a template is plainer. */
function hasManyPieces(node: ScriptNode): boolean {
  let top: ScriptNode = node
  while (isType(top.parent, 'BinaryExpression')) top = top.parent
  const found = pieces(top)
  return found !== null && found.texts.length >= 2
}

const areFieldsGiven = remember(({ references }: ScriptVariable): boolean =>
  references.some(({ identifier }) => {
    const member = identifier.parent
    const isTarget =
      isType(member, 'MemberExpression') &&
      isType(member.parent, 'AssignmentExpression') &&
      member.parent.left === member
    const isDefined =
      isType(member, 'CallExpression') &&
      /^(?:Object|Reflect)\.(?:define\w+|assign)$/.test(calleeOf(member)) &&
      (children(member, 'arguments')[0] as unknown) === identifier
    return isTarget || isDefined
  })
)

/** `const text = new String(value); text.line = line`: only an object can carry more than its value. */
function getsFields(made: ScriptNode, script: ScriptContext): boolean {
  const { parent } = made
  // `new String().trim` is the way to a method.
  if (isType(parent, 'MemberExpression')) return true
  const name = isType(parent, 'AssignmentExpression') ? child(parent, 'left') : child(parent, 'id')
  const variable = isType(name, 'Identifier') ? script.variableOf(name) : null
  return variable !== null && areFieldsGiven(variable)
}

/** Nothing of the function comes after it. */
function isLastStep(statement: ScriptNode): boolean {
  let inner = statement
  for (let around = statement.parent; around != null; inner = around, around = around.parent) {
    if (isType(around, ...functionTypes)) return true
    if (isType(around, 'BlockStatement')) {
      if (children(around, 'body').at(-1) !== inner) return false
    } else if (!isType(around, 'IfStatement')) return false
  }
  return false
}

/** `0 <= x && x < 100`, also without the brackets that ESLint asks for. */
function startsRange(first: ScriptNode, script: ScriptContext): boolean {
  const comparison = startingAt(first, 'BinaryExpression')
  const both = comparison?.parent
  if (!isType(both, 'LogicalExpression') || both.left !== comparison) return false
  const middle = child(comparison, 'right')
  const other = child(child(both, 'right'), 'left')
  return middle !== null && other !== null && script.text(middle) === script.text(other)
}

export const styleRules = [
  lint.info('no-var', {
    sentence: '`var` is scoped to the whole function.',
    suggestion: 'Use `let` or `const`.'
  }),
  lint.info('prefer-const', {
    sentence: 'A variable is declared with `let` but never reassigned.',
    suggestion: 'Use `const`.',
    named: true,
    options: [{ destructuring: 'all' }]
  }),
  lint.info('object-shorthand', {
    sentence: 'The property or method can use the shorthand syntax.',
    suggestion: 'Write `{ name }` or `{ method () {} }`.',
    options: ['always', { avoidQuotes: true, avoidExplicitReturnArrows: false }]
  }),
  lint.info('prefer-template', {
    sentence: 'Strings are concatenated with `+`.',
    suggestion: 'Use a template literal.',
    accept: hasManyPieces
  }),
  lint.info('no-useless-concat', {
    sentence: 'Two string literals are concatenated.',
    suggestion: 'Write one string literal.'
  }),
  lint.info('no-else-return', {
    sentence: 'The `else` after a `return` is unnecessary.',
    suggestion: 'Remove the `else` and outdent its body.',
    options: [{ allowElseIf: false }]
  }),
  lint.info('no-lonely-if', {
    sentence: 'The `if` is the only statement in an `else` block.',
    suggestion: 'Use `else if`.'
  }),
  lint.info('no-unneeded-ternary', {
    sentence: 'The ternary expression only returns true or false.',
    suggestion: 'Use the condition itself.'
  }),
  lint.info('no-nested-ternary', {
    sentence: 'Nested ternary expressions are hard to read.',
    suggestion: 'Use if statements or a lookup table.',
    // A chain with one condition per line reads like a table.
    accept: (node) => {
      const { loc } = startingAt(node, 'ConditionalExpression') ?? node
      return loc.start.line === loc.end.line
    }
  }),
  // ESLint's rule of this name takes the square of what stands behind a return or an endless loop.
  visit.info('no-useless-return', {
    sentence: 'The `return` at the end of the function has no effect.',
    suggestion: 'Remove the `return`.',
    on: 'ReturnStatement[argument=null]',
    when: isLastStep
  }),
  lint.info('no-useless-rename', {
    sentence: 'The import, export or variable is renamed to the same name.',
    suggestion: 'Write the name once.'
  }),
  lint.info('no-useless-computed-key', {
    sentence: 'The computed key is a literal.',
    suggestion: 'Write the key without brackets.'
  }),
  lint.info('no-useless-constructor', {
    sentence: 'The constructor only does what the default constructor does.',
    suggestion: 'Remove the constructor.',
    languages: ['javascript', 'jsx']
  }),
  lint.info('no-extra-boolean-cast', {
    sentence: 'The conversion to a boolean is redundant.',
    suggestion: 'Use the value itself.'
  }),
  lint.info('dot-notation', {
    sentence: 'The property is accessed with brackets although its name is a valid identifier.',
    suggestion: 'Use dot notation.',
    languages: ['javascript', 'jsx']
  }),
  lint.info('yoda', {
    sentence: 'The literal is on the left side of the comparison.',
    suggestion: 'Put the variable on the left side.',
    options: ['never', { exceptRange: true }],
    accept: (node, script) => !startsRange(node, script)
  }),
  lint.info('no-multi-assign', {
    sentence: 'Chained assignments are hard to read and can create global variables.',
    suggestion: 'Write one assignment per statement.',
    options: [{ ignoreNonDeclaration: true }]
  }),
  lint.info('no-sequences', {
    sentence: 'The comma operator evaluates several expressions in one statement.',
    suggestion: 'Write separate statements.'
  }),
  lint.info('prefer-rest-params', {
    sentence: '`arguments` is not an array and has no names.',
    suggestion: 'Use rest parameters: `(...args)`.'
  }),
  lint.info('prefer-spread', {
    sentence: '`apply` is used only to pass an array of arguments.',
    suggestion: 'Use spread syntax: `fn(...args)`.'
  }),
  lint.info('prefer-object-spread', {
    sentence: 'Object.assign copies properties into a new object literal.',
    suggestion: 'Use object spread: `{ ...options }`.'
  }),
  lint.info('prefer-exponentiation-operator', {
    sentence: 'Math.pow has an operator.',
    suggestion: 'Use `**`.'
  }),
  lint.info('operator-assignment', {
    sentence: 'The assignment repeats its target on the right side.',
    suggestion: 'Use the shorthand operator: `+=`, `-=` and so on.'
  }),
  lint.info('no-array-constructor', {
    sentence: 'The Array constructor is ambiguous: a single number sets the length.',
    suggestion: 'Use an array literal or Array.from.'
  }),
  lint.info('no-object-constructor', {
    sentence: 'The Object constructor is unnecessary.',
    suggestion: 'Use an object literal: `{}`.'
  }),
  lint.warning('no-new-wrappers', {
    sentence: 'A wrapper object is not equal to its primitive value and is always truthy.',
    suggestion: 'Call the function without `new`.',
    accept: (node, script) => !getsFields(node, script)
  }),
  // ESLint's own rule looks through all references for each call, which takes minutes on a large minified
  // file.
  visit.info('alert', {
    sentence: '`alert`, `confirm` and `prompt` block the page.',
    suggestion: 'Show the message in the page or in a dialog element.',
    on: 'CallExpression',
    when: (node, script) => {
      const callee = child(node, 'callee')
      return (
        /^(?:window\.)?(?:alert|confirm|prompt)$/.test(calleeOf(node)) &&
        (!isType(callee, 'Identifier') || script.variableOf(callee) === null)
      )
    }
  }),
  lint.info('no-label-var', {
    sentence: 'The label has the same name as a variable.',
    suggestion: 'Rename the label.'
  }),
  lint.warning('no-with', {
    sentence: '`with` makes it unclear which object a name refers to, and strict mode forbids it.',
    suggestion: 'Access the properties through the object.'
  }),
  lint.warning('no-octal', {
    sentence: 'A number literal with a leading zero is octal.',
    suggestion: 'Write `0o…`, or remove the zero.'
  }),
  lint.info('no-empty', {
    sentence: 'The block is empty.',
    suggestion: 'Remove the block, or add a comment that explains it.',
    options: [{ allowEmptyCatch: true }],
    accept: (node) => !isType(node.parent, 'CatchClause')
  }),
  lint.info('complexity', {
    sentence: 'The function has too many branches.',
    suggestion: 'Split the function into smaller ones.',
    options: [{ max: maxima.complexity }],
    named: true
  }),
  lint.info('max-depth', {
    sentence: 'Blocks are nested too deeply.',
    suggestion: 'Return early, or move the inner part into a function.',
    options: [{ max: maxima.depth }],
    named: true
  }),
  lint.info('max-params', {
    sentence: 'The function has too many parameters.',
    suggestion: 'Pass an object with named properties.',
    options: [{ max: maxima.parameters }],
    named: true
  }),
  lint.info('max-lines-per-function', {
    sentence: 'The function is too long.',
    suggestion: 'Split the function into smaller ones.',
    options: [{ max: maxima.functionLines, skipBlankLines: true, skipComments: true }],
    named: true
  }),
  visit.info('snake-case-function', {
    sentence: 'The function name is in snake_case.',
    suggestion: 'Use camelCase for function names.',
    on: 'FunctionDeclaration > Identifier.id',
    when: (node) => /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(String(node.name))
  }),
  visit.info('lower-case-class', {
    sentence: 'The class name starts with a lowercase letter.',
    suggestion: 'Use PascalCase for class names.',
    on: 'ClassDeclaration > Identifier.id',
    when: (node) => /^[a-z]/.test(String(node.name))
  }),
  visit.info('boolean-literal-compare', {
    sentence: 'The value is compared with a boolean literal.',
    suggestion: 'Use the value itself, or its negation.',
    on: 'BinaryExpression[operator=/^[!=]=$/]',
    when: (node) => typeof child(node, 'right')?.value === 'boolean'
  }),
  typed.visit.info('explicit-any', {
    sentence: '`any` turns off type checking.',
    suggestion: 'Use `unknown` and narrow it, or name the type.',
    on: 'TSAnyKeyword'
  }),
  typed.visit.info('wide-type', {
    sentence: '`Function`, `Object` and the wrapper types accept almost any value.',
    suggestion: 'Write the function signature, or use the primitive type.',
    on: 'TSTypeReference > Identifier.typeName',
    when: (node) => /^(?:Function|Object|String|Number|Boolean)$/.test(String(node.name))
  }),
  typed.visit.info('namespace', {
    sentence: 'Namespaces are obsolete: ES modules replace them.',
    suggestion: 'Use modules.',
    on: 'TSModuleDeclaration[kind="namespace"]',
    when: (node) => node.declare !== true
  }),
  typed.visit.info('triple-slash', {
    sentence: '`import x = require()` is CommonJS syntax that ES modules do not support.',
    suggestion: 'Use an import declaration.',
    on: 'TSImportEqualsDeclaration > TSExternalModuleReference'
  })
]
