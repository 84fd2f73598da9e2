import { ruffRulesOf } from './shared.js'

const bug = ruffRulesOf('bugs')

export const ruffPyflakesRules = [
  bug.warning('unused-import', {
    code: 'F401',
    sentence: 'The imported name is never used.',
    suggestion: 'Remove the import.',
    named: true
  }),
  bug.warning('import-shadowed-by-loop-var', {
    code: 'F402',
    sentence: 'A loop variable overwrites an imported name.',
    suggestion: 'Rename the loop variable.',
    named: true
  }),
  bug.error('percent-format-expected-mapping', {
    code: 'F502',
    sentence: 'The % format has named placeholders, but the values are not a dict.',
    suggestion: 'Pass a dict, or use %s placeholders.'
  }),
  bug.error('percent-format-missing-argument', {
    code: 'F505',
    sentence: 'A named placeholder of the % format has no value in the dict, which raises a KeyError.',
    suggestion: 'Add the missing key to the dict.'
  }),
  bug.error('percent-format-positional-count-mismatch', {
    code: 'F507',
    sentence: 'The % format has more or fewer placeholders than values, which raises a TypeError.',
    suggestion: 'Pass one value for each placeholder.'
  }),
  bug.error('percent-format-unsupported-format-character', {
    code: 'F509',
    sentence: 'The % format contains an unknown conversion, which raises a ValueError.',
    suggestion: 'Use a conversion such as %s, %d or %f, and %% for a percent sign.'
  }),
  bug.warning('string-dot-format-extra-positional-arguments', {
    code: 'F523',
    sentence: 'str.format() gets a positional argument that no placeholder uses.',
    suggestion: 'Add a placeholder, or remove the argument.'
  }),
  bug.error('string-dot-format-missing-arguments', {
    code: 'F524',
    sentence: 'A placeholder of str.format() has no argument, which raises an error.',
    suggestion: 'Pass the missing argument.'
  }),
  bug.info('f-string-missing-placeholders', {
    code: 'F541',
    sentence: 'The f-string has no placeholders.',
    suggestion: 'Remove the f prefix, or add the placeholder that was meant.'
  }),
  bug.error('multi-value-repeated-key-literal', {
    code: 'F601',
    sentence: 'The dict literal contains the same key twice, so the first value is lost.',
    suggestion: 'Remove or rename one of the two keys.',
    named: true
  }),
  bug.error('assert-tuple', {
    code: 'F631',
    sentence: 'A non-empty tuple is always true, so this assertion never fails.',
    suggestion: 'Remove the parentheses: `assert condition, message`.'
  }),
  bug.error('is-literal', {
    code: 'F632',
    sentence:
      '`is` compares identity; whether two equal literals are the same object depends on the interpreter.',
    suggestion: 'Use == or !=.'
  }),
  bug.error('if-tuple', {
    code: 'F634',
    sentence: 'A non-empty tuple is always true, so the condition always holds.',
    suggestion: 'Join the conditions with `and` or `or`.'
  }),
  bug.warning('redefined-while-unused', {
    code: 'F811',
    sentence: 'The name is defined a second time before its first definition is used.',
    suggestion: 'Remove or rename one of the two definitions.',
    named: true
  }),
  bug.error('undefined-name', {
    code: 'F821',
    sentence: 'The name is not defined.',
    suggestion: 'Import or define it, or correct the spelling.',
    named: true
  }),
  bug.error('undefined-local', {
    code: 'F823',
    sentence: 'The local variable is read before it is assigned, which raises an UnboundLocalError.',
    suggestion: 'Assign it first, or declare it `global` or `nonlocal`.',
    named: true
  }),
  bug.warning('unused-variable', {
    code: 'F841',
    sentence: 'The local variable is assigned but never used.',
    suggestion: 'Remove the variable, or use its value.',
    named: true
  }),
  bug.error('raise-not-implemented', {
    code: 'F901',
    sentence: 'NotImplemented is not an exception, so raising it is a TypeError.',
    suggestion: 'Raise NotImplementedError.'
  }),
  bug.warning('string-dot-format-extra-named-arguments', {
    code: 'F522',
    sentence: 'str.format() gets a keyword argument that no placeholder uses.',
    suggestion: 'Add a placeholder, or remove the argument.'
  }),
  bug.error('string-dot-format-mixing-automatic', {
    code: 'F525',
    sentence: 'str.format() mixes {} and {0}, which raises a ValueError.',
    suggestion: 'Number all placeholders, or none of them.'
  }),
  bug.warning('percent-format-extra-named-arguments', {
    code: 'F504',
    sentence: 'The dict of the % format contains a key that no placeholder uses.',
    suggestion: 'Add a placeholder, or remove the key.'
  })
]
