import { args, callee } from '../../../tree/calls.js'
import {
  ancestor,
  endsOf,
  hasText,
  isString,
  kindOf,
  literalOf,
  named,
  textOf,
  unreachableAfter
} from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import { addTo } from '../../../lists.js'
import { countsIn, namesIn } from '../../../tree/scope.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { staysIn } from '../stays.js'
import { neverUsed, treeRulesOf, words } from '../../../rules/tree-rules.js'
import { declaredNames, handedOn, inLoop, scopeOf } from './scope.js'
import { selfCompare } from '../../../concepts/comparisons.js'

const bug = treeRulesOf('go', 'go', 'bugs')

/** Writes to the elements of a map or a slice, by its name. */
const writesOf = remember((tree: Tree) => {
  const writes = new Map<string, { place: number; node: TreeNode }[]>()
  for (const node of [...tree.nodes('assignment_statement'), ...tree.nodes('inc_statement')]) {
    const name = /^(\w+)\[[^\]]+\]\s*(?:=[^=]|\+\+|\+=)/.exec(endsOf(node))?.[1]
    if (name !== undefined) addTo(writes, name, { place: node.range().start.index, node })
  }
  return writes
})

/** What the code outside of the imports takes from a package or a value. */
const selectedFrom = remember((tree: Tree) =>
  namesIn(tree.source.text.replace(/^import[\s\S]*?\n\)|^import .*$/m, ''), /\b(\w+)\./g)
)

/** The argument of a call that is a duration. */
function durationOf(call: TreeNode): TreeNode | null {
  if (callee(call) === 'context.WithTimeout') return args(call)[1] ?? null
  return /^time\.(?:Sleep|After|NewTimer|Tick|NewTicker)$/.test(callee(call)) ? (args(call)[0] ?? null) : null
}

/** The value of a timeout in a client, a server or a dialer of the standard library. */
function timeoutOf(element: TreeNode): TreeNode | null {
  const literal = ancestor(element, ['composite_literal'])
  const [key, value] = named(element)
  return hasText(literal?.field('type'), /^(?:http\.(?:Client|Server|Transport)|net\.Dialer)$/) &&
    hasText(key, /Timeout$/)
    ? (value ?? null)
    : null
}

export const goBugRules = [
  bug.warning('unreachable', {
    ...words.unreachable,
    kinds: ['return_statement', 'break_statement', 'continue_statement', 'expression_statement'],
    when: (node) => {
      if (
        kindOf(node) === 'expression_statement' &&
        !/^(?:panic|os\.Exit|log\.Fatal\w*)\(/.test(node.text())
      ) {
        return false
      }
      return unreachableAfter(node, /^(?:labeled_statement|expression_case|default_case)$/)
    }
  }),
  bug.error('off-by-one', {
    ...words.offByOne,
    suggestion: 'Use i < len(s) as the loop condition.',
    kinds: 'for_clause',
    when: (node) => {
      const match = /^(\w+)\s*<=\s*len\(([\w.]+)\)$/.exec(textOf(node.field('condition')))
      return match !== null && textOf(node.parent()).includes(`${match[2]}[${match[1]}]`)
    }
  }),
  bug.warning('resource-leak', {
    ...words.leak,
    suggestion: 'Add defer x.Close() after the error check.',
    kinds: 'short_var_declaration',
    when: (node, { source }) => {
      const call = named(node.field('right'))[0]
      const name = declaredNames(node)[0]
      if (call === undefined || kindOf(call) !== 'call_expression' || name === undefined || name === '_') {
        return false
      }
      const scope = scopeOf(node)
      const isReturned = scope?.returned.has(name) === true
      const isKept = (path: string): boolean => scope !== null && staysIn(scope.node, name, path)
      if (
        /^(?:http\.(?:Get|Post|PostForm|Head)|(?:client|c|httpClient|\w+\.client)\.(?:Do|Get|Post))$/.test(
          callee(call)
        )
      ) {
        // A context and a cache have a method `Get` as well.
        if (callee(call).startsWith('c.') && !/\bc\b.{0,20}\bhttp\.(?:Default)?Client\b/.test(source.text)) {
          return false
        }
        return scope?.bodiesClosed.has(name) !== true && (!isReturned || isKept('Body'))
      }
      if (
        /^os\.(?:Open|Create|OpenFile)$/.test(callee(call)) ||
        /\.(?:Query|QueryContext)$/.test(callee(call))
      ) {
        // What the declaration itself names does not pass anything on.
        const isHandedOn =
          (scope?.handedOn.get(name) ?? 0) > (countsIn(node.text(), handedOn).get(name) ?? 0) ||
          scope?.inLiterals.has(name) === true
        return (
          /os\.|db|tx|conn|pool|stmt|store|repo|queries|rows/i.test(callee(call) + name) &&
          scope?.closed.has(name) !== true &&
          ((!isReturned && !isHandedOn) || isKept(''))
        )
      }
      return false
    }
  }),
  bug.warning('defer-in-loop', {
    sentence: 'Deferred calls in a loop run only when the function returns, so resources pile up.',
    suggestion: 'Move the loop body into a function, or close the resource without defer.',
    kinds: 'defer_statement',
    when: (node) => inLoop(node) !== null
  }),
  bug.error('nil-map-write', {
    sentence: 'Assignment to an entry in a nil map panics.',
    suggestion: 'Initialize the map with make first.',
    kinds: 'var_spec',
    when: (node, tree) => {
      const name = textOf(node.field('name'))
      if (kindOf(node.field('type')) !== 'map_type' || node.field('value') !== null) return false
      const scope = scopeOf(node)
      if (scope === null || scope.made.has(name) || scope.addressed.has(name)) return false
      const { start, end } = scope.node.range()
      return (
        writesOf(tree)
          .get(name)
          ?.find(({ place }) => place >= start.index && place < end.index)?.node ?? false
      )
    }
  }),
  bug.error('printf-arguments', {
    sentence: 'The number of arguments does not match the verbs in the format string.',
    suggestion: 'Pass one argument for each verb.',
    kinds: 'call_expression',
    when: (node) => {
      const at =
        /^fmt\.(?:Printf|Sprintf|Errorf)$|^log\.(?:Printf|Fatalf|Panicf)$|^[tb]\.(?:Errorf|Fatalf|Logf|Skipf)$/.test(
          callee(node)
        )
          ? 0
          : callee(node) === 'fmt.Fprintf'
            ? 1
            : -1
      const list = args(node)
      const format = at === -1 ? null : (list[at] ?? null)
      if (
        !isString(format) ||
        list.some((each) => each.text().endsWith('...')) ||
        kindOf(list.at(-1)) === 'variadic_argument'
      ) {
        return false
      }
      const text = literalOf(format).replace(/%%/g, '')
      return (
        !/[*[]/.test(text) &&
        (text.match(/%[-+# 0]*\d*(?:\.\d*)?[a-zA-Z]/g) ?? []).length !== list.length - at - 1
      )
    }
  }),
  bug.error('sleep-without-unit', {
    sentence: 'A time.Duration without a unit is in nanoseconds.',
    suggestion: 'Multiply by a unit, such as 5 * time.Second.',
    kinds: ['call_expression', 'keyed_element'],
    when: (node) => {
      const timeout = kindOf(node) === 'keyed_element' ? timeoutOf(node) : durationOf(node)
      return /^[1-9]\d*$/.test(textOf(timeout))
    }
  }),
  selfCompare(bug, ['binary_expression']),
  bug.warning('unused-import', {
    ...words.unusedImport,
    kinds: 'import_spec',
    when: (node, tree) => {
      const path = literalOf(node.field('path'))
      const alias = textOf(node.field('name'))
      if (alias === '_' || alias === '.') return false
      const last = path
        .replace(/\/v\d+$/, '')
        .split('/')
        .at(-1)!
      // `oras-go` is the package `oras`: a name with a dash or a dot does not tell the package's.
      return !selectedFrom(tree).has(alias || last) && (alias !== '' || !/[-.]/.test(last))
    },
    ...neverUsed('imported', (node) => textOf(node.field('name')) || literalOf(node.field('path')))
  })
]
