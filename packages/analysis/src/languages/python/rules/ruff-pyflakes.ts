import { ruffRulesOf } from './shared.js'

export const ruffPyflakesRules = ruffRulesOf('bugs', [
  ['F401', 'unused-import', 'warning', 'The imported name is never used.', 'Remove the import.', 'named'],
  [
    'F402',
    'import-shadowed-by-loop-var',
    'warning',
    'A loop variable overwrites an imported name.',
    'Rename the loop variable.',
    'named'
  ],
  [
    'F502',
    'percent-format-expected-mapping',
    'error',
    'The % format has named placeholders, but the values are not a dict.',
    'Pass a dict, or use %s placeholders.'
  ],
  [
    'F505',
    'percent-format-missing-argument',
    'error',
    'A named placeholder of the % format has no value in the dict, which raises a KeyError.',
    'Add the missing key to the dict.'
  ],
  [
    'F507',
    'percent-format-positional-count-mismatch',
    'error',
    'The % format has more or fewer placeholders than values, which raises a TypeError.',
    'Pass one value for each placeholder.'
  ],
  [
    'F509',
    'percent-format-unsupported-format-character',
    'error',
    'The % format contains an unknown conversion, which raises a ValueError.',
    'Use a conversion such as %s, %d or %f, and %% for a percent sign.'
  ],
  [
    'F523',
    'string-dot-format-extra-positional-arguments',
    'warning',
    'str.format() gets a positional argument that no placeholder uses.',
    'Add a placeholder, or remove the argument.'
  ],
  [
    'F524',
    'string-dot-format-missing-arguments',
    'error',
    'A placeholder of str.format() has no argument, which raises an error.',
    'Pass the missing argument.'
  ],
  [
    'F541',
    'f-string-missing-placeholders',
    'info',
    'The f-string has no placeholders.',
    'Remove the f prefix, or add the placeholder that was meant.'
  ],
  [
    'F601',
    'multi-value-repeated-key-literal',
    'error',
    'The dict literal contains the same key twice, so the first value is lost.',
    'Remove or rename one of the two keys.',
    'named'
  ],
  [
    'F631',
    'assert-tuple',
    'error',
    'A non-empty tuple is always true, so this assertion never fails.',
    'Remove the parentheses: `assert condition, message`.'
  ],
  [
    'F632',
    'is-literal',
    'error',
    '`is` compares identity; whether two equal literals are the same object depends on the interpreter.',
    'Use == or !=.'
  ],
  [
    'F634',
    'if-tuple',
    'error',
    'A non-empty tuple is always true, so the condition always holds.',
    'Join the conditions with `and` or `or`.'
  ],
  [
    'F811',
    'redefined-while-unused',
    'warning',
    'The name is defined a second time before its first definition is used.',
    'Remove or rename one of the two definitions.',
    'named'
  ],
  [
    'F821',
    'undefined-name',
    'error',
    'The name is not defined.',
    'Import or define it, or correct the spelling.',
    'named'
  ],
  [
    'F823',
    'undefined-local',
    'error',
    'The local variable is read before it is assigned, which raises an UnboundLocalError.',
    'Assign it first, or declare it `global` or `nonlocal`.',
    'named'
  ],
  [
    'F841',
    'unused-variable',
    'warning',
    'The local variable is assigned but never used.',
    'Remove the variable, or use its value.',
    'named'
  ],
  [
    'F901',
    'raise-not-implemented',
    'error',
    'NotImplemented is not an exception, so raising it is a TypeError.',
    'Raise NotImplementedError.'
  ],
  [
    'F522',
    'string-dot-format-extra-named-arguments',
    'warning',
    'str.format() gets a keyword argument that no placeholder uses.',
    'Add a placeholder, or remove the argument.'
  ],
  [
    'F525',
    'string-dot-format-mixing-automatic',
    'error',
    'str.format() mixes {} and {0}, which raises a ValueError.',
    'Number all placeholders, or none of them.'
  ],
  [
    'F504',
    'percent-format-extra-named-arguments',
    'warning',
    'The dict of the % format contains a key that no placeholder uses.',
    'Add a placeholder, or remove the key.'
  ]
])
