import { ruffRulesOf } from './shared.js'

const style = ruffRulesOf('style')

export const ruffStyleRules = [
  style.info('complex-structure', {
    code: 'C901',
    sentence: 'The function has too many branches to be understood and tested easily.',
    suggestion: 'Split it into smaller functions.',
    named: true
  }),
  style.info('multiple-imports-on-one-line', {
    code: 'E401',
    sentence: 'One import statement imports several modules.',
    suggestion: 'Write one import per line.'
  }),
  style.info('multiple-statements-on-one-line-colon', {
    code: 'E701',
    sentence: 'The body is on the same line as its `if`, `for` or `while`.',
    suggestion: 'Put the body on its own line.'
  }),
  style.info('multiple-statements-on-one-line-semicolon', {
    code: 'E702',
    sentence: 'The line contains several statements.',
    suggestion: 'Write one statement per line.'
  }),
  style.info('useless-semicolon', {
    code: 'E703',
    sentence: 'The semicolon at the end of the line has no effect.',
    suggestion: 'Remove it.'
  }),
  style.info('true-false-comparison', {
    code: 'E712',
    sentence: 'Comparing with True or False by == is not needed.',
    suggestion: 'Use the value itself, or `not`.'
  }),
  style.info('lambda-assignment', {
    code: 'E731',
    sentence: 'A lambda that is assigned to a name has no name in tracebacks.',
    suggestion: 'Use def.'
  }),
  style.info('ambiguous-variable-name', {
    code: 'E741',
    sentence: 'The names l, O and I are easily confused with 1 and 0.',
    suggestion: 'Use a longer name.',
    named: true
  }),
  style.info('undefined-local-with-import-star', {
    code: 'F403',
    sentence: 'A star import hides which names the module defines.',
    suggestion: 'Import the names that you use.'
  }),
  style.info('invalid-class-name', {
    code: 'N801',
    sentence: 'Class names should use CapWords.',
    suggestion: 'Rename the class.',
    named: true
  }),
  style.info('invalid-function-name', {
    code: 'N802',
    sentence: 'Function names should be lowercase with underscores.',
    suggestion: 'Rename the function.',
    named: true
  }),
  style.info('invalid-argument-name', {
    code: 'N803',
    sentence: 'Parameter names should be lowercase with underscores.',
    suggestion: 'Rename the parameter.',
    named: true
  }),
  style.info('invalid-first-argument-name-for-class-method', {
    code: 'N804',
    sentence: 'The first parameter of a class method should be named cls.',
    suggestion: 'Rename it to cls.'
  }),
  style.warning('invalid-first-argument-name-for-method', {
    code: 'N805',
    sentence: 'The first parameter of a method should be named self.',
    suggestion: 'Rename it to self, or add @staticmethod or @classmethod.'
  }),
  style.info('non-lowercase-variable-in-function', {
    code: 'N806',
    sentence: 'Variables in functions should be lowercase with underscores.',
    suggestion: 'Rename the variable.',
    named: true
  }),
  style.info('unnecessary-placeholder', {
    code: 'PIE790',
    sentence: '`pass` has no effect in a block that has other statements or a docstring.',
    suggestion: 'Remove it.'
  }),
  style.info('multiple-starts-ends-with', {
    code: 'PIE810',
    sentence: 'startswith() or endswith() is called several times on the same string.',
    suggestion: 'Pass a tuple of strings to one call.'
  }),
  style.info('too-many-arguments', {
    code: 'PLR0913',
    sentence: 'The function has too many parameters.',
    suggestion: 'Group related parameters into a dataclass.',
    named: true
  }),
  style.info('too-many-return-statements', {
    code: 'PLR0911',
    sentence: 'The function has too many return statements.',
    suggestion: 'Split it into smaller functions, or use a dict for the lookup.',
    named: true
  }),
  style.info('too-many-statements', {
    code: 'PLR0915',
    sentence: 'The function has too many statements.',
    suggestion: 'Split it into smaller functions.',
    named: true
  }),
  style.info('useless-return', {
    code: 'PLR1711',
    sentence: 'The return at the end of the function has no effect.',
    suggestion: 'Remove it.'
  }),
  style.info('repeated-equality-comparison', {
    code: 'PLR1714',
    sentence: 'The same value is compared with several others by ==.',
    suggestion: 'Use `in` with a tuple or a set.'
  }),
  style.info('sys-exit-alias', {
    code: 'PLR1722',
    sentence: 'exit() and quit() are meant for the interactive interpreter and can be missing in a program.',
    suggestion: 'Use sys.exit().'
  }),
  style.info('collapsible-else-if', {
    code: 'PLR5501',
    sentence: 'The else block contains only an if statement.',
    suggestion: 'Use elif.'
  }),
  style.info('global-statement', {
    code: 'PLW0603',
    sentence: 'The function changes a global variable, which makes it hard to test and to call from threads.',
    suggestion: 'Pass the value as an argument and return the new one.',
    named: true
  }),
  style.info('superfluous-else-return', {
    code: 'RET505',
    sentence: 'The else after return is not needed.',
    suggestion: 'Remove the else and dedent its body.'
  }),
  style.info('superfluous-else-raise', {
    code: 'RET506',
    sentence: 'The else after raise is not needed.',
    suggestion: 'Remove the else and dedent its body.'
  }),
  style.info('superfluous-else-continue', {
    code: 'RET507',
    sentence: 'The else after continue is not needed.',
    suggestion: 'Remove the else and dedent its body.'
  }),
  style.info('duplicate-isinstance-call', {
    code: 'SIM101',
    sentence: 'isinstance() is called several times on the same value.',
    suggestion: 'Pass a tuple of types to one call.'
  }),
  style.info('collapsible-if', {
    code: 'SIM102',
    sentence: 'Two nested if statements can be one.',
    suggestion: 'Join the conditions with `and`.'
  }),
  style.info('needless-bool', {
    code: 'SIM103',
    sentence: 'The if statement returns True or False instead of its condition.',
    suggestion: 'Return the condition itself.'
  }),
  style.info('reimplemented-builtin', {
    code: 'SIM110',
    sentence: 'The loop reimplements any() or all().',
    suggestion: 'Use any() or all() with a generator expression.'
  }),
  style.info('if-with-same-arms', {
    code: 'SIM114',
    sentence: 'Two branches have the same body.',
    suggestion: 'Join their conditions with `or`.'
  }),
  style.info('multiple-with-statements', {
    code: 'SIM117',
    sentence: 'Two nested with statements can be one.',
    suggestion: 'List both context managers in one with statement.'
  }),
  style.info('negate-equal-op', {
    code: 'SIM201',
    sentence: '`not a == b` is harder to read than `a != b`.',
    suggestion: 'Use !=.'
  }),
  style.info('double-negation', {
    code: 'SIM208',
    sentence: '`not not x` is harder to read than `bool(x)`.',
    suggestion: 'Use bool(), or the value itself in a condition.'
  }),
  style.info('if-expr-with-true-false', {
    code: 'SIM210',
    sentence: '`True if condition else False` repeats what the condition already says.',
    suggestion: 'Use the condition itself, or bool().'
  }),
  style.info('yoda-conditions', {
    code: 'SIM300',
    sentence: 'The constant is on the left side of the comparison.',
    suggestion: 'Put the variable first.'
  }),
  style.info('if-else-block-instead-of-dict-get', {
    code: 'SIM401',
    sentence: 'The if statement reimplements dict.get() with a default.',
    suggestion: 'Use dict.get(key, default).'
  }),
  style.info('dict-get-with-none-default', {
    code: 'SIM910',
    sentence: 'dict.get() returns None by default.',
    suggestion: 'Remove the second argument.'
  }),
  style.info('unnecessary-literal-set', {
    code: 'C405',
    sentence: 'set() converts a list or tuple literal.',
    suggestion: 'Use a set literal: {…}.'
  }),
  style.info('unnecessary-collection-call', {
    code: 'C408',
    sentence: 'dict(), list() or tuple() creates what a literal expresses directly.',
    suggestion: 'Use a literal: {}, [] or ().'
  }),
  style.info('unnecessary-comprehension', {
    code: 'C416',
    sentence: 'The comprehension only copies the iterable.',
    suggestion: 'Use list(), set() or dict().'
  }),
  style.info('unnecessary-map', {
    code: 'C417',
    sentence: 'map() with a lambda is harder to read than a comprehension.',
    suggestion: 'Use a comprehension or a generator expression.'
  }),
  style.info('useless-object-inheritance', {
    code: 'UP004',
    sentence: 'Every class inherits from object in Python 3.',
    suggestion: 'Remove `object` from the base classes.'
  }),
  style.info('super-call-with-parameters', {
    code: 'UP008',
    sentence: 'super() does not need arguments in Python 3.',
    suggestion: 'Call super() without arguments.'
  }),
  style.info('redundant-open-modes', {
    code: 'UP015',
    sentence: 'The mode "r" is the default of open().',
    suggestion: 'Remove the mode.'
  }),
  style.info('printf-string-formatting', {
    code: 'UP031',
    sentence: 'The string is formatted with %.',
    suggestion: 'Use an f-string.'
  }),
  style.info('f-string', {
    code: 'UP032',
    sentence: 'The string is formatted with str.format().',
    suggestion: 'Use an f-string.'
  }),
  style.info('extraneous-parentheses', {
    code: 'UP034',
    sentence: 'The parentheses around this argument are not needed.',
    suggestion: 'Remove them.'
  }),
  style.info('explicit-f-string-type-conversion', {
    code: 'RUF010',
    sentence: 'The f-string calls str(), repr() or ascii().',
    suggestion: 'Use the conversion flag !s, !r or !a.'
  })
]
