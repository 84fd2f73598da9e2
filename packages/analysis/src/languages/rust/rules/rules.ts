import {
  ancestor,
  endsOf,
  following,
  hasText,
  kindOf,
  named,
  remember,
  textOf,
  unreachableAfter
} from '../../../tree/nodes.js'
import { countsIn, wordCounts } from '../../../tree/scope.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { notANumber, neverUsed, treeRulesOf, words } from '../../../rules/tree-rules.js'

const security = treeRulesOf('rust', 'rust', 'security')
const performance = treeRulesOf('rust', 'rust', 'performance')
const bug = treeRulesOf('rust', 'rust', 'bugs')
const style = treeRulesOf('rust', 'rust', 'style')

const functions = ['function_item', 'closure_expression']
const inLoop = remember((node: TreeNode) =>
  ancestor(node, ['for_expression', 'while_expression', 'loop_expression'], functions)
)
const callee = remember((call: TreeNode): string => endsOf(call.field('function')))
const args = remember((call: TreeNode): TreeNode[] => named(call.field('arguments')))

/** What a function says about the names in it, read once for all of them. */
const factsOf = remember((scope: TreeNode) => ({
  words: countsIn(scope.text()),
  isAsync: /^(?:pub(?:\([^)]*\))? )?async fn/.test(endsOf(scope))
}))

const scopeOf = remember((node: TreeNode) => {
  const scope = ancestor(node, ['function_item'])
  return scope === null ? null : factsOf(scope)
})

const importsTokioFiles = remember((tree: Tree): boolean =>
  /use tokio::(?:fs|\{[^}]{0,500}fs)/.test(tree.source.text)
)
const inTest = (node: TreeNode): boolean =>
  ancestor(node, ['mod_item'])?.field('name')?.text() === 'tests' ||
  kindOf(ancestor(node, ['function_item'])?.prev() ?? null) === 'attribute_item'

export const rustSecurityRules = [
  security(
    'tls-check-disabled',
    'error',
    words.tls,
    'call_expression',
    (node) =>
      (/\.danger_accept_invalid_(?:certs|hostnames)$/.test(callee(node)) &&
        textOf(args(node)[0] ?? null) === 'true') ||
      (/\.set_verify$/.test(callee(node)) && /SslVerifyMode::NONE/.test(textOf(args(node)[0] ?? null)))
  ),
  security('weak-hash', 'warning', words.weakHash, 'call_expression', (node) =>
    /^(?:\w+::)*(?:Md5|Sha1)::(?:new|digest)$|^md5::compute$/.test(callee(node))
  ),
  security('weak-cipher', 'error', words.weakCipher, 'call_expression', (node) =>
    /^(?:\w+::)*(?:Des|TdesEde[23]|Rc4|Rc2|Blowfish)::new\w*$|Cipher::(?:des|rc4|aes_\d+_ecb)/.test(
      callee(node)
    )
  ),
  security(
    'permissive-cors',
    'warning',
    words.cors,
    'call_expression',
    (node) =>
      /(?:CorsLayer|Cors)::permissive$|\.allow_any_origin$/.test(callee(node)) ||
      (/\.allow_origin$/.test(callee(node)) && /^Any$/.test(textOf(args(node)[0] ?? null)))
  ),
  security(
    'transmute',
    'warning',
    {
      sentence: 'transmute reinterprets the bytes of a value without any check.',
      suggestion: 'Use a safe conversion, such as to_bits, TryFrom or as.'
    },
    'call_expression',
    (node) => /(?:^|::)transmute(?:::<.*>)?$/.test(callee(node))
  ),
  security(
    'unsafe-block',
    'info',
    {
      sentence: 'This unsafe block has no SAFETY comment that says why it is sound.',
      suggestion: 'Use a safe API, or add a // SAFETY: comment.'
    },
    'unsafe_block',
    (node, tree) =>
      !/SAFETY:/.test(
        tree.source.lines
          .slice(Math.max(0, node.range().start.line - 4), node.range().start.line + 2)
          .join('\n')
      )
  ),
  security(
    'insecure-random',
    'warning',
    { ...words.random, suggestion: 'Use rand::rngs::OsRng or the getrandom crate.' },
    'call_expression',
    (node) =>
      /^fastrand::|SmallRng::|^(?:rand::)?rngs::SmallRng/.test(callee(node)) &&
      /token|secret|password|session|nonce|otp|salt|key/i.test(
        textOf(ancestor(node, ['function_item'])?.field('name') ?? null)
      )
  )
]

export const rustPerformanceRules = [
  performance(
    'string-building-in-loop',
    'warning',
    { ...words.stringLoop, suggestion: 'Use push_str or write! on one String.' },
    'assignment_expression',
    (node) => {
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
  ),
  performance(
    'query-in-loop',
    'warning',
    words.queryLoop,
    'await_expression',
    (node) =>
      kindOf(inLoop(node)) === 'for_expression' &&
      /\.(?:fetch_one|fetch_all|fetch_optional|query_one|query_opt|find_one)\([\s\S]*\)$/.test(
        textOf(named(node)[0] ?? null)
      )
  ),
  performance(
    'regex-in-loop',
    'warning',
    words.regexLoop,
    'call_expression',
    (node) => /(?:^|::)Regex::new$/.test(callee(node)) && inLoop(node) !== null
  ),
  performance(
    'blocking-in-async',
    'warning',
    {
      sentence: 'A blocking call in an async function blocks every other task on this thread.',
      suggestion: 'Use the async version, such as tokio::fs or tokio::time::sleep, or call spawn_blocking.'
    },
    'call_expression',
    (node, tree) =>
      /^(?:std::)?(?:thread::sleep|fs::(?:read|read_to_string|write|File::open|remove_file|copy))$/.test(
        callee(node)
      ) &&
      scopeOf(node)?.isAsync === true &&
      (/^std::/.test(callee(node)) || !importsTokioFiles(tree)) &&
      ancestor(node, ['closure_expression'], ['function_item']) === null
  ),
  performance(
    'collect-to-count',
    'info',
    { sentence: 'collect() allocates a Vec only to get its length.', suggestion: 'Use count() instead.' },
    'call_expression',
    (node) => /\.collect::<Vec<.*>>\(\)\s*\.len$/s.test(callee(node))
  ),
  performance(
    'remove-first-in-loop',
    'info',
    {
      sentence: 'Vec::remove(0) shifts all other elements on every iteration.',
      suggestion: 'Use VecDeque::pop_front, or iterate over the elements.'
    },
    'call_expression',
    (node) => /\.remove$/.test(callee(node)) && textOf(args(node)[0] ?? null) === '0' && inLoop(node) !== null
  ),
  performance(
    'owned-reference',
    'info',
    {
      sentence: '&String and &Vec<T> parameters accept fewer arguments than &str and &[T].',
      suggestion: 'Use &str or &[T] as the parameter type.'
    },
    'parameter',
    (node) => /^&(?:'\w+ )?(?:String|Vec<.*>)$/s.test(textOf(node.field('type')))
  )
]

/** Reads and writes of std::io, as statements: what is left to do with an error is not on the line. */
const dropsResult =
  /^[\w.]+\.(?:(?:read_to_string|read_to_end|read_line|read_exact)\(&mut [\w.]+\)|write_all\((?:(?!\)\.|\)\?)[^;])*\));$/

/** Types of the standard library, which are no traits. */
const ownTypes =
  /^(?:std|core|alloc)::(?:collections::\w+|sync::(?:atomic::)?\w+|rc::\w+|cell::\w+|path::\w+|time::\w+|fs::\w+|process::\w+|thread::\w+|net::(?!ToSocketAddrs)\w+|io::(?:BufReader|BufWriter|Cursor|Stdin|Stdout|LineWriter)|borrow::Cow|ffi::\w+)$/

export const rustBugRules = [
  bug(
    'swallowed-error',
    'warning',
    { ...words.swallowed, sentence: 'The Err value is ignored, so a failure looks like success.' },
    ['match_arm', 'if_expression'],
    (node) =>
      kindOf(node) === 'match_arm'
        ? /^Err\((?:_|_\w+)\)$/.test(textOf(node.field('pattern'))) &&
          /^(?:\{\s*\}|\(\))$/.test(endsOf(node.field('value')).replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ''))
        : /^let Err\(_\w*\) =/.test(textOf(node.field('condition'))) &&
          named(node.field('consequence')).length === 0
  ),
  bug(
    'ignored-result',
    'warning',
    {
      sentence: 'The Result of this call is discarded, so errors are ignored.',
      suggestion: 'Handle the error, or propagate it with ?.'
    },
    ['let_declaration', 'expression_statement'],
    (node, tree) =>
      kindOf(node) === 'let_declaration'
        ? textOf(node.field('pattern')) === '_' &&
          /^(?:std::)?(?:fs|tokio::fs)::|\.(?:send|write_all|flush|execute|commit)\(/.test(
            textOf(node.field('value'))
          )
        : /\.ok\(\);$/.test(node.text()) ||
          (dropsResult.test(node.text()) &&
            kindOf(named(node)[0] ?? null) === 'call_expression' &&
            !/\bfn (?:read_|write_all)/.test(tree.source.text))
  ),
  bug(
    'unwrap',
    'warning',
    {
      sentence: 'unwrap() panics if this call fails.',
      suggestion: 'Propagate the error with ?, or handle it.'
    },
    'call_expression',
    (node) => {
      const target = /^([\s\S]*)\.unwrap$/.exec(callee(node))?.[1]
      return (
        target !== undefined &&
        !inTest(node) &&
        /(?:File::(?:open|create)|fs::\w+|env::var|\.parse(?:::<\w+>)?|\.await|from_str(?:::<.*>)?|connect|\.send|read_line|reqwest::\w+|\.json(?:::<.*>)?|read_to_string)\s*(?:\([\s\S]*\))?$/.test(
          target
        )
      )
    }
  ),
  bug('unreachable', 'warning', words.unreachable, 'expression_statement', (node) =>
    /^(?:return\b|break\b|continue\b|panic!\(|unreachable!\(|std::process::exit\()/.test(node.text()) &&
    kindOf(node.parent()) === 'block'
      ? unreachableAfter(node, /_item$|^attribute/)
      : false
  ),
  bug(
    'off-by-one',
    'error',
    { ...words.offByOne, suggestion: 'Use .. instead of ..=, or iterate over the elements directly.' },
    'for_expression',
    (node) => {
      const match = /^\d*\s*\.\.=\s*([\w.]+)\.len\(\)$/.exec(textOf(node.field('value')))
      return (
        match !== null && textOf(node.field('body')).includes(`${match[1]}[${textOf(node.field('pattern'))}]`)
      )
    }
  ),
  bug(
    'memory-leak',
    'warning',
    {
      sentence: 'mem::forget and Box::leak never free the memory of this value.',
      suggestion: 'Let the value go out of scope, or store it in its owner.'
    },
    'call_expression',
    (node) => /^(?:std::)?mem::forget$|^Box::leak$/.test(callee(node))
  ),
  bug(
    'unfinished',
    'warning',
    {
      sentence: 'todo!() and unimplemented!() panic when this code runs.',
      suggestion: 'Implement this branch, or return an error.'
    },
    'macro_invocation',
    (node) => /^(?:todo|unimplemented)$/.test(textOf(node.field('macro')))
  ),
  bug(
    'debug-print',
    'info',
    { sentence: 'dbg!() is for debugging only.', suggestion: 'Remove the dbg!() call.' },
    'macro_invocation',
    (node) => textOf(node.field('macro')) === 'dbg'
  ),
  bug(
    'float-compare',
    'warning',
    {
      sentence: 'Floating-point values are compared with == or !=, which fails after rounding.',
      suggestion: 'Compare the absolute difference with a tolerance.'
    },
    'binary_expression',
    (node) =>
      /^[!=]=$/.test(textOf(node.field('operator'))) &&
      [node.field('left'), node.field('right')].some(
        (side) => kindOf(side) === 'float_literal' && !/^0\.0+$/.test(textOf(side))
      )
  ),
  bug(
    'mutable-static',
    'warning',
    {
      sentence: 'static mut allows data races, because every thread can change it without synchronization.',
      suggestion: 'Use an atomic type, a Mutex or a OnceLock.'
    },
    'static_item',
    (node) => /^(?:pub(?:\([^)]*\))? )?static mut\b/.test(node.text())
  ),
  bug(
    'panic-in-result',
    'warning',
    {
      sentence: 'This function returns a Result, but panics instead of returning an error.',
      suggestion: 'Return an Err value.'
    },
    'macro_invocation',
    (node) =>
      textOf(node.field('macro')) === 'panic' &&
      !/^panic!\(\s*"(?:BUG|unreachable|impossible)/i.test(endsOf(node)) &&
      hasText(ancestor(node, functions)?.field('return_type') ?? null, /^(?:\w+::)*Result\b/)
  ),
  bug(
    'self-compare',
    'error',
    words.selfCompare,
    'binary_expression',
    (node) =>
      /^(?:==|!=|<|>|<=|>=)$/.test(textOf(node.field('operator'))) &&
      /^[\w.]+$/.test(textOf(node.field('left'))) &&
      textOf(node.field('left')) === textOf(node.field('right')) &&
      notANumber(node)
  ),
  bug(
    'unused-import',
    'warning',
    words.unusedImport,
    'use_declaration',
    (node, tree) => {
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
    neverUsed('imported', (node) => /(\w+);$/.exec(node.text())?.[1] ?? '')
  ),
  bug(
    'unused-variable',
    'warning',
    words.unused,
    'let_declaration',
    (node) => {
      const pattern = node.field('pattern')
      const name = textOf(pattern).replace(/^mut /, '')
      return kindOf(pattern) === 'identifier' && !name.startsWith('_') && scopeOf(node)?.words.get(name) === 1
    },
    neverUsed('declared', (node) => textOf(node.field('pattern')).replace(/^mut /, ''))
  )
]

/** A type of this code has a len and nothing to use in its place. */
const lacksIsEmpty = (text: string): boolean => text.includes('fn len') && !text.includes('fn is_empty')

export const rustStyleRules = [
  style(
    'needless-return',
    'info',
    {
      sentence: 'This return is unnecessary: the last expression of a function is its value.',
      suggestion: 'Remove the return keyword and the semicolon.'
    },
    'return_expression',
    (node) => {
      const statement = node.parent()
      const block = statement?.parent() ?? null
      return (
        kindOf(statement ?? null) === 'expression_statement' &&
        kindOf(block) === 'block' &&
        kindOf(block?.parent() ?? null) === 'function_item' &&
        following(statement!) === null
      )
    }
  ),
  style(
    'is-empty',
    'info',
    { sentence: 'Comparing len() with 0 is less clear than is_empty().', suggestion: 'Use is_empty().' },
    'binary_expression',
    (node, tree) =>
      /\.len\(\)\s*(?:==|>|!=)\s*0$|\.len\(\)\s*>=\s*1$/.test(node.text()) && !lacksIsEmpty(tree.source.text)
  ),
  style(
    'boolean-compare',
    'info',
    words.booleanCompare,
    'binary_expression',
    (node) =>
      /^[!=]=$/.test(textOf(node.field('operator'))) && /^(?:true|false)$/.test(textOf(node.field('right')))
  ),
  style(
    'function-name',
    'info',
    { sentence: 'Function names should be in snake_case.', suggestion: 'Rename the function to snake_case.' },
    'function_item',
    (node) => /[A-Z]/.test(textOf(node.field('name')))
  ),
  style(
    'type-name',
    'info',
    { sentence: 'Type names should be in UpperCamelCase.', suggestion: 'Rename the type to UpperCamelCase.' },
    ['struct_item', 'enum_item', 'trait_item'],
    (node) => /^[a-z]|_/.test(textOf(node.field('name')))
  ),
  style('else-after-return', 'info', words.elseReturn, 'if_expression', (node) => {
    const last = named(node.field('consequence')).at(-1)
    return hasText(last ?? null, /^return\b/) &&
      kindOf(node.parent()) === 'expression_statement' &&
      /^else\s*\{/.test(textOf(node.field('alternative')))
      ? node.field('alternative')!
      : false
  }),
  style(
    'parameters',
    'info',
    { ...words.parameters, suggestion: 'Group related parameters into a struct.' },
    'function_item',
    (node) => named(node.field('parameters')).length > 6
  ),
  style(
    'redundant-clone',
    'info',
    {
      sentence: 'This string literal is converted to a String only to borrow it.',
      suggestion: 'Pass the literal itself.'
    },
    'reference_expression',
    (node) => /^&"[^"]*"\.to_(?:string|owned)\(\)$|^&String::from\("[^"]*"\)$/.test(node.text())
  )
]
