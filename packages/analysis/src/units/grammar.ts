import { parse } from '@ast-grep/napi'
import type { Language } from '@filewright/contracts'
import { registerTreeLanguages } from '../tree/register.js'
import type { TreeNode } from '../tree/tree.js'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** What the comparison of two versions asks of a language's syntax trees: the kinds of their nodes. */
export interface Grammar {
  parser: string
  /** Units: what is taken or left as a whole. */
  units: ReadonlySet<string>
  /** Units that hold units, and the node inside them that does. */
  holders: ReadonlyMap<string, string>
  imports: ReadonlySet<string>
  functions: ReadonlySet<string>
  calls: ReadonlySet<string>
  awaits: ReadonlySet<string>
  throws: ReadonlySet<string>
  catches: ReadonlySet<string>
  texts: ReadonlySet<string>
  numbers: ReadonlySet<string>
  constants: ReadonlySet<string>
  binaries: ReadonlySet<string>
  assignments: ReadonlySet<string>
  /** One path more through the code. */
  decisions: ReadonlySet<string>
  loops: ReadonlySet<string>
  /** Loops that count; what they count with is their header. */
  headers: ReadonlySet<string>
  /** Nodes whose `condition` is asked. */
  conditional: ReadonlySet<string>
  blocks: ReadonlySet<string>
}

const script: Grammar = {
  parser: 'javascript',
  units: words(
    'function_declaration generator_function_declaration class_declaration abstract_class_declaration lexical_declaration variable_declaration expression_statement export_statement method_definition field_definition public_field_definition interface_declaration type_alias_declaration enum_declaration if_statement for_statement for_in_statement try_statement'
  ),
  holders: new Map([
    ['class_declaration', 'class_body'],
    ['abstract_class_declaration', 'class_body']
  ]),
  imports: words('import_statement'),
  functions: words(
    'function_declaration generator_function_declaration function_expression function arrow_function method_definition'
  ),
  calls: words('call_expression new_expression'),
  awaits: words('await_expression'),
  throws: words('throw_statement'),
  catches: words('catch_clause'),
  texts: words('string_fragment regex_pattern jsx_text'),
  numbers: words('number'),
  constants: words('true false null undefined'),
  binaries: words('binary_expression'),
  assignments: words('assignment_expression augmented_assignment_expression'),
  decisions: words(
    'if_statement for_statement for_in_statement while_statement do_statement switch_case catch_clause ternary_expression'
  ),
  loops: words('for_statement for_in_statement while_statement do_statement'),
  headers: words('for_statement'),
  conditional: words('if_statement ternary_expression while_statement do_statement'),
  blocks: words('statement_block')
}

const python: Grammar = {
  parser: 'python',
  units: words(
    'function_definition decorated_definition class_definition expression_statement if_statement for_statement while_statement with_statement try_statement'
  ),
  holders: new Map([['class_definition', 'block']]),
  imports: words('import_statement import_from_statement'),
  functions: words('function_definition lambda'),
  calls: words('call'),
  awaits: words('await'),
  throws: words('raise_statement assert_statement'),
  catches: words('except_clause'),
  texts: words('string_content'),
  numbers: words('integer float'),
  constants: words('true false none'),
  binaries: words('comparison_operator binary_operator'),
  assignments: words('assignment augmented_assignment'),
  decisions: words(
    'if_statement elif_clause for_statement while_statement except_clause conditional_expression case_clause boolean_operator if_clause'
  ),
  loops: words('for_statement while_statement'),
  headers: words(''),
  conditional: words('if_statement elif_clause while_statement conditional_expression if_clause'),
  blocks: words('block')
}

const go: Grammar = {
  parser: 'go',
  units: words('function_declaration method_declaration type_declaration const_declaration var_declaration'),
  holders: new Map(),
  imports: words('import_declaration package_clause'),
  functions: words('function_declaration method_declaration func_literal'),
  calls: words('call_expression'),
  awaits: words('go_statement defer_statement'),
  throws: words(''),
  catches: words(''),
  texts: words(
    'interpreted_string_literal raw_string_literal interpreted_string_literal_content raw_string_literal_content rune_literal'
  ),
  numbers: words('int_literal float_literal'),
  constants: words('true false nil'),
  binaries: words('binary_expression'),
  assignments: words('assignment_statement'),
  decisions: words('if_statement for_statement expression_case communication_case'),
  loops: words('for_statement'),
  headers: words('for_clause'),
  conditional: words('if_statement'),
  blocks: words('block')
}

const java: Grammar = {
  parser: 'java',
  units: words(
    'class_declaration interface_declaration enum_declaration record_declaration method_declaration constructor_declaration field_declaration'
  ),
  holders: new Map([
    ['class_declaration', 'class_body'],
    ['interface_declaration', 'interface_body'],
    ['enum_declaration', 'enum_body'],
    ['record_declaration', 'class_body']
  ]),
  imports: words('import_declaration package_declaration'),
  functions: words('method_declaration constructor_declaration lambda_expression'),
  calls: words('method_invocation object_creation_expression'),
  awaits: words(''),
  throws: words('throw_statement'),
  catches: words('catch_clause'),
  texts: words('string_literal string_fragment character_literal text_block'),
  numbers: words('decimal_integer_literal decimal_floating_point_literal hex_integer_literal'),
  constants: words('true false null_literal'),
  binaries: words('binary_expression'),
  assignments: words('assignment_expression'),
  decisions: words(
    'if_statement for_statement enhanced_for_statement while_statement do_statement switch_block_statement_group switch_rule catch_clause ternary_expression'
  ),
  loops: words('for_statement enhanced_for_statement while_statement do_statement'),
  headers: words('for_statement'),
  conditional: words('if_statement ternary_expression while_statement do_statement'),
  blocks: words('block')
}

const rust: Grammar = {
  parser: 'rust',
  units: words(
    'function_item impl_item trait_item struct_item enum_item const_item static_item type_item macro_definition'
  ),
  holders: new Map([
    ['impl_item', 'declaration_list'],
    ['trait_item', 'declaration_list']
  ]),
  imports: words('use_declaration mod_item attribute_item inner_attribute_item'),
  functions: words('function_item closure_expression'),
  calls: words('call_expression macro_invocation'),
  awaits: words('await_expression try_expression'),
  throws: words(''),
  catches: words(''),
  texts: words('string_content string_literal char_literal'),
  numbers: words('integer_literal float_literal'),
  constants: words('boolean_literal'),
  binaries: words('binary_expression'),
  assignments: words('assignment_expression compound_assignment_expr'),
  decisions: words('if_expression for_expression while_expression loop_expression match_arm'),
  loops: words('for_expression while_expression loop_expression'),
  headers: words(''),
  conditional: words('if_expression while_expression'),
  blocks: words('block')
}

const grammars: Partial<Record<Language, Grammar>> = {
  javascript: script,
  jsx: script,
  typescript: { ...script, parser: 'typescript' },
  tsx: { ...script, parser: 'tsx' },
  python,
  go,
  java,
  rust
}

export function grammarOf(language: Language): Grammar | null {
  return grammars[language] ?? null
}

/** Null for code that the parser had to guess at. */
export function parseUnits(code: string, grammar: Grammar): TreeNode | null {
  registerTreeLanguages()
  const root = parse(grammar.parser, code).root()
  return root.find({ rule: { kind: 'ERROR' } }) === null ? root : null
}
