import { isDecimalMode } from '../../../concepts/file-modes.js'
import { comparesLengthSign, lengthSign } from '../../../text/length-sign.js'
import {
  filtersScripts,
  hasOpenHostDot,
  hasWideRange,
  hasWordsInClass,
  regexWords
} from '../../../text/regex-slips.js'
import { loggedSecret, namesSecret } from '../../../text/secret-names.js'
import { args, callee } from '../../../tree/calls.js'
import { ancestor, endsOf, hasText, kindOf, literalOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { stripCharacters } from './shared.js'

const bug = treeRulesOf('py', 'python', 'bugs')
const security = treeRulesOf('py', 'python', 'security')

/** The fixed pattern that a call of `re` gets, else null. */
const patternOf = remember((call: TreeNode): string | null => {
  const first = args(call)[0] ?? null
  return /^re\.(?:compile|match|search|fullmatch|sub|findall|split|finditer)$/.test(callee(call)) &&
    kindOf(first) === 'string'
    ? literalOf(first)
    : null
})

/** Names of the methods that a class defines itself. */
const methodsOf = remember(
  (body: TreeNode): ReadonlySet<string> =>
    new Set(named(body).map((each) => textOf((each.field('definition') ?? each).field('name'))))
)

const hasPattern = { only: /\bre\./ }
const host = /^(?:https?:\/\/)?\.?(?:[\w-]+\.)+(?:com|org|net|io|dev|edu|gov)$/i
const address = /(?:^|[._])(?:url|uri|href|host|hostname|origin|referr?er|netloc|domain)$/i

export const pythonSlipRules = [
  bug.warning('length-sign', {
    ...lengthSign,
    kinds: 'comparison_operator',
    when: (node) => hasText(node, /\blen\(/) && comparesLengthSign(endsOf(node))
  }),
  bug.warning('wide-range', {
    ...regexWords.wideRange,
    kinds: 'call',
    when: (node) => hasWideRange(patternOf(node) ?? ''),
    ...hasPattern
  }),
  bug.warning('words-in-class', {
    ...regexWords.wordsInClass,
    kinds: 'call',
    when: (node) => hasWordsInClass(patternOf(node) ?? ''),
    ...hasPattern
  }),
  security.warning('host-pattern', {
    ...regexWords.hostDot,
    kinds: 'call',
    when: (node) => hasOpenHostDot(patternOf(node) ?? ''),
    ...hasPattern
  }),
  security.warning('markup-filter', {
    ...regexWords.scriptFilter,
    calls: /^re\.sub$/,
    when: (node) => filtersScripts(patternOf(node) ?? '') && literalOf(args(node)[1]) === '',
    ...hasPattern
  }),
  security.info('partial-host-check', {
    sentence:
      'A substring or suffix check also accepts other hosts, such as evil-example.com or example.com.evil.org.',
    suggestion: 'Parse the URL with urllib.parse.urlparse() and compare its hostname with ==.',
    kinds: ['comparison_operator', 'call'],
    when: (node) => {
      if (kindOf(node) === 'comparison_operator') {
        const [text, subject] = named(node)
        return (
          kindOf(text) === 'string' &&
          / (?:not )?in /.test(endsOf(node)) &&
          host.test(literalOf(text!)) &&
          address.test(textOf(subject))
        )
      }
      const [, subject, method] = /^([\w.]+)\.(startswith|endswith)$/.exec(callee(node)) ?? []
      const text = literalOf(args(node)[0])
      return (
        subject !== undefined &&
        host.test(text) &&
        address.test(subject) &&
        (method === 'startswith' ? /^https?:/i.test(text) : !/^\.|:/.test(text))
      )
    }
  }),
  security.warning('exposed-stack', {
    ...words.exposedStack,
    calls: /^(?:traceback\.)?format_exc$/,
    when: (node) => {
      const answer = ancestor(node, ['return_statement'], ['function_definition', 'lambda'])
      const handler = answer === null ? null : ancestor(answer, ['function_definition'])
      const decorated = handler?.parent() ?? null
      return (
        kindOf(decorated) === 'decorated_definition' &&
        /^@\w+\.(?:route|get|post|put|patch|delete|errorhandler|exception_handler)\(/.test(
          textOf(decorated).slice(0, 100)
        )
      )
    },
    only: /format_exc/
  }),
  security.warning('secret-logged', {
    ...loggedSecret,
    calls:
      /(?:^print|(?:^|[._])(?:log|logger|logging)\.(?:info|warning|warn|error|debug|critical|exception))$/i,
    when: (node) => args(node).flatMap(partsOf).find(isSecret) ?? false
  }),
  security.warning('ssl-old-version', {
    sentence: 'The SSL context uses a broken version of SSL or TLS.',
    suggestion: 'Use ssl.PROTOCOL_TLS_CLIENT or PROTOCOL_TLS_SERVER.',
    calls: /(?:^|\.)(?:SSLContext|SSL\.Context)$/,
    when: (node) =>
      /^(?:protocol=)?(?:ssl\.)?PROTOCOL_(?:SSLv2|SSLv3|TLSv1|TLSv1_1)$|^SSL\.(?:SSLv2|SSLv3|TLSv1|TLSv1_1)_METHOD$/.test(
        textOf(args(node)[0]).replace(/\s/g, '')
      ),
    only: /SSL/
  }),
  bug.error('decimal-mode', {
    ...words.decimalMode,
    calls: /^os\.l?f?chmod$/,
    when: (node) => isDecimalMode(textOf(args(node)[1])),
    only: /chmod/
  }),
  // Ruff reports strings with a character that comes twice.
  bug.warning('strip-with-multi-characters', {
    ...stripCharacters,
    kinds: 'call',
    when: (node) => {
      const text = literalOf(args(node)[0])
      if (kindOf(args(node)[0]) !== 'string' || new Set(text).size !== text.length) return false
      return /\.rstrip$/.test(callee(node))
        ? /^[._-][a-z]\w+$/i.test(text)
        : /\.lstrip$/.test(callee(node)) && /^[a-z]\w+[.:/_-]+$/i.test(text)
    },
    only: /[lr]strip\(/
  }),
  bug.error('except-builtin-type', {
    sentence:
      'A builtin type is not an exception class, so this raises a TypeError when an exception occurs.',
    suggestion: 'Name the exception that you expect, such as ValueError.',
    kinds: 'except_clause',
    when: (node) => {
      const [first = null] = named(node)
      const caught = kindOf(first) === 'as_pattern' ? (named(first)[0] ?? null) : first
      return (kindOf(caught) === 'tuple' ? named(caught) : [caught]).some((each) =>
        /^(?:int|str|float|bool|list|dict|tuple|set|bytes)$/.test(textOf(each))
      )
    }
  }),
  bug.warning('hash-without-equals', {
    sentence:
      'The class defines __hash__ or __ne__ without __eq__, so two objects are equal only if they are identical.',
    suggestion: 'Define __eq__ over the same fields.',
    kinds: 'class_definition',
    when: (node) => {
      const methods = node.field('body') === null ? new Set<string>() : methodsOf(node.field('body')!)
      const bases = textOf(node.field('superclasses')).replace(/[()\s]/g, '')
      if (!/^(?:object)?$/.test(bases) || methods.has('__eq__')) return false
      return (
        kindOf(node.parent()) !== 'decorated_definition' && (methods.has('__hash__') || methods.has('__ne__'))
      )
    },
    only: /__hash__|__ne__/
  }),
  bug.warning('explicit-del', {
    sentence: '__del__() is called explicitly, and Python calls it again when it frees the object.',
    suggestion: 'Call close(), or use a with statement.',
    calls: /\.__del__$/,
    when: (node) =>
      !/^super\(/.test(callee(node)) &&
      textOf(ancestor(node, ['function_definition'])?.field('name')) !== '__del__',
    only: /__del__\(/
  }),
  bug.warning('uncalled-method', {
    sentence: 'The parentheses are missing, so this line does not call the method.',
    suggestion: 'Write () after the name of the method.',
    kinds: 'expression_statement',
    when: (node) => {
      const [only, ...others] = named(node)
      return (
        others.length === 0 &&
        kindOf(only) === 'attribute' &&
        /^[\w.]+\.(?:close|flush|commit|rollback|shutdown|disconnect|terminate|kill)$/.test(textOf(only!)) &&
        // A try statement asks whether there is such a method.
        !hasText(ancestor(node, ['try_statement'], ['function_definition']), /AttributeError|except\s*:/)
      )
    },
    only: /\.(?:close|flush|commit|rollback|shutdown|disconnect|terminate|kill)\s*(?:\n|$|#|;)/
  })
]

/** What an argument of a log is put together from. */
function partsOf(argument: TreeNode): TreeNode[] {
  switch (kindOf(argument)) {
    case 'string':
      return argument
        .children()
        .filter((each) => kindOf(each) === 'interpolation')
        .flatMap((each) => each.field('expression') ?? [])
    case 'binary_operator':
      return named(argument)
    default:
      return [argument]
  }
}

function isSecret(part: TreeNode): boolean {
  if (!/^(?:identifier|attribute)$/.test(kindOf(part))) return false
  const text = endsOf(part)
  return /^[\w.]+$/.test(text) && namesSecret(text.slice(text.lastIndexOf('.') + 1))
}
