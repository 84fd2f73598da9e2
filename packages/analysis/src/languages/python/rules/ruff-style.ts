import { ruffRulesOf } from './shared.js'

export const ruffStyleRules = ruffRulesOf('style', [
  [
    'C901',
    'complex-structure',
    'info',
    'The function has too many branches to be understood and tested easily.',
    'Split it into smaller functions.',
    'named'
  ],
  [
    'E401',
    'multiple-imports-on-one-line',
    'info',
    'One import statement imports several modules.',
    'Write one import per line.'
  ],
  [
    'E701',
    'multiple-statements-on-one-line-colon',
    'info',
    'The body is on the same line as its `if`, `for` or `while`.',
    'Put the body on its own line.'
  ],
  [
    'E702',
    'multiple-statements-on-one-line-semicolon',
    'info',
    'The line contains several statements.',
    'Write one statement per line.'
  ],
  ['E703', 'useless-semicolon', 'info', 'The semicolon at the end of the line has no effect.', 'Remove it.'],
  [
    'E712',
    'true-false-comparison',
    'info',
    'Comparing with True or False by == is not needed.',
    'Use the value itself, or `not`.'
  ],
  [
    'E731',
    'lambda-assignment',
    'info',
    'A lambda that is assigned to a name has no name in tracebacks.',
    'Use def.'
  ],
  [
    'E741',
    'ambiguous-variable-name',
    'info',
    'The names l, O and I are easily confused with 1 and 0.',
    'Use a longer name.',
    'named'
  ],
  [
    'F403',
    'undefined-local-with-import-star',
    'info',
    'A star import hides which names the module defines.',
    'Import the names that you use.'
  ],
  ['N801', 'invalid-class-name', 'info', 'Class names should use CapWords.', 'Rename the class.', 'named'],
  [
    'N802',
    'invalid-function-name',
    'info',
    'Function names should be lowercase with underscores.',
    'Rename the function.',
    'named'
  ],
  [
    'N803',
    'invalid-argument-name',
    'info',
    'Parameter names should be lowercase with underscores.',
    'Rename the parameter.',
    'named'
  ],
  [
    'N804',
    'invalid-first-argument-name-for-class-method',
    'info',
    'The first parameter of a class method should be named cls.',
    'Rename it to cls.'
  ],
  [
    'N805',
    'invalid-first-argument-name-for-method',
    'warning',
    'The first parameter of a method should be named self.',
    'Rename it to self, or add @staticmethod or @classmethod.'
  ],
  [
    'N806',
    'non-lowercase-variable-in-function',
    'info',
    'Variables in functions should be lowercase with underscores.',
    'Rename the variable.',
    'named'
  ],
  [
    'PIE790',
    'unnecessary-placeholder',
    'info',
    '`pass` has no effect in a block that has other statements or a docstring.',
    'Remove it.'
  ],
  [
    'PIE810',
    'multiple-starts-ends-with',
    'info',
    'startswith() or endswith() is called several times on the same string.',
    'Pass a tuple of strings to one call.'
  ],
  [
    'PLR0913',
    'too-many-arguments',
    'info',
    'The function has too many parameters.',
    'Group related parameters into a dataclass.',
    'named'
  ],
  [
    'PLR0911',
    'too-many-return-statements',
    'info',
    'The function has too many return statements.',
    'Split it into smaller functions, or use a dict for the lookup.',
    'named'
  ],
  [
    'PLR0915',
    'too-many-statements',
    'info',
    'The function has too many statements.',
    'Split it into smaller functions.',
    'named'
  ],
  ['PLR1711', 'useless-return', 'info', 'The return at the end of the function has no effect.', 'Remove it.'],
  [
    'PLR1714',
    'repeated-equality-comparison',
    'info',
    'The same value is compared with several others by ==.',
    'Use `in` with a tuple or a set.'
  ],
  [
    'PLR1722',
    'sys-exit-alias',
    'info',
    'exit() and quit() are meant for the interactive interpreter and can be missing in a program.',
    'Use sys.exit().'
  ],
  ['PLR5501', 'collapsible-else-if', 'info', 'The else block contains only an if statement.', 'Use elif.'],
  [
    'PLW0603',
    'global-statement',
    'info',
    'The function changes a global variable, which makes it hard to test and to call from threads.',
    'Pass the value as an argument and return the new one.',
    'named'
  ],
  [
    'RET505',
    'superfluous-else-return',
    'info',
    'The else after return is not needed.',
    'Remove the else and dedent its body.'
  ],
  [
    'RET506',
    'superfluous-else-raise',
    'info',
    'The else after raise is not needed.',
    'Remove the else and dedent its body.'
  ],
  [
    'RET507',
    'superfluous-else-continue',
    'info',
    'The else after continue is not needed.',
    'Remove the else and dedent its body.'
  ],
  [
    'SIM101',
    'duplicate-isinstance-call',
    'info',
    'isinstance() is called several times on the same value.',
    'Pass a tuple of types to one call.'
  ],
  [
    'SIM102',
    'collapsible-if',
    'info',
    'Two nested if statements can be one.',
    'Join the conditions with `and`.'
  ],
  [
    'SIM103',
    'needless-bool',
    'info',
    'The if statement returns True or False instead of its condition.',
    'Return the condition itself.'
  ],
  [
    'SIM110',
    'reimplemented-builtin',
    'info',
    'The loop reimplements any() or all().',
    'Use any() or all() with a generator expression.'
  ],
  [
    'SIM114',
    'if-with-same-arms',
    'info',
    'Two branches have the same body.',
    'Join their conditions with `or`.'
  ],
  [
    'SIM117',
    'multiple-with-statements',
    'info',
    'Two nested with statements can be one.',
    'List both context managers in one with statement.'
  ],
  ['SIM201', 'negate-equal-op', 'info', '`not a == b` is harder to read than `a != b`.', 'Use !=.'],
  [
    'SIM208',
    'double-negation',
    'info',
    '`not not x` is harder to read than `bool(x)`.',
    'Use bool(), or the value itself in a condition.'
  ],
  [
    'SIM210',
    'if-expr-with-true-false',
    'info',
    '`True if condition else False` repeats what the condition already says.',
    'Use the condition itself, or bool().'
  ],
  [
    'SIM300',
    'yoda-conditions',
    'info',
    'The constant is on the left side of the comparison.',
    'Put the variable first.'
  ],
  [
    'SIM401',
    'if-else-block-instead-of-dict-get',
    'info',
    'The if statement reimplements dict.get() with a default.',
    'Use dict.get(key, default).'
  ],
  [
    'SIM910',
    'dict-get-with-none-default',
    'info',
    'dict.get() returns None by default.',
    'Remove the second argument.'
  ],
  [
    'C405',
    'unnecessary-literal-set',
    'info',
    'set() converts a list or tuple literal.',
    'Use a set literal: {…}.'
  ],
  [
    'C408',
    'unnecessary-collection-call',
    'info',
    'dict(), list() or tuple() creates what a literal expresses directly.',
    'Use a literal: {}, [] or ().'
  ],
  [
    'C416',
    'unnecessary-comprehension',
    'info',
    'The comprehension only copies the iterable.',
    'Use list(), set() or dict().'
  ],
  [
    'C417',
    'unnecessary-map',
    'info',
    'map() with a lambda is harder to read than a comprehension.',
    'Use a comprehension or a generator expression.'
  ],
  [
    'UP004',
    'useless-object-inheritance',
    'info',
    'Every class inherits from object in Python 3.',
    'Remove `object` from the base classes.'
  ],
  [
    'UP008',
    'super-call-with-parameters',
    'info',
    'super() does not need arguments in Python 3.',
    'Call super() without arguments.'
  ],
  ['UP015', 'redundant-open-modes', 'info', 'The mode "r" is the default of open().', 'Remove the mode.'],
  ['UP031', 'printf-string-formatting', 'info', 'The string is formatted with %.', 'Use an f-string.'],
  ['UP032', 'f-string', 'info', 'The string is formatted with str.format().', 'Use an f-string.'],
  [
    'UP034',
    'extraneous-parentheses',
    'info',
    'The parentheses around this argument are not needed.',
    'Remove them.'
  ],
  [
    'RUF010',
    'explicit-f-string-type-conversion',
    'info',
    'The f-string calls str(), repr() or ascii().',
    'Use the conversion flag !s, !r or !a.'
  ]
])
