import { ruffRulesOf, stripCharacters, uselessExpression } from './shared.js'

const bug = ruffRulesOf('bugs')

export const ruffBugbearRules = [
  bug.error('mutable-argument-default', {
    code: 'B006',
    sentence: 'A mutable default value is created once and shared by every call of the function.',
    suggestion: 'Use None as the default and create the value inside the function.'
  }),
  bug.warning('function-call-in-default-argument', {
    code: 'B008',
    sentence: 'The default value is computed once, when the function is defined, not on every call.',
    suggestion: 'Use None as the default and make the call inside the function.'
  }),
  bug.error('unary-prefix-increment-decrement', {
    code: 'B002',
    sentence: 'Python has no ++ or -- operator: this applies the sign twice and changes nothing.',
    suggestion: 'Use += 1 or -= 1.'
  }),
  bug.warning('assignment-to-os-environ', {
    code: 'B003',
    sentence: 'Assigning to os.environ does not change the environment of the process.',
    suggestion: 'Change single entries, or call os.environ.clear() and os.environ.update().'
  }),
  bug.warning('strip-with-multi-characters', { code: 'B005', ...stripCharacters }),
  bug.error('jump-statement-in-finally', {
    code: 'B012',
    sentence: 'return, break or continue in a finally block discards the exception that is being raised.',
    suggestion: 'Move the statement out of the finally block.'
  }),
  bug.warning('duplicate-handler-exception', {
    code: 'B014',
    sentence: 'The tuple of this except clause names the same exception twice.',
    suggestion: 'List each exception once.'
  }),
  bug.warning('useless-comparison', {
    code: 'B015',
    sentence: 'The result of this comparison is not used.',
    suggestion: 'Put `assert` before it, assign it with =, or remove it.'
  }),
  bug.warning('assert-raises-exception', {
    code: 'B017',
    sentence: 'Expecting Exception lets the test pass on any error, even on a typo.',
    suggestion: 'Name the exception that you expect, or pass `match`.'
  }),
  bug.warning('useless-expression', { code: 'B018', ...uselessExpression }),
  bug.warning('loop-variable-overrides-iterator', {
    code: 'B020',
    sentence: 'The loop variable overwrites the iterable that the loop iterates over.',
    suggestion: 'Use another name for the loop variable.'
  }),
  bug.info('f-string-docstring', {
    code: 'B021',
    sentence: 'Python does not treat an f-string as a docstring, so __doc__ is None.',
    suggestion: 'Use a plain string literal.'
  }),
  bug.warning('useless-contextlib-suppress', {
    code: 'B022',
    sentence: 'contextlib.suppress() without arguments suppresses nothing.',
    suggestion: 'Pass the exceptions to suppress, or remove the with statement.'
  }),
  bug.warning('function-uses-loop-variable', {
    code: 'B023',
    sentence:
      'A function defined in a loop sees the last value of the loop variable, not the value of its own iteration.',
    suggestion: 'Bind the value as a default argument: `lambda name=name: …`.'
  }),
  bug.warning('duplicate-try-block-exception', {
    code: 'B025',
    sentence: 'An earlier except clause already catches this exception, so this one never runs for it.',
    suggestion: 'Remove the duplicate, or catch another exception.'
  }),
  bug.warning('star-arg-unpacking-after-keyword-arg', {
    code: 'B026',
    sentence: 'A starred argument after a keyword argument is still passed by position, before the keyword.',
    suggestion: 'Put the starred argument before the keyword arguments.'
  }),
  bug.warning('except-with-empty-tuple', {
    code: 'B029',
    sentence: '`except ():` catches nothing.',
    suggestion: 'Name the exceptions to catch, or remove the handler.'
  }),
  bug.error('except-with-non-exception-classes', {
    code: 'B030',
    sentence:
      'An except clause accepts exception classes only; this raises a TypeError when an exception occurs.',
    suggestion: 'Name an exception class or a tuple of exception classes.'
  }),
  bug.warning('reuse-of-groupby-generator', {
    code: 'B031',
    sentence: 'The group of itertools.groupby() is an iterator: it is empty the second time.',
    suggestion: 'Store it with list(group) before you use it more than once.'
  }),
  bug.warning('unintentional-type-annotation', {
    code: 'B032',
    sentence: '`target: value` is a type annotation, so nothing is assigned.',
    suggestion: 'Use = to assign the value.'
  }),
  bug.warning('duplicate-value', {
    code: 'B033',
    sentence: 'The set literal contains the same value twice.',
    suggestion: 'Remove the duplicate, or correct the value that was meant.'
  }),
  bug.error('static-key-dict-comprehension', {
    code: 'B035',
    sentence: 'The dict comprehension uses the same key on every iteration, so only the last value is kept.',
    suggestion: 'Build the key from the loop variable.'
  }),
  bug.info('raise-without-from-inside-except', {
    code: 'B904',
    sentence: 'Raising in an except clause without `from` hides which exception was the cause.',
    suggestion: 'Use `raise … from error`, or `from None` to hide the cause on purpose.'
  }),
  bug.error('raise-literal', {
    code: 'B016',
    sentence: 'Raising something that is not an exception is a TypeError.',
    suggestion: 'Raise an exception and pass it the value: `raise ValueError(…)`.'
  }),
  bug.info('assert-false', {
    code: 'B011',
    sentence: 'python -O removes assertions, so execution continues after `assert False`.',
    suggestion: 'Raise AssertionError.'
  })
]
