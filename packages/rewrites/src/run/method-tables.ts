import type { Kind } from './shape.js'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

export const textMethods = words(
  'toLowerCase toUpperCase trim trimStart trimEnd split replace replaceAll startsWith endsWith charAt charCodeAt codePointAt substring substr padStart padEnd repeat match matchAll normalize localeCompare search'
)
export const listMethods = words(
  'map filter reduce reduceRight forEach some every find findIndex findLast findLastIndex flatMap flat push pop shift unshift splice sort reverse join fill toSorted toReversed'
)
/** Methods of both strings and arrays. */
export const sharedMethods = words('includes indexOf lastIndexOf slice concat at')
export const numberMethods = words('toFixed toPrecision')
export const dateMethods = words(
  'getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds toISOString setDate setHours setMonth'
)
export const keyedMethods = words('get set has add delete')
export const functionMethods = words('apply call bind')
export const promiseMethods = words('then catch finally')
/** The first parameter of their callback is an element of the array. */
export const elementFirst = words(
  'map filter forEach some every find findIndex findLast findLastIndex flatMap sort toSorted'
)

/** Built-in names of the language; the sandbox has them. */
export const builtins = words(
  'Math JSON Object Array Number String Boolean Symbol BigInt Promise Map Set WeakMap WeakSet Date RegExp Error TypeError RangeError SyntaxError ReferenceError URIError EvalError AggregateError Intl Reflect Proxy parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI undefined NaN Infinity globalThis structuredClone queueMicrotask setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array DataView arguments require module exports eval Function'
)

/** The result kind of a method of a string, array or number. */
export const gives: Readonly<Record<string, Kind>> = {
  some: 'boolean',
  every: 'boolean',
  includes: 'boolean',
  has: 'boolean',
  startsWith: 'boolean',
  endsWith: 'boolean',
  indexOf: 'number',
  lastIndexOf: 'number',
  findIndex: 'number',
  findLastIndex: 'number',
  push: 'number',
  unshift: 'number',
  charCodeAt: 'number',
  codePointAt: 'number',
  getTime: 'number',
  localeCompare: 'number',
  search: 'number',
  join: 'string',
  toFixed: 'string',
  toPrecision: 'string',
  toLowerCase: 'string',
  toUpperCase: 'string',
  trim: 'string',
  trimStart: 'string',
  trimEnd: 'string',
  replace: 'string',
  replaceAll: 'string',
  charAt: 'string',
  substring: 'string',
  substr: 'string',
  padStart: 'string',
  padEnd: 'string',
  repeat: 'string',
  normalize: 'string',
  toISOString: 'string'
}
