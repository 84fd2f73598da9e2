/**
 * Nodes that hold the token that is not there, where something is missing. Named, because asking every node for its text takes the
 * square of the code where it nests.
 */
export const javaHolders: readonly string[] = [
  'local_variable_declaration',
  'field_declaration',
  'expression_statement',
  'return_statement',
  'throw_statement',
  'break_statement',
  'continue_statement',
  'import_declaration',
  'package_declaration',
  'argument_list',
  'formal_parameters',
  'parenthesized_expression',
  'class_body',
  'interface_body',
  'enum_body',
  'block',
  'array_initializer',
  'for_statement',
  'method_declaration',
  'variable_declarator',
  'assignment_expression',
  'binary_expression',
  'type_arguments'
]
