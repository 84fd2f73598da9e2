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

type Row = readonly [
  id: string,
  severity: RuleInfo['severity'],
  words: Pick<RuleInfo, 'sentence' | 'suggestion'>
]

const rows: Readonly<Record<Kind, Row>> = {
  sql: ['sql-injection', 'error', words.sql],
  nosql: [
    'query-object-from-input',
    'error',
    {
      sentence:
        "A client's object is used as a database filter, so it can contain query operators such as $ne.",
      suggestion: 'Build the filter from single fields, and convert each to a string or a number.'
    }
  ],
  shell: ['shell-injection', 'error', words.shell],
  code: [
    'code-from-input',
    'error',
    {
      sentence: 'Client input is executed as code, or selects the code that runs.',
      suggestion: 'Look the operation up in a map of allowed operations.'
    }
  ],
  path: ['path-traversal', 'error', words.path],
  address: ['request-from-input', 'error', words.requestAddress],
  redirect: ['open-redirect', 'error', words.redirect],
  markup: [
    'unescaped-markup',
    'error',
    {
      sentence: 'This value is inserted into HTML without escaping, so input can run scripts (XSS).',
      suggestion: 'Insert it as text, render it with a template that escapes, or sanitize it first.'
    }
  ],
  template: [
    'template-from-input',
    'error',
    {
      sentence: 'Client input becomes part of a template, so it can run code on the server.',
      suggestion: 'Keep the template constant, and pass the input as data.'
    }
  ],
  header: [
    'header-from-input',
    'warning',
    {
      sentence:
        'Client input becomes part of a response header, so it can inject headers or split the response.',
      suggestion: 'Remove line breaks, or choose the value from an allowlist.'
    }
  ],
  regex: [
    'regexp-from-input',
    'error',
    {
      sentence:
        'This regular expression contains client input, so a client can change what it matches or make it very slow.',
      suggestion: 'Escape the input before adding it to a pattern, or compare plain strings.'
    }
  ],
  deserialize: ['deserialize-input', 'error', words.deserialize],
  log: [
    'log-from-input',
    'info',
    {
      sentence: 'Client input is part of the log message, so it can forge log entries.',
      suggestion: 'Keep the format string constant, and pass the value as an argument.'
    }
  ],
  property: [
    'prototype-pollution',
    'warning',
    {
      sentence:
        'The client chooses which property is written, so `__proto__` can change every object (prototype pollution).',
      suggestion: 'Use a Map, or accept only names on an allowlist.'
    }
  ],
  cors: [
    'cors-reflects-origin',
    'warning',
    {
      sentence: 'The Origin header is sent back unchecked, so CORS allows any website.',
      suggestion: 'Compare the origin with an allowlist before sending it back.'
    }
  ],
  lookup: [
    'lookup-injection',
    'error',
    {
      sentence:
        'Client input is concatenated into an XPath, LDAP or JNDI lookup, so it can change what is looked up.',
      suggestion: 'Escape the input, or pass it as a query variable.'
    }
  ],
  session: [
    'trust-boundary',
    'warning',
    {
      sentence:
        "A request's value is stored in the session unchecked, and code that reads the session trusts it.",
      suggestion: 'Validate the value before you store it, or store what the server knows itself.'
    }
  ],
  random: [
    'predictable-secret',
    'warning',
    {
      sentence:
        'This cookie or session value comes from a predictable random generator, so a client can guess it.',
      suggestion: 'Generate it with a cryptographically secure random generator.'
    }
  ]
}

function rulesFor(prefix: string, languages: readonly Language[], without: readonly Kind[] = []): FlowRule[] {
  return (Object.keys(rows) as Kind[])
    .filter((kind) => !without.includes(kind))
    .map((kind) => {
      const [id, severity, { sentence, suggestion }] = rows[kind]
      return {
        id: `${prefix}/${id}`,
        engine: 'flow',
        kind,
        languages,
        analysisType: 'security',
        severity,
        sentence,
        suggestion
      }
    })
}

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
