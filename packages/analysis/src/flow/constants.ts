import { nothing, type Fact } from './facts.js'
import type { Expression } from './form.js'
import type { Scope } from './scope.js'

const isNumber = (value: string | null): value is string =>
  value !== null && /^-?\d+(?:\.\d+)?(?:e\d+)?$/i.test(value) && value.length < 16

/** Longer texts are not compared. */
const maxChars = 200

/** The value of an operator between two constants; null where one of them is not known. */
export function fold(op: string | undefined, facts: readonly Fact[]): string | null {
  const [one, two] = facts.map(({ value }) => value)
  // A constant of another type: `int x = 'a'`.
  if (op === '=') return one ?? null
  if (op === undefined || facts.length !== 2 || one == null || two == null) return null
  if (isNumber(one) && isNumber(two)) return ofNumbers(op, Number(one), Number(two))
  // Of a number and a text only the language knows whether they are the same.
  if (facts.some(({ text }) => text === null) || one.length > maxChars || two.length > maxChars) return null
  return /^={2,3}$/.test(op) ? String(one === two) : /^!==?$/.test(op) ? String(one !== two) : null
}

function ofNumbers(op: string, one: number, two: number): string | null {
  switch (op) {
    case '+':
      return String(one + two)
    case '-':
      return String(one - two)
    case '*':
      return String(one * two)
    case '/':
      return two === 0 ? null : String(one / two)
    case '//':
      return two === 0 || !Number.isInteger(one) || !Number.isInteger(two)
        ? null
        : String(Math.trunc(one / two))
    case '%':
      return two <= 0 || one < 0 ? null : String(one % two)
    case '<':
      return String(one < two)
    case '<=':
      return String(one <= two)
    case '>':
      return String(one > two)
    case '>=':
      return String(one >= two)
    case '==':
    case '===':
      return String(one === two)
    case '!=':
    case '!==':
      return String(one !== two)
    default:
      return null
  }
}

/** A sum of numbers; null where one of the parts is none. */
export function sumOf(facts: readonly Fact[]): string | null {
  let sum = 0
  for (const { value, text } of facts) {
    if (text !== null || !isNumber(value)) return null
    sum += Number(value)
  }
  return String(sum)
}

/** `text[1]`, `text.charAt(1)`: one character of a constant. */
export function characterOf(owner: Fact, key: string | null): Fact | null {
  if (owner.value === null || owner.text !== owner.value || !/^\d{1,3}$/.test(key ?? '')) return null
  const found = owner.value.at(Number(key))
  return found === undefined ? null : { ...nothing, text: found, value: found }
}

/** `'a' in text`, `text.includes('a')` of two constants. */
export function holdsText(owner: Fact, asked: Fact | undefined): string | null {
  const isKnown = [owner, asked].every((fact) => fact?.text !== null && fact?.text === fact?.value)
  return isKnown && owner.text !== '' ? String(owner.text!.includes(asked!.text!)) : null
}

/** What a comparison of constants always gives; null where it is not known. */
export function alwaysOf(test: Expression, fact: Fact, scope: Scope): boolean | null {
  // A constant alone, such as `isDebug`, is a setting: its author means to change it.
  const isCompared = test.is === 'not' ? test.of.is !== 'name' : test.is === 'test' || test.is === 'call'
  if (!isCompared || !/^(?:true|false)$/.test(fact.value ?? '')) return null
  return isComputed(test, scope) ? fact.value === 'true' : null
}

/** Whether a value is made of constants that the function around knows. */
export function isComputed(test: Expression, scope: Scope): boolean {
  switch (test.is) {
    case 'fixed':
    case 'text':
      return true
    case 'name':
      return scope.isCertain(test.name)
    case 'not':
      return isComputed(test.of, scope)
    case 'test':
    case 'joined':
      return (test.is === 'test' ? test.of : test.parts).every((each) => isComputed(each, scope))
    case 'field':
      return isComputed(test.of, scope) && (typeof test.key === 'string' || isComputed(test.key, scope))
    case 'call':
      return (
        test.callee.is === 'field' &&
        /^(?:charAt|includes|contains)$/.test(String(test.callee.key)) &&
        [test.callee.of, ...test.args].every((each) => isComputed(each, scope))
      )
    default:
      return false
  }
}

/** Which case of a switch over a constant runs; null where that is not known. */
export function caseOf({ value }: Fact, cases: readonly (readonly Fact[] | null)[]): number | null {
  const isKnown = cases.every((tests) => tests === null || tests.every((test) => test.value !== null))
  if (value === null || !isKnown) return null
  const at = cases.findIndex((tests) => tests?.some((test) => test.value === value) === true)
  const otherwise = at === -1 ? cases.indexOf(null) : at
  return otherwise === -1 ? null : otherwise
}
