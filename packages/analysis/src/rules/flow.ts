import type { Language } from '@filewright/contracts'
import { scriptLanguages } from '../language-groups.js'
import type { Kind } from '../flow/kinds.js'
import type { RuleInfo } from '../types.js'
import { words } from './tree-rules.js'

/** A rule about where a value comes from and where it goes. */
export interface FlowRule extends RuleInfo {
  readonly engine: 'flow'
  readonly kind: Kind
}

const rows: Readonly<Record<Kind, Pick<RuleInfo, 'id' | 'severity' | 'sentence' | 'suggestion'>>> = {
  sql: { id: 'sql-injection', severity: 'error', ...words.sql },
  nosql: {
    id: 'query-object-from-input',
    severity: 'error',
    sentence:
      "A client's object is used as a database filter, so it can contain query operators such as $ne.",
    suggestion: 'Build the filter from single fields, and convert each to a string or a number.'
  },
  shell: { id: 'shell-injection', severity: 'error', ...words.shell },
  code: {
    id: 'code-from-input',
    severity: 'error',
    sentence: 'Client input is executed as code, or selects the code that runs.',
    suggestion: 'Look the operation up in a map of allowed operations.'
  },
  path: { id: 'path-traversal', severity: 'error', ...words.path },
  address: { id: 'request-from-input', severity: 'error', ...words.requestAddress },
  redirect: { id: 'open-redirect', severity: 'error', ...words.redirect },
  markup: {
    id: 'unescaped-markup',
    severity: 'error',
    sentence: 'This value is inserted into HTML without escaping, so input can run scripts (XSS).',
    suggestion: 'Insert it as text, render it with a template that escapes, or sanitize it first.'
  },
  template: {
    id: 'template-from-input',
    severity: 'error',
    sentence: 'Client input becomes part of a template, so it can run code on the server.',
    suggestion: 'Keep the template constant, and pass the input as data.'
  },
  header: {
    id: 'header-from-input',
    severity: 'warning',
    sentence:
      'Client input becomes part of a response header, so it can inject headers or split the response.',
    suggestion: 'Remove line breaks, or choose the value from an allowlist.'
  },
  regex: {
    id: 'regexp-from-input',
    severity: 'error',
    sentence:
      'This regular expression contains client input, so a client can change what it matches or make it very slow.',
    suggestion: 'Escape the input before adding it to a pattern, or compare plain strings.'
  },
  deserialize: { id: 'deserialize-input', severity: 'error', ...words.deserialize },
  log: {
    id: 'log-from-input',
    severity: 'info',
    sentence: 'Client input is part of the log message, so it can forge log entries.',
    suggestion: 'Keep the format string constant, and pass the value as an argument.'
  },
  property: {
    id: 'prototype-pollution',
    severity: 'warning',
    sentence:
      'The client chooses which property is written, so `__proto__` can change every object (prototype pollution).',
    suggestion: 'Use a Map, or accept only names on an allowlist.'
  },
  cors: {
    id: 'cors-reflects-origin',
    severity: 'warning',
    sentence: 'The Origin header is sent back unchecked, so CORS allows any website.',
    suggestion: 'Compare the origin with an allowlist before sending it back.'
  },
  lookup: {
    id: 'lookup-injection',
    severity: 'error',
    sentence:
      'Client input is concatenated into an XPath, LDAP or JNDI lookup, so it can change what is looked up.',
    suggestion: 'Escape the input, or pass it as a query variable.'
  },
  session: {
    id: 'trust-boundary',
    severity: 'warning',
    sentence:
      "A request's value is stored in the session unchecked, and code that reads the session trusts it.",
    suggestion: 'Validate the value before you store it, or store what the server knows itself.'
  },
  random: {
    id: 'predictable-secret',
    severity: 'warning',
    sentence:
      'This cookie or session value comes from a predictable random generator, so a client can guess it.',
    suggestion: 'Generate it with a cryptographically secure random generator.'
  }
}

const rulesFor = (
  prefix: string,
  languages: readonly Language[],
  without: readonly Kind[] = []
): FlowRule[] =>
  (Object.keys(rows) as Kind[])
    .filter((kind) => !without.includes(kind))
    .map((kind) => ({
      ...rows[kind],
      id: `${prefix}/${rows[kind].id}`,
      engine: 'flow',
      kind,
      languages,
      analysisType: 'security'
    }))

export const flowRules: readonly FlowRule[] = [
  // A page to return to is kept in the session of most Express applications.
  ...rulesFor('js', scriptLanguages, ['session']),
  // Flask, Django, Starlette and Tornado refuse line breaks in headers.
  ...rulesFor('py', ['python'], ['header', 'property', 'cors']),
  // Go's regular expressions always run in linear time.
  ...rulesFor('go', ['go'], ['nosql', 'code', 'regex', 'deserialize', 'property', 'session']),
  ...rulesFor('java', ['java'], ['nosql', 'property']),
  // Deserializers of Rust run no code.
  ...rulesFor(
    'rust',
    ['rust'],
    ['nosql', 'code', 'header', 'deserialize', 'log', 'property', 'cors', 'lookup', 'session', 'random']
  )
]
