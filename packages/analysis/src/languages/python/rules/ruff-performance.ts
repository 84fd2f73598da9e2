import { ruffRulesOf } from './shared.js'

const performance = ruffRulesOf('performance')

export const ruffPerformanceRules = [
  performance.info('unnecessary-list-cast', {
    code: 'PERF101',
    sentence: 'list() copies an iterable that the for loop can iterate over directly.',
    suggestion: 'Remove the call of list().'
  }),
  performance.info('incorrect-dict-iterator', {
    code: 'PERF102',
    sentence: 'The loop calls items() but uses only the keys or only the values.',
    suggestion: 'Iterate over keys() or values().'
  }),
  performance.info('manual-list-comprehension', {
    code: 'PERF401',
    sentence: 'The loop builds a list with append(), which is slower than a comprehension.',
    suggestion: 'Use a list comprehension, or extend() with a generator.'
  }),
  performance.info('manual-list-copy', {
    code: 'PERF402',
    sentence: 'The loop copies an iterable with one append() for each element.',
    suggestion: 'Use list(), copy() or extend().'
  }),
  performance.info('manual-dict-comprehension', {
    code: 'PERF403',
    sentence: 'The loop builds a dict one key at a time, which is slower than a comprehension.',
    suggestion: 'Use a dict comprehension.'
  }),
  performance.info('unnecessary-generator-list', {
    code: 'C400',
    sentence: 'list() around a generator is slower than a list comprehension.',
    suggestion: 'Use a list comprehension.'
  }),
  performance.info('unnecessary-generator-set', {
    code: 'C401',
    sentence: 'set() around a generator is slower than a set comprehension.',
    suggestion: 'Use a set comprehension.'
  }),
  performance.info('unnecessary-generator-dict', {
    code: 'C402',
    sentence: 'dict() around a generator of pairs is slower than a dict comprehension.',
    suggestion: 'Use a dict comprehension.'
  }),
  performance.info('unnecessary-list-comprehension-set', {
    code: 'C403',
    sentence: 'The list comprehension builds a list only to convert it to a set.',
    suggestion: 'Use a set comprehension.'
  }),
  performance.info('unnecessary-list-comprehension-dict', {
    code: 'C404',
    sentence: 'The list comprehension builds a list of pairs only to convert it to a dict.',
    suggestion: 'Use a dict comprehension.'
  }),
  performance.info('unnecessary-list-call', {
    code: 'C411',
    sentence: 'list() copies a list that the comprehension has just created.',
    suggestion: 'Remove the call of list().'
  }),
  performance.info('unnecessary-call-around-sorted', {
    code: 'C413',
    sentence: 'sorted() already returns a new list.',
    suggestion: 'Remove the outer call; pass reverse=True instead of using reversed().'
  }),
  performance.info('unnecessary-double-cast-or-process', {
    code: 'C414',
    sentence: 'The inner call creates a collection that the outer call converts again.',
    suggestion: 'Remove the inner call.'
  }),
  performance.info('unnecessary-comprehension-in-call', {
    code: 'C419',
    sentence: 'The list is built completely, although any() and all() can stop at the first result.',
    suggestion: 'Pass a generator expression: remove the square brackets.'
  }),
  performance.info('unnecessary-iterable-allocation-for-first-element', {
    code: 'RUF015',
    sentence: 'The code builds a whole list to read its first element.',
    suggestion: 'Use next(iter(…)), or next() with a generator expression.'
  }),
  performance.warning('quadratic-list-summation', {
    code: 'RUF017',
    sentence: 'sum() over lists copies the intermediate list on every step, which takes quadratic time.',
    suggestion: 'Use itertools.chain.from_iterable().'
  }),
  performance.info('in-dict-keys', {
    code: 'SIM118',
    sentence: 'keys() is not needed to look up or iterate over the keys of a dict.',
    suggestion: 'Use the dict itself: `key in mapping`, `for key in mapping`.'
  }),
  performance.warning('cached-instance-method', {
    code: 'B019',
    sentence: 'The cache of this method holds a reference to every `self`, so the objects are never freed.',
    suggestion: 'Use functools.cached_property, or cache a function outside the class.'
  }),
  performance.warning('blocking-http-call-in-async-function', {
    code: 'ASYNC210',
    sentence: 'A blocking HTTP call in an async function blocks the event loop.',
    suggestion: 'Use an async client such as httpx.AsyncClient, or asyncio.to_thread().'
  }),
  performance.warning('create-subprocess-in-async-function', {
    code: 'ASYNC220',
    sentence: 'subprocess.Popen() in an async function blocks the event loop.',
    suggestion: 'Use asyncio.create_subprocess_exec().'
  }),
  performance.warning('run-process-in-async-function', {
    code: 'ASYNC221',
    sentence: 'Running a process in an async function blocks the event loop until it ends.',
    suggestion: 'Use asyncio.create_subprocess_exec(), or asyncio.to_thread().'
  }),
  performance.warning('wait-for-process-in-async-function', {
    code: 'ASYNC222',
    sentence: 'Waiting for a process in an async function blocks the event loop until it ends.',
    suggestion: 'Await the process that asyncio.create_subprocess_exec() returns.'
  }),
  performance.warning('blocking-open-call-in-async-function', {
    code: 'ASYNC230',
    sentence: 'Opening a file in an async function blocks the event loop.',
    suggestion: 'Use aiofiles or anyio, or read the file in asyncio.to_thread().'
  }),
  performance.warning('blocking-sleep-in-async-function', {
    code: 'ASYNC251',
    sentence: 'time.sleep() in an async function blocks the event loop.',
    suggestion: 'Use `await asyncio.sleep()`.'
  }),
  performance.info('unnecessary-dict-index-lookup', {
    code: 'PLR1733',
    sentence: 'The loop over items() looks up the value again by its key.',
    suggestion: 'Use the value of the loop.'
  }),
  performance.info('unnecessary-list-index-lookup', {
    code: 'PLR1736',
    sentence: 'The loop over enumerate() looks up the element again by its index.',
    suggestion: 'Use the element of the loop.'
  })
]
