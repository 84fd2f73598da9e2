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
        'User input is passed to the database as a filter object, so a client can inject query operators such as `$ne`.',
      suggestion: 'Build the filter from individual fields and convert each to a string or number.'
    }
  ],
  shell: ['shell-injection', 'error', words.shell],
  code: [
    'code-from-input',
    'error',
    {
      sentence: 'User input is executed as code or selects the module to load.',
      suggestion: 'Look up the operation in a table of allowed ones.'
    }
  ],
  path: ['path-traversal', 'error', words.path],
  address: ['request-from-input', 'error', words.requestAddress],
  redirect: ['open-redirect', 'error', words.redirect],
  markup: [
    'unescaped-markup',
    'error',
    {
      sentence: 'An unescaped value is inserted into HTML, which allows cross-site scripting (XSS).',
      suggestion: 'Insert it as text, render it with a template that escapes, or sanitize it first.'
    }
  ],
  template: [
    'template-from-input',
    'error',
    {
      sentence: 'User input becomes part of a template, so a client can run code on the server.',
      suggestion: 'Keep templates fixed and pass user input as data.'
    }
  ],
  header: [
    'header-from-input',
    'warning',
    {
      sentence:
        'User input becomes part of a response header, so a client can add headers or split the response.',
      suggestion: 'Remove line breaks, or choose the value from a list.'
    }
  ],
  regex: [
    'regexp-from-input',
    'error',
    {
      sentence: 'A regular expression is built from user input, so a client can make it run forever (ReDoS).',
      suggestion: 'Escape the input first, or compare plain strings.'
    }
  ],
  deserialize: ['deserialize-input', 'error', words.deserialize],
  log: [
    'log-from-input',
    'info',
    {
      sentence: 'User input is part of a log format string, so a client can forge log entries.',
      suggestion: 'Use a fixed format string and pass the value as an argument.'
    }
  ],
  property: [
    'prototype-pollution',
    'warning',
    {
      sentence:
        'User input is used as the name of an assigned property: `__proto__` would change every object (prototype pollution).',
      suggestion: 'Use a Map, or accept only property names from a list.'
    }
  ],
  cors: [
    'cors-reflects-origin',
    'warning',
    {
      sentence: 'The Origin header is copied into Access-Control-Allow-Origin, so every website is allowed.',
      suggestion: 'Compare the origin with a list of allowed origins first.'
    }
  ],
  lookup: [
    'lookup-injection',
    'error',
    {
      sentence: 'An XPath or LDAP query is built from user input, so a value can change the query.',
      suggestion: 'Escape the value, or pass it as a query variable.'
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
  ...rulesFor('js', scriptLanguages),
  ...rulesFor('py', ['python'], ['property', 'cors']),
  ...rulesFor('go', ['go'], ['nosql', 'code', 'deserialize', 'property']),
  ...rulesFor('java', ['java'], ['nosql', 'property']),
  ...rulesFor('rust', ['rust'], ['nosql', 'code', 'header', 'log', 'property', 'cors', 'lookup'])
]
