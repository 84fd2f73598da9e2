import type { Language } from '@filewright/contracts'
import type { CodeTest } from './run-tests.js'

export interface GenerateTask {
  prompt: string
  language: Language
  /** What a correct response contains. */
  holds: RegExp
  /** In languages that can be executed here. */
  tests?: readonly CodeTest[]
}

export interface AnalyzeTask {
  code: string
  language: Language
  /** The line with the planted bug. */
  line: number
}

export const generateTasks: readonly GenerateTask[] = [
  {
    prompt:
      'Write a function named clamp that takes a number, a lower bound and an upper bound, and limits the number to them.',
    language: 'javascript',
    holds: /\bclamp\b/,
    tests: [
      ['clamp(5, 0, 3)', '3'],
      ['clamp(-5, 0, 3)', '0'],
      ['clamp(2, 0, 3)', '2'],
      ['clamp(3, 0, 3)', '3']
    ]
  },
  {
    prompt:
      'Write a function named chunk that splits a list into lists of the given size. The last one may be shorter.',
    language: 'javascript',
    holds: /\bchunk\b/,
    tests: [
      ['chunk([1, 2, 3, 4, 5], 2)', '[[1, 2], [3, 4], [5]]'],
      ['chunk([], 3)', '[]'],
      ['chunk(["a"], 3)', '[["a"]]']
    ]
  },
  {
    prompt:
      'Write a function named groupBy that takes a list and a function, and returns a plain object of lists by the key that the function gives.',
    language: 'typescript',
    holds: /\bgroupBy\b/,
    tests: [
      ['groupBy([1, 2, 3], (n) => (n % 2 ? "odd" : "even"))', '{ odd: [1, 3], even: [2] }'],
      ['groupBy([], (x) => x)', '{}']
    ]
  },
  {
    prompt:
      'Write an async function named inTurn that takes a list of functions that return promises, runs one after another, and resolves to the list of their results.',
    language: 'javascript',
    holds: /\binTurn\b/,
    tests: [['typeof inTurn([]).then', '"function"']]
  },
  {
    prompt: 'Write a function named isLeapYear that says whether a year is a leap year.',
    language: 'typescript',
    holds: /\bisLeapYear\b/,
    tests: [['[1900, 2000, 2023, 2024].map((year) => isLeapYear(year))', '[false, true, false, true]']]
  },
  {
    prompt: 'Write a function named median that returns the median of a list of numbers.',
    language: 'python',
    holds: /\bdef median\b/
  },
  {
    prompt: 'Write a function named Reverse that reverses a string by runes.',
    language: 'go',
    holds: /\bfunc Reverse\b/
  },
  {
    prompt: 'Write a query that lists the five customers with the most orders.',
    language: 'sql',
    holds: /\blimit\s+5\b|\bfetch first 5\b/i
  }
]

export const analyzeTasks: readonly AnalyzeTask[] = [
  {
    code: 'export function mean (numbers) {\n  let sum = 0\n  for (const number of numbers) sum += number\n  return sum / numbers.length\n}\n',
    language: 'javascript',
    line: 4
  },
  {
    code: 'def last_two(items):\n    first = items[-2]\n    second = items[-1]\n    return first + second\n',
    language: 'python',
    line: 2
  },
  {
    code: 'export async function pay (cart, charge, store) {\n  charge(cart.total)\n  await store.save({ paid: true })\n}\n',
    language: 'javascript',
    line: 2
  }
]
