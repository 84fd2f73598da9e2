import { args, callee } from '../../../tree/calls.js'
import { ancestor, kindOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import type { Tree } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { inLoop, scopeOf } from './scope.js'

const performance = treeRulesOf('rust', 'rust', 'performance')

const importsTokioFiles = remember((tree: Tree): boolean =>
  /use tokio::(?:fs|\{[^}]{0,500}fs)/.test(tree.source.text)
)

export const rustPerformanceRules = [
  performance.warning('string-building-in-loop', {
    ...words.stringLoop,
    suggestion: 'Use push_str or write! on one String.',
    kinds: 'assignment_expression',
    when: (node) => {
      const name = textOf(node.field('left'))
      const right = textOf(node.field('right'))
      return (
        inLoop(node) !== null &&
        /^\w+$/.test(name) &&
        (right.startsWith(`${name} + `) ||
          (right.startsWith('format!(') &&
            new RegExp(`^format!\\(\\s*"\\{(?:${name})?\\}`).test(right) &&
            new RegExp(`\\b${name}\\b`).test(right)))
      )
    }
  }),
  performance.warning('query-in-loop', {
    ...words.queryLoop,
    kinds: 'await_expression',
    when: (node) =>
      kindOf(inLoop(node)) === 'for_expression' &&
      /\.(?:fetch_one|fetch_all|fetch_optional|query_one|query_opt|find_one)\([\s\S]*\)$/.test(
        textOf(named(node)[0])
      )
  }),
  performance.warning('regex-in-loop', {
    ...words.regexLoop,
    calls: /(?:^|::)Regex::new$/,
    when: (node) => inLoop(node) !== null
  }),
  performance.warning('blocking-in-async', {
    sentence: 'A blocking call in an async function blocks every other task on this thread.',
    suggestion: 'Use the async version, such as tokio::fs or tokio::time::sleep, or call spawn_blocking.',
    calls: /^(?:std::)?(?:thread::sleep|fs::(?:read|read_to_string|write|File::open|remove_file|copy))$/,
    when: (node, tree) =>
      scopeOf(node)?.isAsync === true &&
      (/^std::/.test(callee(node)) || !importsTokioFiles(tree)) &&
      ancestor(node, ['closure_expression'], ['function_item']) === null
  }),
  performance.info('collect-to-count', {
    sentence: 'collect() allocates a Vec only to get its length.',
    suggestion: 'Use count() instead.',
    calls: /\.collect::<Vec<.*>>\(\)\s*\.len$/s
  }),
  performance.info('remove-first-in-loop', {
    sentence: 'Vec::remove(0) shifts all other elements on every iteration.',
    suggestion: 'Use VecDeque::pop_front, or iterate over the elements.',
    calls: /\.remove$/,
    when: (node) => textOf(args(node)[0]) === '0' && inLoop(node) !== null
  }),
  performance.info('owned-reference', {
    sentence: '&String and &Vec<T> parameters accept fewer arguments than &str and &[T].',
    suggestion: 'Use &str or &[T] as the parameter type.',
    kinds: 'parameter',
    when: (node) => /^&(?:'\w+ )?(?:String|Vec<.*>)$/s.test(textOf(node.field('type')))
  })
]
