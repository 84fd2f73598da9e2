import { kindOf, textOf } from '../../../tree/nodes.js'
import { treeRulesOf } from '../../../rules/tree-rules.js'
import { booleanCompare } from '../../../concepts/comparisons.js'
import { elseAfterReturn, tooManyParameters } from '../../../concepts/functions.js'

const style = treeRulesOf('java', 'java', 'style')

export const javaStyleRules = [
  style(
    'class-name',
    'info',
    {
      sentence: 'Class names should be in PascalCase.',
      suggestion: 'Rename the class to PascalCase.'
    },
    ['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration'],
    (node) => /^[a-z]|_/.test(textOf(node.field('name')))
  ),
  style(
    'method-name',
    'info',
    {
      sentence: 'Method names should be in camelCase.',
      suggestion: 'Rename the method to camelCase.'
    },
    'method_declaration',
    (node) => /^[A-Z]|^[a-z]+_/.test(textOf(node.field('name'))) && !/@Test/.test(node.text())
  ),
  style(
    'constant-name',
    'info',
    {
      sentence: 'Constants should be named in UPPER_SNAKE_CASE.',
      suggestion: 'Rename the constant to UPPER_SNAKE_CASE.'
    },
    'field_declaration',
    (node) =>
      /\bstatic final\b|\bfinal static\b/.test(node.text()) &&
      /[a-z]/.test(textOf(node.field('declarator')?.field('name') ?? null)) &&
      !/^(?:logger|log|serialVersionUID)$/i.test(textOf(node.field('declarator')?.field('name') ?? null)) &&
      /^(?:int|long|double|float|boolean|String|char)$/.test(textOf(node.field('type')))
  ),
  style(
    'wildcard-import',
    'info',
    {
      sentence: 'A wildcard import hides which classes are used and can cause name clashes.',
      suggestion: 'Import each class by name.'
    },
    'import_declaration',
    (node) => /\.\*;$/.test(node.text()) && !/static/.test(node.text())
  ),
  style(
    'missing-braces',
    'info',
    {
      sentence: 'This if statement spans two lines without braces.',
      suggestion: 'Add braces around the body.'
    },
    'if_statement',
    (node) => {
      const body = node.field('consequence')
      return body !== null && kindOf(body) !== 'block' && body.range().start.line > node.range().start.line
    }
  ),
  style(
    'raw-type',
    'info',
    {
      sentence: 'This generic collection is used as a raw type, so the compiler cannot check its elements.',
      suggestion: 'Add type arguments, such as List<String>.'
    },
    ['local_variable_declaration', 'field_declaration'],
    (node) => /^(?:List|Map|Set|ArrayList|HashMap|HashSet|Collection)$/.test(textOf(node.field('type')))
  ),
  booleanCompare(style),
  style(
    'old-collection',
    'info',
    {
      sentence: 'Vector, Hashtable, Stack and StringBuffer synchronize every call and have been superseded.',
      suggestion: 'Use ArrayList, HashMap, ArrayDeque or StringBuilder.'
    },
    'object_creation_expression',
    (node) => /^(?:Vector|Hashtable|Stack|StringBuffer)(?:<|$)/.test(textOf(node.field('type')))
  ),
  elseAfterReturn(style),
  tooManyParameters(style, ['method_declaration'], 'an object')
]
