import { isCatastrophicRegex } from '../../../text/regex-danger.js'
import { args, callee } from '../../../tree/calls.js'
import { ancestor, endsOf, kindOf, literalOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import { addTo } from '../../../lists.js'
import { namesIn } from '../../../tree/scope.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { factsOf, inLoop, isDynamicText } from './tree.js'

const security = treeRulesOf('py', 'python', 'security')

const performance = treeRulesOf('py', 'python', 'performance')

const appendedIn = remember((loop: TreeNode) => namesIn(loop.text(), /\b(\w+)\.append/g))

/** Where names are made from a text. */
const texts = remember((tree: Tree) => {
  const places = new Map<string, number[]>()
  for (const each of tree.nodes('assignment')) {
    if (kindOf(each.field('right')) === 'string') {
      addTo(places, textOf(each.field('left')), each.range().start.index)
    }
  }
  return places
})

export const pythonPerformanceRules = [
  performance.info('string-building-in-loop', {
    ...words.stringLoop,
    suggestion: "Collect the parts in a list and join them with ''.join().",
    kinds: 'augmented_assignment',
    when: (node, tree) => {
      const places = texts(tree).get(textOf(node.field('left')))
      if (places === undefined || inLoop(node) === null || !/\+=/.test(textOf(node.field('operator')))) {
        return false
      }
      const { start, end } = ancestor(node, ['function_definition', 'module'])!.range()
      return places.some((place) => place >= start.index && place < end.index)
    }
  }),
  performance.warning('query-in-loop', {
    ...words.queryLoop,
    calls:
      /(?:cur|cursor|conn|db|session|connection)\w*\.(?:execute|query|get|scalar|fetchrow|fetch)$|\.objects\.(?:get|filter)$/,
    when: (node) => {
      const loop = inLoop(node)
      const head = kindOf(loop) === 'for_statement' ? loop!.field('right') : null
      // What the loop walks over is fetched once.
      if (
        head === null ||
        (node.range().start.index >= head.range().start.index &&
          node.range().end.index <= head.range().end.index)
      ) {
        return false
      }
      return (
        !/insert|update/i.test(textOf(args(node)[0]).slice(0, 20)) &&
        named(loop!.field('left'))
          .concat(loop!.field('left')!)
          .some((each) => new RegExp(`\\b${each.text()}\\b`).test(textOf(node.field('arguments'))))
      )
    }
  }),
  performance.info('lookup-in-loop', {
    sentence: '`in` on a list scans the list on every iteration of the loop, which takes quadratic time.',
    suggestion: 'Convert the list to a set before the loop.',
    kinds: 'comparison_operator',
    when: (node) => {
      const list = named(node)[1]
      if (list === undefined || kindOf(list) !== 'identifier' || !/ (?:not )?in /.test(endsOf(node))) {
        return false
      }
      const loop = inLoop(node)
      const scope = loop === null ? null : ancestor(node, ['function_definition'])
      return scope !== null && factsOf(scope).lists.has(list.text()) && !appendedIn(loop!).has(list.text())
    }
  }),
  performance.info('regex-in-loop', {
    sentence: 're.compile() compiles the same pattern on every iteration of the loop.',
    suggestion: 'Compile the pattern once, before the loop.',
    calls: /^re\.compile$/,
    when: (node) =>
      inLoop(node) !== null && kindOf(args(node)[0]) === 'string' && !isDynamicText(args(node)[0])
  }),
  security.warning('catastrophic-regex', {
    ...words.regex,
    calls: /^re\.(?:compile|match|search|fullmatch|sub|findall|split|finditer)$/,
    when: (node) =>
      kindOf(args(node)[0]) === 'string' &&
      isCatastrophicRegex(literalOf(args(node)[0]) + (callee(node) === 're.fullmatch' ? '$' : ''))
  }),
  performance.info('insert-front-in-loop', {
    sentence: 'insert(0, …) and pop(0) move all elements of the list on every iteration.',
    suggestion: 'Use collections.deque with appendleft() and popleft(), or append and reverse once.',
    calls: /\.(?:insert|pop)$/,
    when: (node) => textOf(args(node)[0]) === '0' && inLoop(node) !== null
  })
]
