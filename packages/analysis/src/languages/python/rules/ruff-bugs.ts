import { ruffRulesOf, selfComparison } from './shared.js'

const bug = ruffRulesOf('bugs')

export const ruffBugRules = [
  bug.warning('none-comparison', {
    code: 'E711',
    sentence: 'Comparing with None by == calls __eq__, which a class may override.',
    suggestion: 'Use `is None` or `is not None`.'
  }),
  bug.info('not-in-test', {
    code: 'E713',
    sentence: '`not x in y` is harder to read than `x not in y`.',
    suggestion: 'Use `not in`.'
  }),
  bug.info('not-is-test', {
    code: 'E714',
    sentence: '`not x is y` is harder to read than `x is not y`.',
    suggestion: 'Use `is not`.'
  }),
  bug.warning('type-comparison', {
    code: 'E721',
    sentence: 'Comparing types with == ignores subclasses.',
    suggestion: 'Use isinstance(), or `is` to compare the exact type.'
  }),
  bug.warning('bare-except', {
    code: 'E722',
    sentence: 'A bare except also catches KeyboardInterrupt and SystemExit.',
    suggestion: 'Catch the exceptions that you expect, or at least `except Exception`.'
  }),
  bug.info('builtin-variable-shadowing', {
    code: 'A001',
    sentence: 'The variable hides a Python builtin.',
    suggestion: 'Choose another name.',
    named: true
  }),
  bug.info('builtin-argument-shadowing', {
    code: 'A002',
    sentence: 'The parameter hides a Python builtin.',
    suggestion: 'Choose another name.',
    named: true
  }),
  bug.error('return-in-init', {
    code: 'PLE0101',
    sentence: '__init__ returns a value, which raises a TypeError when the object is created.',
    suggestion: 'Remove the return value.'
  }),
  bug.error('unexpected-special-method-signature', {
    code: 'PLE0302',
    sentence: 'The special method does not accept the arguments that Python passes to it.',
    suggestion: 'Declare the parameters that the data model defines for this method.',
    named: true
  }),
  bug.error('await-outside-async', {
    code: 'PLE1142',
    sentence: '`await` outside an async function is a syntax error.',
    suggestion: 'Declare the function with `async def`.'
  }),
  bug.error('logging-too-many-args', {
    code: 'PLE1205',
    sentence: 'The logging call has more arguments than placeholders in its message.',
    suggestion: 'Add a placeholder such as %s, or remove the argument.'
  }),
  bug.error('logging-too-few-args', {
    code: 'PLE1206',
    sentence: 'The logging call has fewer arguments than placeholders in its message.',
    suggestion: 'Pass one argument for each placeholder.'
  }),
  bug.error('comparison-with-itself', { code: 'PLR0124', ...selfComparison }),
  bug.warning('comparison-of-constant', {
    code: 'PLR0133',
    sentence: 'The comparison of two constants always has the same result.',
    suggestion: 'Compare with the variable that was meant, or remove the condition.'
  }),
  bug.info('redefined-argument-from-local', {
    code: 'PLR1704',
    sentence: 'A loop or with statement overwrites a parameter of the function.',
    suggestion: 'Use another name for the local variable.',
    named: true
  }),
  bug.warning('useless-else-on-loop', {
    code: 'PLW0120',
    sentence: 'The loop has no break, so its else block always runs.',
    suggestion: 'Move the code of the else block after the loop, without else.'
  }),
  bug.warning('self-assigning-variable', {
    code: 'PLW0127',
    sentence: 'The variable is assigned to itself.',
    suggestion: 'Assign the value that was meant, or remove the statement.'
  }),
  bug.warning('redeclared-assigned-name', {
    code: 'PLW0128',
    sentence: 'The same name occurs twice on the left side, so the first value is lost.',
    suggestion: 'Use different names, or _ for a value that you do not need.'
  }),
  bug.warning('assert-on-string-literal', {
    code: 'PLW0129',
    sentence: 'A non-empty string is always true, so this assertion never fails.',
    suggestion: 'Assert a condition and put the string after a comma.'
  }),
  bug.error('useless-exception-statement', {
    code: 'PLW0133',
    sentence: 'The exception is created but not raised.',
    suggestion: 'Put `raise` before it.'
  }),
  bug.error('binary-op-exception', {
    code: 'PLW0711',
    sentence: '`except A or B` catches A only, and `except A and B` catches B only.',
    suggestion: 'Use a tuple: `except (A, B)`.'
  }),
  bug.error('bad-open-mode', {
    code: 'PLW1501',
    sentence: 'open() raises a ValueError for this mode.',
    suggestion: 'Use a valid mode, such as "r", "w", "a" or "x", with "b" for bytes.'
  }),
  bug.warning('invalid-envvar-default', {
    code: 'PLW1508',
    sentence: 'The default of os.getenv() is not a string, so the result has two possible types.',
    suggestion: 'Pass a string as the default and convert the result.'
  }),
  bug.warning('subprocess-popen-preexec-fn', {
    code: 'PLW1509',
    sentence: 'preexec_fn can deadlock the child process when the program has threads.',
    suggestion: 'Use start_new_session, process_group, user or umask instead.'
  }),
  bug.info('redefined-loop-name', {
    code: 'PLW2901',
    sentence: 'The loop variable is overwritten in the body of the loop.',
    suggestion: 'Use another name for the new value.',
    named: true
  }),
  bug.warning('asyncio-dangling-task', {
    code: 'RUF006',
    sentence:
      'asyncio keeps only a weak reference to this task, so it can be garbage-collected before it finishes.',
    suggestion: 'Store the task in a variable or a set, or use asyncio.TaskGroup.'
  }),
  bug.info('mutable-class-default', {
    code: 'RUF012',
    sentence: 'All instances of the class share this mutable value.',
    suggestion: 'Create it in __init__, or annotate it with typing.ClassVar.'
  }),
  bug.error('invalid-index-type', {
    code: 'RUF016',
    sentence: 'The index type raises a TypeError: lists, tuples and strings need an integer or a slice.',
    suggestion: 'Use an integer or a slice as the index.'
  }),
  bug.warning('try-except-pass', {
    code: 'S110',
    sentence: 'The except clause ignores every exception, so a failure looks like success.',
    suggestion: 'Catch the exception that you expect, or log it.'
  }),
  bug.warning('try-except-continue', {
    code: 'S112',
    sentence:
      'The except clause skips to the next iteration on every exception, so a failure looks like success.',
    suggestion: 'Catch the exception that you expect, or log it before `continue`.'
  }),
  bug.warning('request-without-timeout', {
    code: 'S113',
    sentence: 'Without a timeout, the request waits forever when the server does not respond.',
    suggestion: 'Pass `timeout` in seconds.'
  }),
  bug.warning('open-file-with-context-handler', {
    code: 'SIM115',
    sentence: 'The file stays open when an exception occurs before close().',
    suggestion: 'Open it in a with statement.'
  }),
  bug.warning('debugger', {
    code: 'T100',
    sentence: 'A call to the debugger stops the program here.',
    suggestion: 'Remove it before you deploy.'
  }),
  bug.info('useless-try-except', {
    code: 'TRY203',
    sentence: 'The except clause only raises the same exception again.',
    suggestion: 'Remove the try statement, or handle the exception.'
  }),
  bug.warning('invalid-escape-sequence', {
    code: 'W605',
    sentence: 'The string contains an invalid escape sequence, which newer versions of Python reject.',
    suggestion: 'Use a raw string (r"…"), or double the backslash.'
  }),
  bug.warning('duplicate-class-field-definition', {
    code: 'PIE794',
    sentence: 'The class defines the same field twice, so the first value is lost.',
    suggestion: 'Remove or rename one of the two fields.',
    named: true
  }),
  bug.warning('non-unique-enums', {
    code: 'PIE796',
    sentence: 'Two enum members have the same value, so the second one is an alias of the first.',
    suggestion: 'Give each member its own value, for example with enum.auto().',
    named: true
  }),
  bug.error('yield-in-init', {
    code: 'PLE0100',
    sentence: '__init__ contains a yield, so it is a generator and creating the object raises a TypeError.',
    suggestion: 'Move the yield to another method, for example __iter__.'
  })
]
