import { ruffRulesOf, selfComparison } from './shared.js'

export const ruffBugRules = ruffRulesOf('bugs', [
  [
    'E711',
    'none-comparison',
    'warning',
    'Comparing with None by == calls __eq__, which a class may override.',
    'Use `is None` or `is not None`.'
  ],
  ['E713', 'not-in-test', 'info', '`not x in y` is harder to read than `x not in y`.', 'Use `not in`.'],
  ['E714', 'not-is-test', 'info', '`not x is y` is harder to read than `x is not y`.', 'Use `is not`.'],
  [
    'E721',
    'type-comparison',
    'warning',
    'Comparing types with == ignores subclasses.',
    'Use isinstance(), or `is` to compare the exact type.'
  ],
  [
    'E722',
    'bare-except',
    'warning',
    'A bare except also catches KeyboardInterrupt and SystemExit.',
    'Catch the exceptions that you expect, or at least `except Exception`.'
  ],
  [
    'A001',
    'builtin-variable-shadowing',
    'info',
    'The variable hides a Python builtin.',
    'Choose another name.',
    'named'
  ],
  [
    'A002',
    'builtin-argument-shadowing',
    'info',
    'The parameter hides a Python builtin.',
    'Choose another name.',
    'named'
  ],
  [
    'PLE0101',
    'return-in-init',
    'error',
    '__init__ returns a value, which raises a TypeError when the object is created.',
    'Remove the return value.'
  ],
  [
    'PLE0302',
    'unexpected-special-method-signature',
    'error',
    'The special method does not accept the arguments that Python passes to it.',
    'Declare the parameters that the data model defines for this method.',
    'named'
  ],
  [
    'PLE1142',
    'await-outside-async',
    'error',
    '`await` outside an async function is a syntax error.',
    'Declare the function with `async def`.'
  ],
  [
    'PLE1205',
    'logging-too-many-args',
    'error',
    'The logging call has more arguments than placeholders in its message.',
    'Add a placeholder such as %s, or remove the argument.'
  ],
  [
    'PLE1206',
    'logging-too-few-args',
    'error',
    'The logging call has fewer arguments than placeholders in its message.',
    'Pass one argument for each placeholder.'
  ],
  ['PLR0124', 'comparison-with-itself', 'error', selfComparison.sentence, selfComparison.suggestion],
  [
    'PLR0133',
    'comparison-of-constant',
    'warning',
    'The comparison of two constants always has the same result.',
    'Compare with the variable that was meant, or remove the condition.'
  ],
  [
    'PLR1704',
    'redefined-argument-from-local',
    'info',
    'A loop or with statement overwrites a parameter of the function.',
    'Use another name for the local variable.',
    'named'
  ],
  [
    'PLW0120',
    'useless-else-on-loop',
    'warning',
    'The loop has no break, so its else block always runs.',
    'Move the code of the else block after the loop, without else.'
  ],
  [
    'PLW0127',
    'self-assigning-variable',
    'warning',
    'The variable is assigned to itself.',
    'Assign the value that was meant, or remove the statement.'
  ],
  [
    'PLW0128',
    'redeclared-assigned-name',
    'warning',
    'The same name occurs twice on the left side, so the first value is lost.',
    'Use different names, or _ for a value that you do not need.'
  ],
  [
    'PLW0129',
    'assert-on-string-literal',
    'warning',
    'A non-empty string is always true, so this assertion never fails.',
    'Assert a condition and put the string after a comma.'
  ],
  [
    'PLW0133',
    'useless-exception-statement',
    'error',
    'The exception is created but not raised.',
    'Put `raise` before it.'
  ],
  [
    'PLW0711',
    'binary-op-exception',
    'error',
    '`except A or B` catches A only, and `except A and B` catches B only.',
    'Use a tuple: `except (A, B)`.'
  ],
  [
    'PLW1501',
    'bad-open-mode',
    'error',
    'open() raises a ValueError for this mode.',
    'Use a valid mode, such as "r", "w", "a" or "x", with "b" for bytes.'
  ],
  [
    'PLW1508',
    'invalid-envvar-default',
    'warning',
    'The default of os.getenv() is not a string, so the result has two possible types.',
    'Pass a string as the default and convert the result.'
  ],
  [
    'PLW1509',
    'subprocess-popen-preexec-fn',
    'warning',
    'preexec_fn can deadlock the child process when the program has threads.',
    'Use start_new_session, process_group, user or umask instead.'
  ],
  [
    'PLW2901',
    'redefined-loop-name',
    'info',
    'The loop variable is overwritten in the body of the loop.',
    'Use another name for the new value.',
    'named'
  ],
  [
    'RUF006',
    'asyncio-dangling-task',
    'warning',
    'asyncio keeps only a weak reference to this task, so it can be garbage-collected before it finishes.',
    'Store the task in a variable or a set, or use asyncio.TaskGroup.'
  ],
  [
    'RUF012',
    'mutable-class-default',
    'info',
    'All instances of the class share this mutable value.',
    'Create it in __init__, or annotate it with typing.ClassVar.'
  ],
  [
    'RUF016',
    'invalid-index-type',
    'error',
    'The index type raises a TypeError: lists, tuples and strings need an integer or a slice.',
    'Use an integer or a slice as the index.'
  ],
  [
    'S110',
    'try-except-pass',
    'warning',
    'The except clause ignores every exception, so a failure looks like success.',
    'Catch the exception that you expect, or log it.'
  ],
  [
    'S112',
    'try-except-continue',
    'warning',
    'The except clause skips to the next iteration on every exception, so a failure looks like success.',
    'Catch the exception that you expect, or log it before `continue`.'
  ],
  [
    'S113',
    'request-without-timeout',
    'warning',
    'Without a timeout, the request waits forever when the server does not respond.',
    'Pass `timeout` in seconds.'
  ],
  [
    'SIM115',
    'open-file-with-context-handler',
    'warning',
    'The file stays open when an exception occurs before close().',
    'Open it in a with statement.'
  ],
  [
    'T100',
    'debugger',
    'warning',
    'A call to the debugger stops the program here.',
    'Remove it before you deploy.'
  ],
  [
    'TRY203',
    'useless-try-except',
    'info',
    'The except clause only raises the same exception again.',
    'Remove the try statement, or handle the exception.'
  ],
  [
    'W605',
    'invalid-escape-sequence',
    'warning',
    'The string contains an invalid escape sequence, which newer versions of Python reject.',
    'Use a raw string (r"…"), or double the backslash.'
  ],
  [
    'PIE794',
    'duplicate-class-field-definition',
    'warning',
    'The class defines the same field twice, so the first value is lost.',
    'Remove or rename one of the two fields.',
    'named'
  ],
  [
    'PIE796',
    'non-unique-enums',
    'warning',
    'Two enum members have the same value, so the second one is an alias of the first.',
    'Give each member its own value, for example with enum.auto().',
    'named'
  ],
  [
    'PLE0100',
    'yield-in-init',
    'error',
    '__init__ contains a yield, so it is a generator and creating the object raises a TypeError.',
    'Move the yield to another method, for example __iter__.'
  ]
])
