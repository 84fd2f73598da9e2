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
      sentence: "A client's object is used as a database filter, so it can hold query operators.",
      suggestion: 'Build the filter from single, checked fields, made text or numbers first.'
    }
  ],
  shell: ['shell-injection', 'error', words.shell],
  code: [
    'code-from-input',
    'error',
    {
      sentence: "A client's input is run as code or names the code that runs.",
      suggestion: 'Look the operation up in a table of allowed ones.'
    }
  ],
  path: ['path-traversal', 'error', words.path],
  address: ['request-from-input', 'error', words.requestAddress],
  redirect: ['open-redirect', 'error', words.redirect],
  markup: [
    'unescaped-markup',
    'error',
    {
      sentence: "A value goes into a page as markup, so a visitor's text can run as script.",
      suggestion: 'Write it as text, render it with a template that escapes, or sanitize it first.'
    }
  ],
  template: [
    'template-from-input',
    'error',
    {
      sentence: "A client's input becomes part of a template, so it can run code on the server.",
      suggestion: 'Keep templates fixed and pass values to them.'
    }
  ],
  header: [
    'header-from-input',
    'warning',
    {
      sentence: "A client's input becomes part of a header, so it can add headers or split the answer.",
      suggestion: 'Remove line breaks, or choose the value from a list.'
    }
  ],
  regex: [
    'regexp-from-input',
    'error',
    {
      sentence: "A regular expression is made from a client's input, so it can be made to run for ever.",
      suggestion: 'Escape the input before it becomes part of a pattern, or compare plain text.'
    }
  ],
  deserialize: ['deserialize-input', 'error', words.deserialize],
  log: [
    'log-from-input',
    'info',
    {
      sentence: "A client's input is part of the format of a log line, so it can forge lines of the log.",
      suggestion: 'Keep the format fixed and pass the value after it.'
    }
  ],
  property: [
    'prototype-pollution',
    'warning',
    {
      sentence:
        'A client chooses the name of the property that is written: `__proto__` would change every object.',
      suggestion: 'Use a Map, or accept only names from a list.'
    }
  ],
  cors: [
    'cors-reflects-origin',
    'warning',
    {
      sentence: 'Every website that calls is allowed by sending its own origin back.',
      suggestion: 'Compare the origin with a list and send back only what is on it.'
    }
  ],
  lookup: [
    'lookup-injection',
    'error',
    {
      sentence:
        "A query for XML or a directory is put together from a client's input, so a value can change the query.",
      suggestion: 'Escape the value, or pass it as a variable of the query.'
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
  // Flask, Django, Starlette and Tornado refuse line breaks in headers. Ruff finds unsafe deserializers.
  ...rulesFor('py', ['python'], ['header', 'deserialize', 'property', 'cors']),
  ...rulesFor('go', ['go'], ['nosql', 'code', 'deserialize', 'property']),
  ...rulesFor('java', ['java'], ['nosql', 'property']),
  ...rulesFor('rust', ['rust'], ['nosql', 'code', 'header', 'log', 'property', 'cors', 'lookup'])
]
