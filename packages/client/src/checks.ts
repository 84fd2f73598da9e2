import { ServiceError } from './errors.js'

/** @throws ServiceError that names the path */
export type Check = (value: unknown, at: string) => void

/** Returns the value if it is a valid response. */
export type Answer<T> = (value: unknown) => T

/** The path is in our own words: the value itself is not repeated. */
export const badAnswer = (problem: string): ServiceError =>
  new ServiceError(`The service sent an invalid answer: ${problem}`, { code: 'bad-answer' })

function assert(isRight: boolean, at: string, must: string): asserts isRight {
  if (!isRight) throw badAnswer(`${at === '' ? 'the body' : at} must be ${must}`)
}

const inside = (at: string, key: string): string => (at === '' ? key : `${at}.${key}`)

/** Has a check for every key of the type. */
type Shape<T> = { [K in keyof T]-?: Check }

export const objectOf =
  <T extends object>(shape: Shape<T>): Check =>
  (value, at) => {
    assert(typeof value === 'object' && value !== null && !Array.isArray(value), at, 'an object')
    for (const [key, check] of Object.entries<Check>(shape)) {
      check((value as Record<string, unknown>)[key], inside(at, key))
    }
  }

export const answer =
  <T extends object>(shape: Shape<T>): Answer<T> =>
  (value) => {
    objectOf<T>(shape)(value, '')
    return value as T
  }

export const arrayOf =
  (item: Check): Check =>
  (value, at) => {
    assert(Array.isArray(value), at, 'an array')
    for (const [index, each] of value.entries()) item(each, `${at}[${index}]`)
  }

export const nullOr =
  (check: Check): Check =>
  (value, at) => {
    if (value !== null) check(value, at)
  }

export const optional =
  (check: Check): Check =>
  (value, at) => {
    if (value !== undefined) check(value, at)
  }

export const oneOf =
  (...values: string[]): Check =>
  (value, at) =>
    assert(typeof value === 'string' && values.includes(value), at, `one of ${values.join(', ')}`)

export const numberFrom =
  (least: number): Check =>
  (value, at) =>
    assert(Number.isSafeInteger(value) && (value as number) >= least, at, `a whole number from ${least}`)

export const count = numberFrom(0)

const matching =
  (pattern: RegExp, must: string, maxBytes = Number.POSITIVE_INFINITY): Check =>
  (value, at) =>
    assert(
      typeof value === 'string' && pattern.test(value) && new TextEncoder().encode(value).length <= maxBytes,
      at,
      must
    )

export const flag: Check = (value, at) => assert(typeof value === 'boolean', at, 'true or false')

/** Any text of a user or a model. */
export const text: Check = (value, at) => assert(typeof value === 'string', at, 'a string')

// The service's rules: no control characters, no direction overrides, and valid Unicode.
const SAFE = '[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff\\ufffd]'
const SEGMENT = `(?!\\.{1,2}(?:/|$))(?:(?![/\\\\])${SAFE})+`

export const line = matching(new RegExp(`^${SAFE}*$`, 'u'), 'a string without control characters')
export const fileName = matching(new RegExp(`^${SEGMENT}$`, 'u'), 'a file name', 255)
export const folderName = matching(new RegExp(`^${SEGMENT}$`, 'u'), 'the name of a folder', 512)
export const folderPath = matching(new RegExp(`^(?:${SEGMENT}(?:/${SEGMENT})*)?$`, 'u'), 'a folder', 512)
export const projectId = matching(
  new RegExp(`^(?:(?![/\\\\\\p{Zl}\\p{Zp}\\p{Cf}])${SAFE}){1,128}$`, 'u'),
  'the id of a project'
)
export const id = matching(/^[\w-]{1,64}$/, 'an id')
export const base64 = matching(/^[A-Za-z0-9+/]{1,65536}={0,2}$/, 'base64')
export const sha256 = matching(/^[0-9a-f]{64}$/, 'a SHA-256')
export const timestamp = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/, 'a time in UTC')
/** A page may render it as a link. */
export const webAddress = matching(new RegExp(`^https?://${SAFE}+$`, 'u'), 'a web address')
