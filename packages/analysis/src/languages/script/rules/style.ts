import { typedScriptLanguages } from '../../../language-groups.js'
import { calleeOf, child, children, functionTypes, isType, startingAt, type ScriptNode } from '../nodes.js'
import type { Scope } from 'eslint'
import type { ScriptContext } from '../context.js'
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

const fieldsGiven = new WeakMap<Scope.Variable, boolean>()

/** `const text = new String(value); text.line = line`: only an object can carry more than its value. */
function getsFields(made: ScriptNode, script: ScriptContext): boolean {
  const { parent } = made
  // `new String().trim` is the way to a method.
  if (isType(parent, 'MemberExpression')) return true
  const name = isType(parent, 'AssignmentExpression') ? child(parent, 'left') : child(parent, 'id')
  const variable = isType(name, 'Identifier') ? script.variableOf(name) : null
  if (variable === null) return false
  const known = fieldsGiven.get(variable)
  if (known !== undefined) return known
  const found = variable.references.some(({ identifier }) => {
    const member = (identifier as unknown as ScriptNode).parent
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
  fieldsGiven.set(variable, found)
  return found
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
  lint('no-var', 'info', {
    sentence: 'var is visible in the whole function.',
    suggestion: 'Declare with let or const.'
  }),
  lint(
    'prefer-const',
    'info',
    {
      sentence: 'A name that never changes is declared with let.',
      suggestion: 'Declare names that never change with const.'
    },
    { named: true, options: [{ destructuring: 'all' }] }
  ),
  lint(
    'object-shorthand',
    'info',
    {
      sentence: 'The property repeats its own name.',
      suggestion: 'Use the shorthand for properties and methods.'
    },
    { options: ['always', { avoidQuotes: true, avoidExplicitReturnArrows: false }] }
  ),
  lint(
    'prefer-template',
    'info',
    { sentence: 'A text is put together with +.', suggestion: 'Use a template string.' },
    { accept: hasManyPieces }
  ),
  lint('no-useless-concat', 'info', {
    sentence: 'Two fixed texts are put together.',
    suggestion: 'Write one text.'
  }),
  lint(
    'no-else-return',
    'info',
    { sentence: 'The else after a return is not needed.', suggestion: 'Drop the else and dedent its body.' },
    { options: [{ allowElseIf: false }] }
  ),
  lint('no-lonely-if', 'info', { sentence: 'An if stands alone in an else.', suggestion: 'Use else if.' }),
  lint('no-unneeded-ternary', 'info', {
    sentence: 'The conditional only gives true or false.',
    suggestion: 'Use the condition itself.'
  }),
  lint(
    'no-nested-ternary',
    'info',
    {
      sentence: 'A conditional inside a conditional is hard to read.',
      suggestion: 'Use if statements or a table.'
    },
    {
      // A chain with one condition per line reads like a table.
      accept: (node) => {
        const { loc } = startingAt(node, 'ConditionalExpression') ?? node
        return loc.start.line === loc.end.line
      }
    }
  ),
  // ESLint's rule of this name takes the square of what stands behind a return or an endless loop.
  visit(
    'no-useless-return',
    'info',
    { sentence: 'A return at the end of a function does nothing.', suggestion: 'Remove the return.' },
    'ReturnStatement[argument=null]',
    isLastStep
  ),
  lint('no-useless-rename', 'info', {
    sentence: 'A name is renamed to itself.',
    suggestion: 'Write the name once.'
  }),
  lint('no-useless-computed-key', 'info', {
    sentence: 'The key is fixed and needs no brackets.',
    suggestion: 'Write the key without brackets.'
  }),
  lint(
    'no-useless-constructor',
    'info',
    { sentence: 'The constructor does nothing of its own.', suggestion: 'Remove the constructor.' },
    { languages: ['javascript', 'jsx'] }
  ),
  lint('no-extra-boolean-cast', 'info', {
    sentence: 'The value is converted to a boolean twice.',
    suggestion: 'Use the value itself.'
  }),
  lint(
    'dot-notation',
    'info',
    { sentence: 'A fixed property is read with brackets.', suggestion: 'Use a dot.' },
    { languages: ['javascript', 'jsx'] }
  ),
  lint(
    'yoda',
    'info',
    { sentence: 'The fixed value stands on the left.', suggestion: 'Put the value that varies first.' },
    { options: ['never', { exceptRange: true }], accept: (node, script) => !startsRange(node, script) }
  ),
  lint(
    'no-multi-assign',
    'info',
    {
      sentence: 'One statement assigns to several names.',
      suggestion: 'Write one assignment per statement.'
    },
    { options: [{ ignoreNonDeclaration: true }] }
  ),
  lint('no-sequences', 'info', {
    sentence: 'Several expressions are joined with commas.',
    suggestion: 'Write one statement each.'
  }),
  lint('prefer-rest-params', 'info', {
    sentence: 'arguments is no real list.',
    suggestion: 'Use rest parameters.'
  }),
  lint('prefer-spread', 'info', {
    sentence: 'apply is used to pass a list.',
    suggestion: 'Use the spread syntax.'
  }),
  lint('prefer-object-spread', 'info', {
    sentence: 'Object.assign copies into a new object.',
    suggestion: 'Use the spread syntax.'
  }),
  lint('prefer-exponentiation-operator', 'info', {
    sentence: 'Math.pow has an operator.',
    suggestion: 'Use **.'
  }),
  lint('operator-assignment', 'info', {
    sentence: 'The name is written twice.',
    suggestion: 'Use the short form (+=, -=, ...).'
  }),
  lint('no-array-constructor', 'info', {
    sentence: 'The Array constructor means two different things.',
    suggestion: 'Use a literal or Array.from.'
  }),
  lint('no-object-constructor', 'info', {
    sentence: 'An object is made with a constructor.',
    suggestion: 'Write {}.'
  }),
  lint(
    'no-new-wrappers',
    'warning',
    { sentence: 'A wrapper object is not equal to its value.', suggestion: 'Call the function without new.' },
    { accept: (node, script) => !getsFields(node, script) }
  ),
  // ESLint's own rule looks through all references for each call, which takes minutes on a large minified
  // file.
  visit(
    'alert',
    'info',
    {
      sentence: 'alert, confirm and prompt block the page.',
      suggestion: 'Show the message in the page.'
    },
    'CallExpression',
    (node, script) => {
      const callee = child(node, 'callee')
      return (
        /^(?:window\.)?(?:alert|confirm|prompt)$/.test(calleeOf(node)) &&
        (!isType(callee, 'Identifier') || script.variableOf(callee) === null)
      )
    }
  ),
  lint('no-label-var', 'info', {
    sentence: 'A label has the name of a variable.',
    suggestion: 'Rename the label.'
  }),
  lint('no-with', 'warning', {
    sentence: 'with makes it unclear where a name comes from.',
    suggestion: 'Name the object.'
  }),
  lint('no-octal', 'warning', {
    sentence: 'A number with a leading zero is octal.',
    suggestion: 'Write 0o... or drop the zero.'
  }),
  lint(
    'no-empty',
    'info',
    { sentence: 'A block is empty.', suggestion: 'Remove the block or say what it should do.' },
    {
      options: [{ allowEmptyCatch: true }],
      accept: (node) => !isType(node.parent, 'CatchClause')
    }
  ),
  lint(
    'complexity',
    'info',
    {
      sentence: 'A function has very many paths through it.',
      suggestion: 'Split the function into smaller ones.'
    },
    { options: [{ max: maxima.complexity }], named: true }
  ),
  lint(
    'max-depth',
    'info',
    {
      sentence: 'Blocks are nested very deeply.',
      suggestion: 'Return early or move the inner part into a function.'
    },
    { options: [{ max: maxima.depth }], named: true }
  ),
  lint(
    'max-params',
    'info',
    { sentence: 'A function takes very many parameters.', suggestion: 'Pass one object with named members.' },
    { options: [{ max: maxima.parameters }], named: true }
  ),
  lint(
    'max-lines-per-function',
    'info',
    { sentence: 'A function is very long.', suggestion: 'Split the function into smaller ones.' },
    {
      options: [{ max: maxima.functionLines, skipBlankLines: true, skipComments: true }],
      named: true
    }
  ),
  visit(
    'snake-case-function',
    'info',
    {
      sentence: 'The name of a function is written with underscores.',
      suggestion: 'Use camelCase for functions.'
    },
    'FunctionDeclaration > Identifier.id',
    (node) => /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(String(node.name))
  ),
  visit(
    'lower-case-class',
    'info',
    {
      sentence: 'The name of a class starts with a small letter.',
      suggestion: 'Use PascalCase for classes.'
    },
    'ClassDeclaration > Identifier.id',
    (node) => /^[a-z]/.test(String(node.name))
  ),
  visit(
    'boolean-literal-compare',
    'info',
    {
      sentence: 'A value is compared with true or false.',
      suggestion: 'Use the value itself, or its negation.'
    },
    'BinaryExpression[operator=/^[!=]=$/]',
    (node) => typeof child(node, 'right')?.value === 'boolean'
  ),
  typed.visit(
    'explicit-any',
    'info',
    {
      sentence: 'any switches type checking off.',
      suggestion: 'Use unknown and check, or name the type.'
    },
    'TSAnyKeyword'
  ),
  typed.visit(
    'wide-type',
    'info',
    {
      sentence: 'Function, Object and wrapper types accept nearly everything.',
      suggestion: 'Name the parameters and the result, or use the primitive type.'
    },
    'TSTypeReference > Identifier.typeName',
    (node) => /^(?:Function|Object|String|Number|Boolean)$/.test(String(node.name))
  ),
  typed.visit(
    'namespace',
    'info',
    {
      sentence: 'Namespaces are the old way to structure code.',
      suggestion: 'Use modules.'
    },
    'TSModuleDeclaration[kind="namespace"]',
    (node) => node.declare !== true
  ),
  typed.visit(
    'triple-slash',
    'info',
    {
      sentence: 'require binds a module without its types being checked as an import.',
      suggestion: 'Use import.'
    },
    'TSImportEqualsDeclaration > TSExternalModuleReference'
  )
]
