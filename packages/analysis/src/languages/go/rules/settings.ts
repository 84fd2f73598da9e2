import { fixedConditions } from '../../../concepts/comparisons.js'
import { callee } from '../../../tree/calls.js'
import { ancestor, endsOf, kindOf, named, textOf } from '../../../tree/nodes.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'

const security = treeRulesOf('go', 'go', 'security')
const bug = treeRulesOf('go', 'go', 'bugs')

const functions = ['function_declaration', 'method_declaration', 'func_literal']
const maxScopeChars = 5_000

/** How long a list is that is made once, with a fixed length, and never grows. */
function lengthOf(name: string, scope: string): { length: number; capacity: number } | null {
  if ((scope.match(new RegExp(`\\b${name}\\b[^=\\n]{0,40}:?=(?!=)`, 'g')) ?? []).length !== 1) return null
  // Who gets its address can make another list of it.
  if (new RegExp(`&${name}\\b`).test(scope)) return null
  const made = new RegExp(`\\b${name} := make\\(\\[\\]\\w+, (\\d+)(?:, (\\d+))?\\)`).exec(scope)
  if (made !== null) return { length: Number(made[1]), capacity: Number(made[2] ?? made[1]) }
  const items = new RegExp(`\\b${name} := \\[\\]\\w+\\{([^{}:\\n]*)\\}`).exec(scope)?.[1]
  if (items === undefined) return null
  const length = items.split(',').filter((each) => each.trim() !== '').length
  return { length, capacity: length }
}

/** Whether clients on other machines reach the default mux: a server without a handler uses it. */
function servesDefaultMux(text: string): boolean {
  const addresses = [...text.matchAll(/\bListenAndServe(?:TLS)?\(([^,()\n]+),[^()\n]*\bnil\)/g)]
  return (
    addresses.some(([, address]) => !/^"(?:localhost|127\.|\[::1\])/.test(address!)) ||
    /\bhttp\.Server\{(?![^}]*\bHandler:)[\s\S]*\.ListenAndServe(?:TLS)?\(/.test(text)
  )
}

export const goSettingRules = [
  security.error('unverified-token', {
    ...words.unverifiedToken,
    kinds: ['call_expression', 'selector_expression'],
    when: (node) =>
      kindOf(node) === 'call_expression'
        ? // Its name says so: the caller may verify it elsewhere, or have it from a server that it trusts.
          /\.ParseUnverified$/.test(callee(node)) && 'likely'
        : /^jwt\.(?:SigningMethodNone|UnsafeAllowNoneSignatureType)$/.test(node.text()),
    only: /jwt/
  }),
  security.warning('insecure-cookie', {
    sentence: 'This cookie is readable by scripts or is sent over unencrypted connections.',
    suggestion: 'Set HttpOnly and Secure to true.',
    kinds: 'keyed_element',
    when: (node) => /^(?:HttpOnly|Secure):\s*false$/.test(endsOf(node)),
    only: /Cookie|sessions/
  }),
  security.warning('profiler-exposed', {
    sentence:
      'net/http/pprof registers the profiler on the default mux, which this server exposes to every client.',
    suggestion: 'Serve the profiler on a separate port that only localhost can reach.',
    kinds: 'import_spec',
    when: (node, { source }) => endsOf(node) === '_ "net/http/pprof"' && servesDefaultMux(source.text),
    only: /ListenAndServe/
  }),
  bug.error('index-out-of-range', {
    sentence: 'This index is out of range, so the expression panics.',
    suggestion: 'Use an index smaller than the slice length.',
    kinds: ['index_expression', 'slice_expression'],
    when: (node) => {
      const list = node.field('operand')
      const asked = kindOf(node) === 'index_expression' ? node.field('index') : node.field('end')
      if (kindOf(list) !== 'identifier' || kindOf(asked) !== 'int_literal') return false
      const made = lengthOf(textOf(list), textOf(ancestor(node, functions)).slice(0, maxScopeChars))
      return (
        made !== null &&
        (kindOf(node) === 'index_expression'
          ? Number(asked!.text()) >= made.length
          : Number(asked!.text()) > made.capacity)
      )
    },
    only: /make\(\[\]|\[\]\w+\{/
  }),
  bug.error('lost-cancel', {
    sentence: 'The cancel function is discarded, so the context and its timer leak until the parent is done.',
    suggestion: 'Keep the cancel function and call it with defer.',
    kinds: ['short_var_declaration', 'assignment_statement'],
    when: (node) => {
      const names = named(node.field('left'))
      const call = named(node.field('right'))[0]
      return (
        names.length === 2 &&
        names[1]!.text() === '_' &&
        call !== undefined &&
        kindOf(call) === 'call_expression' &&
        /^context\.With(?:Cancel|Timeout|Deadline)(?:Cause)?$/.test(callee(call))
      )
    },
    only: /context\.With/
  }),
  ...fixedConditions(bug, 'binary_expression', '||', '&&')
]
