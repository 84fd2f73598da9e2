import t from 'tap'
import { runCheck } from '@filewright/rewrites'
import { generateTasks } from '../../src/eval/live-tasks.js'
import { passesTests } from '../../src/eval/run-tests.js'

t.setTimeout(240_000)

const right: Record<string, string> = {
  clamp: 'export const clamp = (n, low, high) => Math.min(Math.max(n, low), high)',
  chunk:
    'function chunk (list, size) {\n  const all = []\n  for (let i = 0; i < list.length; i += size) all.push(list.slice(i, i + size))\n  return all\n}\nmodule.exports = { chunk }',
  groupBy:
    'export function groupBy<T>(list: T[], keyOf: (each: T) => string): Record<string, T[]> {\n  const all: Record<string, T[]> = {}\n  for (const each of list) (all[keyOf(each)] ??= []).push(each)\n  return all\n}',
  inTurn:
    'export async function inTurn (list) {\n  const all = []\n  for (const each of list) all.push(await each())\n  return all\n}',
  isLeapYear:
    'export default function isLeapYear(year: number): boolean {\n  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0\n}'
}

t.test('correct code passes the tests of each task that has some', async (t) => {
  for (const { holds, language, tests } of generateTasks) {
    const code = Object.values(right).find((each) => holds.test(each)) ?? ''
    if (tests === undefined) continue
    t.equal(await passesTests({ code, language, tests }, { runCheck }), true, code)
  }
})

t.test('code that is wrong, does not terminate or is missing does not pass', async (t) => {
  const tests = generateTasks[0]!.tests!
  for (const code of [
    'export const clamp = (n, low, high) => Math.max(Math.min(n, low), high)',
    'export const clamp = (n) => n',
    'export function clamp () { for (;;) {} }',
    'export const other = 1',
    'export const clamp = () => ({ then: 1 })',
    'Array.prototype.join = () => ""\nexport const clamp = () => 7'
  ]) {
    t.equal(await passesTests({ code, language: 'javascript', tests }, { runCheck }), false, code)
  }
})
