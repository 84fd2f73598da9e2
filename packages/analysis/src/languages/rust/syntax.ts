/**
 * Nodes that hold the token that is not there, where something is missing. Named, because asking every node for its text takes the
 * square of the code where it nests.
 */
export const rustHolders: readonly string[] = [
  'let_declaration',
  'expression_statement',
  'use_declaration',
  'const_item',
  'static_item',
  'struct_item',
  'function_item',
  'arguments',
  'parameters',
  'parenthesized_expression',
  'block',
  'match_block',
  'declaration_list',
  'field_declaration_list',
  'enum_variant_list',
  'field_initializer_list',
  'array_expression',
  'token_tree',
  'type_arguments',
  'binary_expression'
]
