import { callee } from '../../../tree/calls.js'
import { ancestor, endsOf, hasText, kindOf, named, textOf, unreachableAfter } from '../../../tree/nodes.js'
import { wordCounts } from '../../../tree/scope.js'
import type { TreeNode } from '../../../tree/tree.js'
import { neverUsed, treeRulesOf, words } from '../../../rules/tree-rules.js'
import { functions, scopeOf } from './scope.js'
import { selfCompare } from '../../../concepts/comparisons.js'

const bug = treeRulesOf('rust', 'rust', 'bugs')

const inTest = (node: TreeNode): boolean =>
  ancestor(node, ['mod_item'])?.field('name')?.text() === 'tests' ||
  kindOf(ancestor(node, ['function_item'])?.prev()) === 'attribute_item'

/** Reads and writes of std::io, as statements: what is left to do with an error is not on the line. */
const dropsResult =
  /^[\w.]+\.(?:(?:read_to_string|read_to_end|read_line|read_exact)\(&mut [\w.]+\)|write_all\((?:(?!\)\.|\)\?)[^;])*\));$/

/** Types of the standard library, which are no traits. */
const ownTypes =
  /^(?:std|core|alloc)::(?:collections::\w+|sync::(?:atomic::)?\w+|rc::\w+|cell::\w+|path::\w+|time::\w+|fs::\w+|process::\w+|thread::\w+|net::(?!ToSocketAddrs)\w+|io::(?:BufReader|BufWriter|Cursor|Stdin|Stdout|LineWriter)|borrow::Cow|ffi::\w+)$/

export const rustBugRules = [
  bug.warning('swallowed-error', {
    ...words.swallowed,
    sentence: 'The Err value is ignored, so a failure looks like success.',
    kinds: ['match_arm', 'if_expression'],
    when: (node) =>
      kindOf(node) === 'match_arm'
        ? /^Err\((?:_|_\w+)\)$/.test(textOf(node.field('pattern'))) &&
          /^(?:\{\s*\}|\(\))$/.test(endsOf(node.field('value')).replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ''))
        : /^let Err\(_\w*\) =/.test(textOf(node.field('condition'))) &&
          named(node.field('consequence')).length === 0
  }),
  bug.warning('ignored-result', {
    sentence: 'The Result of this call is discarded, so errors are ignored.',
    suggestion: 'Handle the error, or propagate it with ?.',
    kinds: ['let_declaration', 'expression_statement'],
    when: (node, tree) =>
      kindOf(node) === 'let_declaration'
        ? textOf(node.field('pattern')) === '_' &&
          /^(?:std::)?(?:fs|tokio::fs)::|\.(?:send|write_all|flush|execute|commit)\(/.test(
            textOf(node.field('value'))
          )
        : /\.ok\(\);$/.test(node.text()) ||
          (dropsResult.test(node.text()) &&
            kindOf(named(node)[0]) === 'call_expression' &&
            !/\bfn (?:read_|write_all)/.test(tree.source.text))
  }),
  bug.warning('unwrap', {
    sentence: 'unwrap() panics if this call fails.',
    suggestion: 'Propagate the error with ?, or handle it.',
    kinds: 'call_expression',
    when: (node) => {
      const target = /^([\s\S]*)\.unwrap$/.exec(callee(node))?.[1]
      return (
        target !== undefined &&
        !inTest(node) &&
        /(?:File::(?:open|create)|fs::\w+|env::var|\.parse(?:::<\w+>)?|\.await|from_str(?:::<.*>)?|connect|\.send|read_line|reqwest::\w+|\.json(?:::<.*>)?|read_to_string)\s*(?:\([\s\S]*\))?$/.test(
          target
        )
      )
    }
  }),
  bug.warning('unreachable', {
    ...words.unreachable,
    kinds: 'expression_statement',
    when: (node) =>
      /^(?:return\b|break\b|continue\b|panic!\(|unreachable!\(|std::process::exit\()/.test(node.text()) &&
      kindOf(node.parent()) === 'block'
        ? unreachableAfter(node, /_item$|^attribute/)
        : false
  }),
  bug.error('off-by-one', {
    ...words.offByOne,
    suggestion: 'Use .. instead of ..=, or iterate over the elements directly.',
    kinds: 'for_expression',
    when: (node) => {
      const match = /^\d*\s*\.\.=\s*([\w.]+)\.len\(\)$/.exec(textOf(node.field('value')))
      return (
        match !== null && textOf(node.field('body')).includes(`${match[1]}[${textOf(node.field('pattern'))}]`)
      )
    }
  }),
  bug.warning('memory-leak', {
    sentence: 'mem::forget and Box::leak never free the memory of this value.',
    suggestion: 'Let the value go out of scope, or store it in its owner.',
    calls: /^(?:std::)?mem::forget$|^Box::leak$/
  }),
  bug.warning('unfinished', {
    sentence: 'todo!() and unimplemented!() panic when this code runs.',
    suggestion: 'Implement this branch, or return an error.',
    kinds: 'macro_invocation',
    when: (node) => /^(?:todo|unimplemented)$/.test(textOf(node.field('macro')))
  }),
  bug.info('debug-print', {
    sentence: 'dbg!() is for debugging only.',
    suggestion: 'Remove the dbg!() call.',
    kinds: 'macro_invocation',
    when: (node) => textOf(node.field('macro')) === 'dbg'
  }),
  bug.warning('float-compare', {
    sentence: 'Floating-point values are compared with == or !=, which fails after rounding.',
    suggestion: 'Compare the absolute difference with a tolerance.',
    kinds: 'binary_expression',
    when: (node) =>
      /^[!=]=$/.test(textOf(node.field('operator'))) &&
      [node.field('left'), node.field('right')].some(
        (side) => kindOf(side) === 'float_literal' && !/^0\.0+$/.test(textOf(side))
      )
  }),
  bug.warning('mutable-static', {
    sentence: 'static mut allows data races, because every thread can change it without synchronization.',
    suggestion: 'Use an atomic type, a Mutex or a OnceLock.',
    kinds: 'static_item',
    when: (node) => /^(?:pub(?:\([^)]*\))? )?static mut\b/.test(node.text())
  }),
  bug.warning('panic-in-result', {
    sentence: 'This function returns a Result, but panics instead of returning an error.',
    suggestion: 'Return an Err value.',
    kinds: 'macro_invocation',
    when: (node) =>
      textOf(node.field('macro')) === 'panic' &&
      !/^panic!\(\s*"(?:BUG|unreachable|impossible)/i.test(endsOf(node)) &&
      hasText(ancestor(node, functions)?.field('return_type'), /^(?:\w+::)*Result\b/)
  }),
  selfCompare(bug, ['binary_expression']),
  bug.warning('unused-import', {
    ...words.unusedImport,
    kinds: 'use_declaration',
    when: (node, tree) => {
      const path = /^use ([\w:]+::\w+);$/.exec(node.text())?.[1]
      const name = path?.split('::').at(-1)
      if (
        path === undefined ||
        name === undefined ||
        /^(?:self|prelude)$/.test(name) ||
        wordCounts(tree).get(name) !== 1
      ) {
        return false
      }
      // A trait is used through its methods, and only its crate knows what is one.
      return /^[a-z]/.test(name) || ownTypes.test(path)
    },
    ...neverUsed('imported', (node) => /(\w+);$/.exec(node.text())?.[1] ?? '')
  }),
  bug.warning('unused-variable', {
    ...words.unused,
    kinds: 'let_declaration',
    when: (node) => {
      const pattern = node.field('pattern')
      const name = textOf(pattern).replace(/^mut /, '')
      return kindOf(pattern) === 'identifier' && !name.startsWith('_') && scopeOf(node)?.words.get(name) === 1
    },
    ...neverUsed('declared', (node) => textOf(node.field('pattern')).replace(/^mut /, ''))
  })
]
