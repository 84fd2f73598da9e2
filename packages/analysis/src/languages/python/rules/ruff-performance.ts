import { ruffRulesOf } from './shared.js'

export const ruffPerformanceRules = ruffRulesOf('performance', [
  [
    'PERF101',
    'unnecessary-list-cast',
    'info',
    'list() copies an iterable that the for loop can iterate over directly.',
    'Remove the call of list().'
  ],
  [
    'PERF102',
    'incorrect-dict-iterator',
    'info',
    'The loop calls items() but uses only the keys or only the values.',
    'Iterate over keys() or values().'
  ],
  [
    'PERF401',
    'manual-list-comprehension',
    'info',
    'The loop builds a list with append(), which is slower than a comprehension.',
    'Use a list comprehension, or extend() with a generator.'
  ],
  [
    'PERF402',
    'manual-list-copy',
    'info',
    'The loop copies an iterable with one append() for each element.',
    'Use list(), copy() or extend().'
  ],
  [
    'PERF403',
    'manual-dict-comprehension',
    'info',
    'The loop builds a dict one key at a time, which is slower than a comprehension.',
    'Use a dict comprehension.'
  ],
  [
    'C400',
    'unnecessary-generator-list',
    'info',
    'list() around a generator is slower than a list comprehension.',
    'Use a list comprehension.'
  ],
  [
    'C401',
    'unnecessary-generator-set',
    'info',
    'set() around a generator is slower than a set comprehension.',
    'Use a set comprehension.'
  ],
  [
    'C402',
    'unnecessary-generator-dict',
    'info',
    'dict() around a generator of pairs is slower than a dict comprehension.',
    'Use a dict comprehension.'
  ],
  [
    'C403',
    'unnecessary-list-comprehension-set',
    'info',
    'The list comprehension builds a list only to convert it to a set.',
    'Use a set comprehension.'
  ],
  [
    'C404',
    'unnecessary-list-comprehension-dict',
    'info',
    'The list comprehension builds a list of pairs only to convert it to a dict.',
    'Use a dict comprehension.'
  ],
  [
    'C411',
    'unnecessary-list-call',
    'info',
    'list() copies a list that the comprehension has just created.',
    'Remove the call of list().'
  ],
  [
    'C413',
    'unnecessary-call-around-sorted',
    'info',
    'sorted() already returns a new list.',
    'Remove the outer call; pass reverse=True instead of using reversed().'
  ],
  [
    'C414',
    'unnecessary-double-cast-or-process',
    'info',
    'The inner call creates a collection that the outer call converts again.',
    'Remove the inner call.'
  ],
  [
    'C419',
    'unnecessary-comprehension-in-call',
    'info',
    'The list is built completely, although any() and all() can stop at the first result.',
    'Pass a generator expression: remove the square brackets.'
  ],
  [
    'RUF015',
    'unnecessary-iterable-allocation-for-first-element',
    'info',
    'The code builds a whole list to read its first element.',
    'Use next(iter(…)), or next() with a generator expression.'
  ],
  [
    'RUF017',
    'quadratic-list-summation',
    'warning',
    'sum() over lists copies the intermediate list on every step, which takes quadratic time.',
    'Use itertools.chain.from_iterable().'
  ],
  [
    'SIM118',
    'in-dict-keys',
    'info',
    'keys() is not needed to look up or iterate over the keys of a dict.',
    'Use the dict itself: `key in mapping`, `for key in mapping`.'
  ],
  [
    'B019',
    'cached-instance-method',
    'warning',
    'The cache of this method holds a reference to every `self`, so the objects are never freed.',
    'Use functools.cached_property, or cache a function outside the class.'
  ],
  [
    'ASYNC210',
    'blocking-http-call-in-async-function',
    'warning',
    'A blocking HTTP call in an async function blocks the event loop.',
    'Use an async client such as httpx.AsyncClient, or asyncio.to_thread().'
  ],
  [
    'ASYNC220',
    'create-subprocess-in-async-function',
    'warning',
    'subprocess.Popen() in an async function blocks the event loop.',
    'Use asyncio.create_subprocess_exec().'
  ],
  [
    'ASYNC221',
    'run-process-in-async-function',
    'warning',
    'Running a process in an async function blocks the event loop until it ends.',
    'Use asyncio.create_subprocess_exec(), or asyncio.to_thread().'
  ],
  [
    'ASYNC222',
    'wait-for-process-in-async-function',
    'warning',
    'Waiting for a process in an async function blocks the event loop until it ends.',
    'Await the process that asyncio.create_subprocess_exec() returns.'
  ],
  [
    'ASYNC230',
    'blocking-open-call-in-async-function',
    'warning',
    'Opening a file in an async function blocks the event loop.',
    'Use aiofiles or anyio, or read the file in asyncio.to_thread().'
  ],
  [
    'ASYNC251',
    'blocking-sleep-in-async-function',
    'warning',
    'time.sleep() in an async function blocks the event loop.',
    'Use `await asyncio.sleep()`.'
  ],
  [
    'PLR1733',
    'unnecessary-dict-index-lookup',
    'info',
    'The loop over items() looks up the value again by its key.',
    'Use the value of the loop.'
  ],
  [
    'PLR1736',
    'unnecessary-list-index-lookup',
    'info',
    'The loop over enumerate() looks up the element again by its index.',
    'Use the element of the loop.'
  ]
])
