import fc from 'fast-check'

/** A spelling of a request that some path parsers mistake for another request. */
export interface Variant {
  method: string
  target: string
  headers?: Record<string, string>
}

const hex = (byte: number, upper: boolean): string => {
  const digits = byte.toString(16).padStart(2, '0')
  return `%${upper ? digits.toUpperCase() : digits}`
}
const encode = (char: string, upper = false): string => {
  return [...Buffer.from(char)].map((byte) => hex(byte, upper)).join('')
}
const twice = (encoded: string): string => encoded.replaceAll('%', '%25')
/** Overlong UTF-8, which decoders must refuse and some do not. */
const overlong = (char: string, bytes: 2 | 3): string => {
  const code = char.charCodeAt(0)
  const tail = hex(0x80 | (code & 0x3f), false)
  const lead = bytes === 2 ? hex(0xc0 | (code >> 6), false) : `%e0${hex(0x80 | (code >> 6), false)}`
  return `${lead}${tail}`
}
/** The full-width form, which some normalizations convert to the same letter. */
const wide = (char: string): string => encode(String.fromCodePoint(char.charCodeAt(0) + 0xfee0))

const SUFFIXES = [
  '/',
  '//',
  '/.',
  '/./',
  '/..',
  '.',
  '..',
  '%2e',
  '%2f',
  '%2F',
  '/%2e',
  ';',
  ';x',
  ';a=b',
  '/;',
  '%3b',
  '%3Bx=1',
  '?',
  '??',
  '?x',
  '?/',
  '?a=/../',
  '?_method=GET',
  '#',
  '#x',
  '#/',
  '?#',
  '%23',
  '%3f',
  '%3Fx',
  '%00',
  '%00.css',
  '%0a',
  '%0d%0a',
  '%09',
  '%20',
  '+',
  '%',
  '%6',
  '%zz',
  '%ff',
  '%c0%80',
  '.json',
  '.css',
  '/static/x.js',
  '\\',
  '%5c',
  '%5C..',
  '\t',
  ',',
  ':',
  '@',
  '!',
  '*',
  "'",
  '"',
  '(',
  '~',
  '&a=b',
  '=',
  '$'
]
const SLASHES = [
  '%2f',
  '%2F',
  '%252f',
  '%5c',
  '\\',
  '//',
  '///',
  '/./',
  '/%2e/',
  '/x/../',
  '/x/%2e%2e/',
  '/x/..%2f',
  '/;/',
  '/.;/',
  '/x/..;/',
  '%c0%af',
  '%e0%80%af'
]
const PREFIXES = [
  '/',
  '/.',
  '/x/..',
  '/%2e',
  '/x/%2e%2e',
  '/queues/..',
  '/queues/static/..',
  '/queues/static/%2e%2e',
  '/health/..',
  '\\',
  '/;',
  '/%2f',
  '/..',
  '/metrics/..'
]
const AUTHORITIES = [
  'http://127.0.0.1',
  'http://localhost',
  'HTTP://LOCALHOST',
  'https://x',
  'http://a@b',
  'http://',
  'http://x:1',
  'http:/',
  'http:',
  '//x',
  'http://x/queues/..',
  'ws://x',
  'x',
  '*'
]
const OVERRIDES = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'X-Original-Method']
const REWRITES = [
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Forwarded-Path',
  'X-Forwarded-Uri',
  'X-Forwarded-Prefix',
  'Destination'
]
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'put',
  'Patch',
  'PROPFIND',
  'QUERY',
  'LOCK',
  'MOVE'
]

/**
 * Every spelling of each character and slash, possible prefixes and suffixes, other ways to name the method.
 */
function listed(method: string, path: string): Variant[] {
  const chars = [...path]
  const at = (i: number, spelling: string): string => chars.toSpliced(i, 1, spelling).join('')
  const last = path.lastIndexOf('/')
  // The words that distinguish routes come last: every spelling for those, two for the rest.
  const every = (char: string): string[] => [
    encode(char),
    encode(char, true),
    twice(encode(char)),
    twice(twice(encode(char))),
    overlong(char, 2),
    overlong(char, 3),
    wide(char),
    `%u00${encode(char).slice(1)}`
  ]
  const spellings = chars.flatMap((char, i) => {
    const written = i > last ? every(char) : [encode(char), twice(encode(char))]
    return written.map((spelling) => at(i, spelling))
  })
  const slashes = chars.flatMap((char, i) => (char === '/' ? SLASHES.map((slash) => at(i, slash)) : []))
  const targets = [
    path,
    ...spellings,
    ...slashes,
    ...SUFFIXES.map((suffix) => `${path}${suffix}`),
    ...PREFIXES.map((prefix) => `${prefix}${path}`),
    ...AUTHORITIES.map((authority) => `${authority}${path}`),
    path.toUpperCase(),
    path.slice(0, last) + path.slice(last).toUpperCase(),
    at(last + 2, chars[last + 2]?.toUpperCase() ?? '')
  ]
  const harmless = '/queues/api/queues'
  return [
    ...targets.map((target) => ({ method, target })),
    ...METHODS.map((other) => ({ method: other, target: path })),
    ...['GET', 'POST', 'PUT'].flatMap((other) => {
      return OVERRIDES.map((name) => ({ method: other, target: path, headers: { [name]: method } }))
    }),
    ...REWRITES.map((name) => ({ method, target: harmless, headers: { [name]: path } })),
    { method: 'POST', target: `${path}?_method=${method}` }
  ]
}

/** Any subset of characters, each in its own spelling, with or without a suffix. */
function mixed(method: string, path: string): fc.Arbitrary<Variant> {
  const chars = [...path]
  const spelling = fc.constantFrom<(char: string) => string>(
    (char) => encode(char),
    (char) => encode(char, true),
    (char) => twice(encode(char)),
    (char) => overlong(char, 2),
    (char) => char.toUpperCase(),
    (char) => char,
    (char) => char,
    (char) => char
  )
  const suffix = fc.constantFrom(...SUFFIXES, ...SUFFIXES.map(() => ''))
  const spellings = fc.array(spelling, { minLength: chars.length, maxLength: chars.length })
  return fc.tuple(spellings, fc.nat(chars.length), suffix).map(([spellings, from, after]) => ({
    method,
    target: chars.map((char, i) => (i < from ? char : (spellings[i]?.(char) ?? char))).join('') + after
  }))
}

export interface VariantOptions {
  seed: number
  sampled: number
}

/** @param path as its route defines it */
export function variantsOf(method: string, path: string, { seed, sampled }: VariantOptions): Variant[] {
  return [...listed(method, path), ...fc.sample(mixed(method, path), { seed, numRuns: sampled })]
}
