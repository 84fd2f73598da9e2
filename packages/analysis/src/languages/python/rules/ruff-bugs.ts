import { ruffRulesOf } from './shared.js'

const format = 'Make the placeholders and the values agree.'
const condition = 'Correct the condition.'

export const ruffBugRules = ruffRulesOf('bugs', [
  [
    'B006',
    'mutable-argument-default',
    'error',
    'The default value is made once and shared by all calls.',
    'Use None as the default and make the value inside the function.'
  ],
  [
    'B008',
    'function-call-in-default-argument',
    'warning',
    'The default is computed once, when the function is defined.',
    'Use None as the default and call the function inside.'
  ],
  ['B002', 'unary-prefix-increment-decrement', 'error', '++ does nothing in Python.', 'Use += 1.'],
  [
    'B003',
    'assignment-to-os-environ',
    'warning',
    'Assigning os.environ does not change the environment.',
    'Change its entries instead.'
  ],
  [
    'B005',
    'strip-with-multi-characters',
    'warning',
    'strip removes any of these characters, not this text.',
    'Use removeprefix or removesuffix.'
  ],
  [
    'B012',
    'jump-statement-in-finally',
    'error',
    'Leaving a finally block drops the error.',
    'Do not return, break or continue inside finally.'
  ],
  [
    'B014',
    'duplicate-handler-exception',
    'warning',
    'The same exception is caught twice.',
    'Name each exception once.'
  ],
  [
    'B015',
    'useless-comparison',
    'warning',
    'The comparison does nothing.',
    'Assert it, assign it or remove it.'
  ],
  [
    'B017',
    'assert-raises-exception',
    'warning',
    'The test passes for any error at all.',
    'Name the exception that is expected.'
  ],
  [
    'B018',
    'useless-expression',
    'warning',
    'This expression does nothing.',
    'Call it, assign it or remove it.'
  ],
  [
    'B020',
    'loop-variable-overrides-iterator',
    'warning',
    'The loop variable replaces the list that the loop runs over.',
    'Use another name for the loop variable.'
  ],
  ['B021', 'f-string-docstring', 'info', 'An f-string is no docstring.', 'Use a plain string.'],
  [
    'B022',
    'useless-contextlib-suppress',
    'warning',
    'suppress without an exception does nothing.',
    'Name the exception.'
  ],
  [
    'B023',
    'function-uses-loop-variable',
    'warning',
    'A function made in a loop sees later values of the loop variable.',
    'Bind the value as a default argument.'
  ],
  [
    'B025',
    'duplicate-try-block-exception',
    'warning',
    'The same exception is caught twice.',
    'Name each exception once.'
  ],
  [
    'B026',
    'star-arg-unpacking-after-keyword-arg',
    'warning',
    'Positional values after a keyword are easily mixed up.',
    'Put the star argument first.'
  ],
  ['B029', 'except-with-empty-tuple', 'warning', 'This handler catches nothing.', 'Name the exceptions.'],
  [
    'B030',
    'except-with-non-exception-classes',
    'error',
    'Only exception classes can be caught.',
    'Name exception classes.'
  ],
  [
    'B031',
    'reuse-of-groupby-generator',
    'warning',
    'The group is empty the second time.',
    'Put the group into a list.'
  ],
  [
    'B032',
    'unintentional-type-annotation',
    'warning',
    'A colon makes this an annotation, not an assignment.',
    'Use =.'
  ],
  ['B033', 'duplicate-value', 'warning', 'The set has the same value twice.', 'Remove one of them.'],
  [
    'B035',
    'static-key-dict-comprehension',
    'error',
    'Every round writes the same key.',
    'Use a key that changes.'
  ],
  [
    'B904',
    'raise-without-from-inside-except',
    'info',
    'The new error hides where the old one came from.',
    'Raise with `from error`.'
  ],
  ['E711', 'none-comparison', 'warning', 'None is compared with ==.', 'Use `is None`.'],
  ['E713', 'not-in-test', 'info', 'The negation is hard to read.', 'Use `not in`.'],
  ['E714', 'not-is-test', 'info', 'The negation is hard to read.', 'Use `is not`.'],
  ['E721', 'type-comparison', 'warning', 'Types are compared with ==.', 'Use isinstance.'],
  [
    'E722',
    'bare-except',
    'warning',
    'A bare except also catches KeyboardInterrupt and SystemExit.',
    'Catch the exceptions you expect.'
  ],
  [
    'F401',
    'unused-import',
    'warning',
    'An import is never used.',
    'Remove imports that nothing uses.',
    'named'
  ],
  [
    'F402',
    'import-shadowed-by-loop-var',
    'warning',
    'A loop variable hides an import.',
    'Use another name.',
    'named'
  ],
  ['F502', 'percent-format-expected-mapping', 'error', 'The format and its values do not fit.', format],
  ['F505', 'percent-format-missing-argument', 'error', 'The format misses a value.', format],
  [
    'F507',
    'percent-format-positional-count-mismatch',
    'error',
    'The format has more or fewer values than placeholders.',
    format
  ],
  [
    'F509',
    'percent-format-unsupported-format-character',
    'error',
    'The format has an unknown placeholder.',
    format
  ],
  [
    'F523',
    'string-dot-format-extra-positional-arguments',
    'warning',
    'A value is never used in the format.',
    format
  ],
  ['F524', 'string-dot-format-missing-arguments', 'error', 'The format misses a value.', format],
  ['F541', 'f-string-missing-placeholders', 'info', 'The f-string has no placeholder.', 'Drop the f.'],
  [
    'F601',
    'multi-value-repeated-key-literal',
    'error',
    'The dictionary has the same key twice; the first value is lost.',
    'Remove one of the two keys.',
    'named'
  ],
  [
    'F631',
    'assert-tuple',
    'error',
    'A tuple is always true, so this assertion never fails.',
    'Remove the parentheses.'
  ],
  ['F632', 'is-literal', 'error', '`is` compares identity, not value.', 'Use ==.'],
  ['F634', 'if-tuple', 'error', 'A tuple is always true.', condition],
  [
    'F811',
    'redefined-while-unused',
    'warning',
    'A name is defined twice; the first is never used.',
    'Remove or rename one of them.',
    'named'
  ],
  ['F821', 'undefined-name', 'error', 'A name is not defined.', 'Define or import the name.', 'named'],
  [
    'F823',
    'undefined-local',
    'error',
    'A local name is read before it has a value.',
    'Assign it first.',
    'named'
  ],
  [
    'F841',
    'unused-variable',
    'warning',
    'A variable is assigned and never used.',
    'Remove names that nothing uses.',
    'named'
  ],
  ['F901', 'raise-not-implemented', 'error', 'NotImplemented is no exception.', 'Raise NotImplementedError.'],
  [
    'A001',
    'builtin-variable-shadowing',
    'info',
    'A variable hides a builtin of Python.',
    'Use another name.',
    'named'
  ],
  [
    'A002',
    'builtin-argument-shadowing',
    'info',
    'A parameter hides a builtin of Python.',
    'Use another name.',
    'named'
  ],
  ['PLE0101', 'return-in-init', 'error', '__init__ must not return a value.', 'Remove the return value.'],
  [
    'PLE0302',
    'unexpected-special-method-signature',
    'error',
    'The special method has the wrong parameters.',
    'Use the parameters that Python calls it with.',
    'named'
  ],
  [
    'PLE1142',
    'await-outside-async',
    'error',
    'await only works in an async function.',
    'Make the function async.'
  ],
  ['PLE1205', 'logging-too-many-args', 'error', 'The log message has more values than placeholders.', format],
  ['PLE1206', 'logging-too-few-args', 'error', 'The log message misses values.', format],
  [
    'PLR0124',
    'comparison-with-itself',
    'error',
    'A value is compared with itself.',
    'Compare with the other value.'
  ],
  ['PLR0133', 'comparison-of-constant', 'warning', 'Two constants are compared.', condition],
  [
    'PLR1704',
    'redefined-argument-from-local',
    'info',
    'A parameter is replaced by a local name.',
    'Use another name.',
    'named'
  ],
  [
    'PLW0120',
    'useless-else-on-loop',
    'warning',
    'The else of a loop without break always runs.',
    'Move the code after the loop.'
  ],
  [
    'PLW0127',
    'self-assigning-variable',
    'warning',
    'A value is assigned to itself.',
    'Assign the value that was meant.'
  ],
  [
    'PLW0128',
    'redeclared-assigned-name',
    'warning',
    'The same name is assigned twice in one statement.',
    'Use two names.'
  ],
  ['PLW0129', 'assert-on-string-literal', 'warning', 'The assertion never fails.', condition],
  ['PLW0133', 'useless-exception-statement', 'error', 'The exception is made but not raised.', 'Raise it.'],
  [
    'PLW0711',
    'binary-op-exception',
    'error',
    'Only one of these exceptions is caught.',
    'Put the exceptions into a tuple.'
  ],
  ['PLW1501', 'bad-open-mode', 'error', 'open does not know this mode.', 'Use a mode such as "r" or "wb".'],
  [
    'PLW1508',
    'invalid-envvar-default',
    'warning',
    'The default of an environment variable should be text.',
    'Use a string, or convert the result.'
  ],
  [
    'PLW1509',
    'subprocess-popen-preexec-fn',
    'warning',
    'preexec_fn is not safe with threads.',
    'Use start_new_session or another option.'
  ],
  [
    'PLW2901',
    'redefined-loop-name',
    'info',
    'The loop variable is overwritten inside the loop.',
    'Use another name.',
    'named'
  ],
  [
    'RUF006',
    'asyncio-dangling-task',
    'warning',
    'Nobody keeps this task, so it may vanish and its failure is never seen.',
    'Keep the task and await it.'
  ],
  [
    'RUF012',
    'mutable-class-default',
    'info',
    'The value is shared by all objects of the class.',
    'Make it in __init__, or annotate it with ClassVar.'
  ],
  [
    'RUF016',
    'invalid-index-type',
    'error',
    'The index has the wrong type.',
    'Use a whole number or a slice.'
  ],
  [
    'S110',
    'try-except-pass',
    'warning',
    'The error is caught and dropped, so a failure looks like success.',
    'Handle the error, log it, or let it pass.'
  ],
  [
    'S112',
    'try-except-continue',
    'warning',
    'The error is caught and dropped, so a failure looks like success.',
    'Handle the error, log it, or let it pass.'
  ],
  [
    'S113',
    'request-without-timeout',
    'warning',
    'The request waits for ever when the server does not answer.',
    'Pass a timeout.'
  ],
  [
    'SIM115',
    'open-file-with-context-handler',
    'warning',
    'The file stays open when something fails.',
    'Open the file in a with statement.'
  ],
  ['T100', 'debugger', 'warning', 'A call of the debugger stops the program.', 'Remove the call.'],
  [
    'TRY203',
    'useless-try-except',
    'info',
    'The handler only raises the same error again.',
    'Remove the try.'
  ],
  [
    'W605',
    'invalid-escape-sequence',
    'warning',
    'A backslash stands before a character it has no meaning for.',
    'Use a raw string or a double backslash.'
  ],
  [
    'PIE794',
    'duplicate-class-field-definition',
    'warning',
    'A class defines the same field twice.',
    'Remove one of them.',
    'named'
  ],
  [
    'PIE796',
    'non-unique-enums',
    'warning',
    'Two members of the enum have the same value.',
    'Give each its own value.',
    'named'
  ],
  [
    'B016',
    'raise-literal',
    'error',
    'Only exceptions can be raised, so this is a TypeError.',
    'Raise an exception that carries the value.'
  ],
  [
    'B011',
    'assert-false',
    'info',
    'With python -O the assertion is gone and the code runs on.',
    'Raise AssertionError.'
  ],
  ['F522', 'string-dot-format-extra-named-arguments', 'warning', 'The format does not use a value.', format],
  ['F525', 'string-dot-format-mixing-automatic', 'error', 'Numbered and automatic fields are mixed.', format],
  ['F504', 'percent-format-extra-named-arguments', 'warning', 'The format does not use a value.', format],
  [
    'PLE0100',
    'yield-in-init',
    'error',
    '__init__ must not be a generator.',
    'Move the yield to a method of its own.'
  ]
])
