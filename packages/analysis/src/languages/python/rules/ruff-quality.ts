import { ruffRulesOf } from './shared.js'

const comprehension = 'Use a comprehension.'
const asyncCall = 'Use an async library, or run the call in a thread.'

export const ruffPerformanceRules = ruffRulesOf('performance', [
  [
    'PERF101',
    'unnecessary-list-cast',
    'info',
    'The list is copied only to walk over it.',
    'Walk over it directly.'
  ],
  [
    'PERF102',
    'incorrect-dict-iterator',
    'info',
    'Only the keys or only the values are used.',
    'Use keys() or values().'
  ],
  ['PERF401', 'manual-list-comprehension', 'info', 'A list is filled one append at a time.', comprehension],
  ['PERF402', 'manual-list-copy', 'info', 'A list is copied one element at a time.', 'Use list() or copy().'],
  [
    'PERF403',
    'manual-dict-comprehension',
    'info',
    'A dictionary is filled one entry at a time.',
    comprehension
  ],
  ['C400', 'unnecessary-generator-list', 'info', 'A generator is only turned into a list.', comprehension],
  ['C401', 'unnecessary-generator-set', 'info', 'A generator is only turned into a set.', comprehension],
  [
    'C402',
    'unnecessary-generator-dict',
    'info',
    'A generator is only turned into a dictionary.',
    comprehension
  ],
  [
    'C403',
    'unnecessary-list-comprehension-set',
    'info',
    'A list is made only to become a set.',
    comprehension
  ],
  [
    'C404',
    'unnecessary-list-comprehension-dict',
    'info',
    'A list is made only to become a dictionary.',
    comprehension
  ],
  ['C411', 'unnecessary-list-call', 'info', 'A list is copied for nothing.', 'Drop the call.'],
  [
    'C413',
    'unnecessary-call-around-sorted',
    'info',
    'The sorted list is copied for nothing.',
    'Drop the call, or pass reverse=True.'
  ],
  [
    'C414',
    'unnecessary-double-cast-or-process',
    'info',
    'The values are converted twice.',
    'Drop the inner call.'
  ],
  [
    'C419',
    'unnecessary-comprehension-in-call',
    'info',
    'A whole list is made although the first answer may be enough.',
    'Pass a generator.'
  ],
  [
    'RUF015',
    'unnecessary-iterable-allocation-for-first-element',
    'info',
    'A whole list is made for its first element.',
    'Use next(iter(...)).'
  ],
  [
    'RUF017',
    'quadratic-list-summation',
    'warning',
    'Adding lists with sum copies them again and again.',
    'Use itertools.chain.'
  ],
  ['SIM118', 'in-dict-keys', 'info', 'keys() is not needed to look up a key.', 'Use `in` on the dictionary.'],
  [
    'B019',
    'cached-instance-method',
    'warning',
    'The cache keeps every object alive.',
    'Cache on the object, or make it a function.'
  ],
  [
    'ASYNC210',
    'blocking-http-call-in-async-function',
    'warning',
    'A blocking request stops every other task.',
    asyncCall
  ],
  [
    'ASYNC220',
    'create-subprocess-in-async-function',
    'warning',
    'Starting a program here stops every other task.',
    asyncCall
  ],
  [
    'ASYNC221',
    'run-process-in-async-function',
    'warning',
    'Waiting for a program here stops every other task.',
    asyncCall
  ],
  [
    'ASYNC222',
    'wait-for-process-in-async-function',
    'warning',
    'Waiting for a program here stops every other task.',
    asyncCall
  ],
  [
    'ASYNC230',
    'blocking-open-call-in-async-function',
    'warning',
    'Opening a file here stops every other task.',
    asyncCall
  ],
  [
    'ASYNC251',
    'blocking-sleep-in-async-function',
    'warning',
    'time.sleep stops every other task.',
    'Use asyncio.sleep.'
  ],
  [
    'PLR1733',
    'unnecessary-dict-index-lookup',
    'info',
    'The value is looked up although the loop has it.',
    "Use the loop's value."
  ],
  [
    'PLR1736',
    'unnecessary-list-index-lookup',
    'info',
    'The element is looked up although the loop has it.',
    "Use the loop's value."
  ]
])

export const ruffStyleRules = ruffRulesOf('style', [
  [
    'C901',
    'complex-structure',
    'info',
    'A function has very many paths through it.',
    'Split the function into smaller ones.',
    'named'
  ],
  [
    'E401',
    'multiple-imports-on-one-line',
    'info',
    'One line imports several modules.',
    'Write one import per line.'
  ],
  [
    'E701',
    'multiple-statements-on-one-line-colon',
    'info',
    'A block stands on the line of its header.',
    'Put the block on its own line.'
  ],
  [
    'E702',
    'multiple-statements-on-one-line-semicolon',
    'info',
    'One line holds several statements.',
    'Write one statement per line.'
  ],
  ['E703', 'useless-semicolon', 'info', 'A semicolon ends the line.', 'Remove the semicolon.'],
  [
    'E712',
    'true-false-comparison',
    'info',
    'A value is compared with True or False.',
    'Use the value itself, or `not`.'
  ],
  ['E731', 'lambda-assignment', 'info', 'A lambda is given a name.', 'Use def.'],
  ['E741', 'ambiguous-variable-name', 'info', 'l, O and I look like numbers.', 'Use a longer name.', 'named'],
  [
    'F403',
    'undefined-local-with-import-star',
    'info',
    'A star import hides where names come from.',
    'Import the names you use.'
  ],
  [
    'N801',
    'invalid-class-name',
    'info',
    'A class is not named in CapWords.',
    'Use CapWords for classes.',
    'named'
  ],
  [
    'N802',
    'invalid-function-name',
    'info',
    'A function is not named in lower case.',
    'Use lower case with underscores for functions.',
    'named'
  ],
  [
    'N803',
    'invalid-argument-name',
    'info',
    'A parameter is not named in lower case.',
    'Use lower case with underscores for parameters.',
    'named'
  ],
  [
    'N804',
    'invalid-first-argument-name-for-class-method',
    'info',
    'The first parameter of a class method is not cls.',
    'Name it cls.'
  ],
  [
    'N805',
    'invalid-first-argument-name-for-method',
    'warning',
    'The first parameter of a method is not self.',
    'Name it self.'
  ],
  [
    'N806',
    'non-lowercase-variable-in-function',
    'info',
    'A variable is not named in lower case.',
    'Use lower case with underscores for variables.',
    'named'
  ],
  ['PIE790', 'unnecessary-placeholder', 'info', 'pass is not needed here.', 'Remove it.'],
  ['PIE810', 'multiple-starts-ends-with', 'info', 'startswith is called several times.', 'Pass a tuple.'],
  [
    'PLR0913',
    'too-many-arguments',
    'info',
    'A function takes very many parameters.',
    'Group parameters into an object.',
    'named'
  ],
  [
    'PLR0911',
    'too-many-return-statements',
    'info',
    'A function returns in very many places.',
    'Split the function into smaller ones.',
    'named'
  ],
  [
    'PLR0915',
    'too-many-statements',
    'info',
    'A function is very long.',
    'Split the function into smaller ones.',
    'named'
  ],
  [
    'PLR1711',
    'useless-return',
    'info',
    'A return at the end of a function does nothing.',
    'Remove the return.'
  ],
  ['PLR1714', 'repeated-equality-comparison', 'info', 'A value is compared several times.', 'Use `in`.'],
  ['PLR1722', 'sys-exit-alias', 'info', 'exit and quit are made for the interactive shell.', 'Use sys.exit.'],
  ['PLR5501', 'collapsible-else-if', 'info', 'An if stands alone in an else.', 'Use elif.'],
  [
    'PLW0603',
    'global-statement',
    'info',
    'A function changes a global variable.',
    'Pass the value in and return the new one.',
    'named'
  ],
  [
    'RET505',
    'superfluous-else-return',
    'info',
    'The else after a return is not needed.',
    'Drop the else and dedent its body.'
  ],
  [
    'RET506',
    'superfluous-else-raise',
    'info',
    'The else after a raise is not needed.',
    'Drop the else and dedent its body.'
  ],
  [
    'RET507',
    'superfluous-else-continue',
    'info',
    'The else after a continue is not needed.',
    'Drop the else and dedent its body.'
  ],
  [
    'SIM101',
    'duplicate-isinstance-call',
    'info',
    'isinstance is called several times for one value.',
    'Pass a tuple of types.'
  ],
  ['SIM102', 'collapsible-if', 'info', 'Two ifs can be one.', 'Join the conditions with and.'],
  [
    'SIM103',
    'needless-bool',
    'info',
    'The condition is returned by way of True and False.',
    'Return the condition itself.'
  ],
  ['SIM110', 'reimplemented-builtin', 'info', 'The loop does what any or all does.', 'Use any or all.'],
  ['SIM114', 'if-with-same-arms', 'info', 'Two branches do the same.', 'Join the conditions with or.'],
  ['SIM117', 'multiple-with-statements', 'info', 'Two with statements can be one.', 'Join them.'],
  ['SIM201', 'negate-equal-op', 'info', 'The negation is hard to read.', 'Use !=.'],
  ['SIM208', 'double-negation', 'info', 'The value is negated twice.', 'Use the value itself.'],
  [
    'SIM210',
    'if-expr-with-true-false',
    'info',
    'The condition is spelled out as True and False.',
    'Use the condition itself.'
  ],
  [
    'SIM300',
    'yoda-conditions',
    'info',
    'The fixed value stands on the left.',
    'Put the value that varies first.'
  ],
  [
    'SIM401',
    'if-else-block-instead-of-dict-get',
    'info',
    'A lookup with a default is written out.',
    'Use get with a default.'
  ],
  ['SIM910', 'dict-get-with-none-default', 'info', 'None is the default of get anyway.', 'Drop the None.'],
  ['C405', 'unnecessary-literal-set', 'info', 'A literal is converted to a set.', 'Write a set literal.'],
  [
    'C408',
    'unnecessary-collection-call',
    'info',
    'A call makes an empty or fixed collection.',
    'Write a literal.'
  ],
  [
    'C416',
    'unnecessary-comprehension',
    'info',
    'The comprehension only copies.',
    'Use list(), set() or dict().'
  ],
  ['C417', 'unnecessary-map', 'info', 'map with a lambda is hard to read.', 'Use a comprehension.'],
  ['UP004', 'useless-object-inheritance', 'info', 'Every class derives from object anyway.', 'Drop it.'],
  ['UP008', 'super-call-with-parameters', 'info', 'super needs no parameters.', 'Call super().'],
  ['UP015', 'redundant-open-modes', 'info', '"r" is the mode open uses anyway.', 'Drop it.'],
  ['UP031', 'printf-string-formatting', 'info', 'The text is formatted with %.', 'Use an f-string.'],
  ['UP032', 'f-string', 'info', 'The text is formatted with format.', 'Use an f-string.'],
  ['UP034', 'extraneous-parentheses', 'info', 'The parentheses are not needed.', 'Remove them.'],
  [
    'RUF010',
    'explicit-f-string-type-conversion',
    'info',
    'str is called inside an f-string.',
    'Use !s, or nothing.'
  ]
])
