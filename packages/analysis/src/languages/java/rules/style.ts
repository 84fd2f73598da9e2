import { kindOf, textOf } from '../../../tree/nodes.js'
import { treeRulesOf } from '../../../rules/tree-rules.js'
import { booleanCompare } from '../../../concepts/comparisons.js'
import { elseAfterReturn, tooManyParameters } from '../../../concepts/functions.js'

const style = treeRulesOf('java', 'java', 'style')

export const javaStyleRules = [
  style.info('class-name', {
    sentence: 'Class names should be in PascalCase.',
    suggestion: 'Rename the class to PascalCase.',
    kinds: ['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration'],
    when: (node) => /^[a-z]|_/.test(textOf(node.field('name')))
  }),
  style.info('method-name', {
    sentence: 'Method names should be in camelCase.',
    suggestion: 'Rename the method to camelCase.',
    kinds: 'method_declaration',
    when: (node) => /^[A-Z]|^[a-z]+_/.test(textOf(node.field('name'))) && !/@Test/.test(node.text())
  }),
  style.info('constant-name', {
    sentence: 'Constants should be named in UPPER_SNAKE_CASE.',
    suggestion: 'Rename the constant to UPPER_SNAKE_CASE.',
    kinds: 'field_declaration',
    when: (node) =>
      /\bstatic final\b|\bfinal static\b/.test(node.text()) &&
      /[a-z]/.test(textOf(node.field('declarator')?.field('name'))) &&
      !/^(?:logger|log|serialVersionUID)$/i.test(textOf(node.field('declarator')?.field('name'))) &&
      /^(?:int|long|double|float|boolean|String|char)$/.test(textOf(node.field('type')))
  }),
  style.info('wildcard-import', {
    sentence: 'A wildcard import hides which classes are used and can cause name clashes.',
    suggestion: 'Import each class by name.',
    kinds: 'import_declaration',
    when: (node) => /\.\*;$/.test(node.text()) && !/static/.test(node.text())
  }),
  style.info('missing-braces', {
    sentence: 'This if statement spans two lines without braces.',
    suggestion: 'Add braces around the body.',
    kinds: 'if_statement',
    when: (node) => {
      const body = node.field('consequence')
      return body !== null && kindOf(body) !== 'block' && body.range().start.line > node.range().start.line
    }
  }),
  style.info('raw-type', {
    sentence: 'This generic collection is used as a raw type, so the compiler cannot check its elements.',
    suggestion: 'Add type arguments, such as List<String>.',
    kinds: ['local_variable_declaration', 'field_declaration'],
    when: (node) => /^(?:List|Map|Set|ArrayList|HashMap|HashSet|Collection)$/.test(textOf(node.field('type')))
  }),
  booleanCompare(style),
  style.info('old-collection', {
    sentence: 'Vector, Hashtable, Stack and StringBuffer synchronize every call and have been superseded.',
    suggestion: 'Use ArrayList, HashMap, ArrayDeque or StringBuilder.',
    kinds: 'object_creation_expression',
    when: (node) => /^(?:Vector|Hashtable|Stack|StringBuffer)(?:<|$)/.test(textOf(node.field('type')))
  }),
  elseAfterReturn(style),
  tooManyParameters(style, ['method_declaration'], 'an object')
]
