import { ruffRulesOf, stripCharacters, uselessExpression } from './shared.js'

export const ruffBugbearRules = ruffRulesOf('bugs', [
  [
    'B006',
    'mutable-argument-default',
    'error',
    'A mutable default value is created once and shared by every call of the function.',
    'Use None as the default and create the value inside the function.'
  ],
  [
    'B008',
    'function-call-in-default-argument',
    'warning',
    'The default value is computed once, when the function is defined, not on every call.',
    'Use None as the default and make the call inside the function.'
  ],
  [
    'B002',
    'unary-prefix-increment-decrement',
    'error',
    'Python has no ++ or -- operator: this applies the sign twice and changes nothing.',
    'Use += 1 or -= 1.'
  ],
  [
    'B003',
    'assignment-to-os-environ',
    'warning',
    'Assigning to os.environ does not change the environment of the process.',
    'Change single entries, or call os.environ.clear() and os.environ.update().'
  ],
  ['B005', 'strip-with-multi-characters', 'warning', stripCharacters.sentence, stripCharacters.suggestion],
  [
    'B012',
    'jump-statement-in-finally',
    'error',
    'return, break or continue in a finally block discards the exception that is being raised.',
    'Move the statement out of the finally block.'
  ],
  [
    'B014',
    'duplicate-handler-exception',
    'warning',
    'The tuple of this except clause names the same exception twice.',
    'List each exception once.'
  ],
  [
    'B015',
    'useless-comparison',
    'warning',
    'The result of this comparison is not used.',
    'Put `assert` before it, assign it with =, or remove it.'
  ],
  [
    'B017',
    'assert-raises-exception',
    'warning',
    'Expecting Exception lets the test pass on any error, even on a typo.',
    'Name the exception that you expect, or pass `match`.'
  ],
  ['B018', 'useless-expression', 'warning', uselessExpression.sentence, uselessExpression.suggestion],
  [
    'B020',
    'loop-variable-overrides-iterator',
    'warning',
    'The loop variable overwrites the iterable that the loop iterates over.',
    'Use another name for the loop variable.'
  ],
  [
    'B021',
    'f-string-docstring',
    'info',
    'Python does not treat an f-string as a docstring, so __doc__ is None.',
    'Use a plain string literal.'
  ],
  [
    'B022',
    'useless-contextlib-suppress',
    'warning',
    'contextlib.suppress() without arguments suppresses nothing.',
    'Pass the exceptions to suppress, or remove the with statement.'
  ],
  [
    'B023',
    'function-uses-loop-variable',
    'warning',
    'A function defined in a loop sees the last value of the loop variable, not the value of its own iteration.',
    'Bind the value as a default argument: `lambda name=name: …`.'
  ],
  [
    'B025',
    'duplicate-try-block-exception',
    'warning',
    'An earlier except clause already catches this exception, so this one never runs for it.',
    'Remove the duplicate, or catch another exception.'
  ],
  [
    'B026',
    'star-arg-unpacking-after-keyword-arg',
    'warning',
    'A starred argument after a keyword argument is still passed by position, before the keyword.',
    'Put the starred argument before the keyword arguments.'
  ],
  [
    'B029',
    'except-with-empty-tuple',
    'warning',
    '`except ():` catches nothing.',
    'Name the exceptions to catch, or remove the handler.'
  ],
  [
    'B030',
    'except-with-non-exception-classes',
    'error',
    'An except clause accepts exception classes only; this raises a TypeError when an exception occurs.',
    'Name an exception class or a tuple of exception classes.'
  ],
  [
    'B031',
    'reuse-of-groupby-generator',
    'warning',
    'The group of itertools.groupby() is an iterator: it is empty the second time.',
    'Store it with list(group) before you use it more than once.'
  ],
  [
    'B032',
    'unintentional-type-annotation',
    'warning',
    '`target: value` is a type annotation, so nothing is assigned.',
    'Use = to assign the value.'
  ],
  [
    'B033',
    'duplicate-value',
    'warning',
    'The set literal contains the same value twice.',
    'Remove the duplicate, or correct the value that was meant.'
  ],
  [
    'B035',
    'static-key-dict-comprehension',
    'error',
    'The dict comprehension uses the same key on every iteration, so only the last value is kept.',
    'Build the key from the loop variable.'
  ],
  [
    'B904',
    'raise-without-from-inside-except',
    'info',
    'Raising in an except clause without `from` hides which exception was the cause.',
    'Use `raise … from error`, or `from None` to hide the cause on purpose.'
  ],
  [
    'B016',
    'raise-literal',
    'error',
    'Raising something that is not an exception is a TypeError.',
    'Raise an exception and pass it the value: `raise ValueError(…)`.'
  ],
  [
    'B011',
    'assert-false',
    'info',
    'python -O removes assertions, so execution continues after `assert False`.',
    'Raise AssertionError.'
  ]
])
