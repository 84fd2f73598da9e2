import { isCatastrophicRegex } from '../../../text/regex-danger.js'
import {
  ancestor,
  below,
  endsOf,
  hasText,
  kindOf,
  literalOf,
  named,
  remember,
  textOf,
  unreachableAfter
} from '../../../tree/nodes.js'
import { addTo, namesIn } from '../../../tree/scope.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'

const security = treeRulesOf('py', 'python', 'security')
const performance = treeRulesOf('py', 'python', 'performance')
const bug = treeRulesOf('py', 'python', 'bugs')

const callee = remember((call: TreeNode): string => endsOf(call.field('function')))
const args = remember((call: TreeNode): TreeNode[] => named(call.field('arguments')))
const inLoop = remember((node: TreeNode) =>
  ancestor(node, ['for_statement', 'while_statement'], ['function_definition', 'lambda'])
)

function keyword(call: TreeNode, key: string): string {
  return textOf(
    args(call)
      .find((each) => kindOf(each) === 'keyword_argument' && textOf(each.field('name')) === key)
      ?.field('value') ?? null
  )
}

function isDynamicText(node: TreeNode | undefined): boolean {
  return (
    node !== undefined &&
    (below(node, 'interpolation').length > 0 ||
      kindOf(node) === 'binary_operator' ||
      /\.format\(/.test(node.text()))
  )
}

/** Names of the async functions of this code. */
const coroutines = remember((tree: Tree) => namesIn(tree.source.text, /^[ \t]*async def (\w+)/gm))

const randomCall = /^(random\.)?(choice|choices|randint|random|randrange|sample|getrandbits)$/

/** Names that are imported from the module `random`. */
const randomImports = remember(
  (tree: Tree) =>
    new Set(
      [...tree.source.text.matchAll(/^[ \t]*from random import \(?([\w\s,]+)/gm)].flatMap(([, names]) =>
        names!.split(/[\s,]+/)
      )
    )
)

/** What a function says about the names in it, read once for all of them. */
const factsOf = remember((scope: TreeNode) => {
  const text = scope.text()
  return {
    lists: namesIn(text, /\b(\w+)\s*(?::\s*(?:list|List)\b|=\s*(?:list\(|\[[^\]]{0,200} for ))/g),
    released: handedOn(text),
    closed: namesIn(text, /\b(\w+)\.close\(\)/g)
  }
})

/** Names that something else may close: returned, kept in `self`, passed to a call, or in a `with` statement. */
function handedOn(text: string): Set<string> {
  const places = text.matchAll(/(?:\b(?:return|yield|with)\b|\bself\.\w+\s*=)([^\n]*)/g)
  const names = [...places].flatMap(([, rest]) => rest!.match(/\b\w+\b(?!\s*[.([])/g) ?? [])
  const passed = [...text.matchAll(/[(,=]\s*(\w+)\s*(?=[,)])/g)].map(([, name]) => name!)
  return new Set([...names, ...passed])
}

const appendedIn = remember((loop: TreeNode) => namesIn(loop.text(), /\b(\w+)\.append/g))
const leavesEarly = remember((loop: TreeNode): boolean => hasText(loop.field('body'), /\b(?:break|return)\b/))

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

export const pythonSecurityRules = [
  security(
    'permissive-cors',
    'warning',
    words.cors,
    ['call', 'assignment'],
    (node) => {
      if (kindOf(node) === 'assignment') {
        return /^CORS_(?:ALLOW_ALL_ORIGINS|ORIGIN_ALLOW_ALL)$/.test(textOf(node.field('left')))
          ? textOf(node.field('right')) === 'True'
          : /\[["']Access-Control-Allow-Origin["']\]$/.test(textOf(node.field('left'))) &&
              literalOf(node.field('right')) === '*'
      }
      if (callee(node) === 'CORS') {
        return (
          (args(node).length === 1 && !/=/.test(textOf(args(node)[0] ?? null))) ||
          /^["']\*["']$|^\[["']\*["']\]$/.test(keyword(node, 'origins'))
        )
      }
      return (
        /add_middleware$/.test(callee(node)) && /^\[\s*["']\*["']\s*\]$/.test(keyword(node, 'allow_origins'))
      )
    },
    { only: /CORS|Access-Control|allow_origins/ }
  ),
  security(
    'insecure-random',
    'warning',
    {
      sentence: 'The random module is predictable, so a secret made with it can be guessed.',
      suggestion: 'Use the secrets module, for example secrets.token_urlsafe().'
    },
    'call',
    (node, tree) => {
      const [, module, name] = randomCall.exec(callee(node)) ?? []
      if (name === undefined || (module === undefined && !randomImports(tree).has(name))) return false
      const owner =
        textOf(ancestor(node, ['function_definition'])?.field('name') ?? null) +
        textOf(ancestor(node, ['assignment'])?.field('left') ?? null)
      return /token|secret|password|session|nonce|otp|salt|api_key/i.test(owner)
    },
    { only: /\brandom\b/ }
  ),
  security(
    'unsafe-deserialization',
    'error',
    {
      sentence: 'joblib.load() and torch.load() unpickle the file, which can run any code.',
      suggestion:
        'Pass weights_only=True to torch.load(), or use a format without code, such as safetensors or ONNX.'
    },
    'call',
    (node) =>
      // Ruff finds pickle, dill, shelve and jsonpickle (py/suspicious-pickle-usage).
      /^(?:joblib\.load|torch\.load)$/.test(callee(node)) && keyword(node, 'weights_only') !== 'True'
  )
]

export const pythonPerformanceRules = [
  performance(
    'string-building-in-loop',
    'info',
    { ...words.stringLoop, suggestion: "Collect the parts in a list and join them with ''.join()." },
    'augmented_assignment',
    (node, tree) => {
      const places = texts(tree).get(textOf(node.field('left')))
      if (places === undefined || inLoop(node) === null || !/\+=/.test(textOf(node.field('operator')))) {
        return false
      }
      const { start, end } = ancestor(node, ['function_definition', 'module'])!.range()
      return places.some((place) => place >= start.index && place < end.index)
    }
  ),
  performance('query-in-loop', 'warning', words.queryLoop, 'call', (node) => {
    if (
      !/(?:cur|cursor|conn|db|session|connection)\w*\.(?:execute|query|get|scalar|fetchrow|fetch)$|\.objects\.(?:get|filter)$/.test(
        callee(node)
      )
    ) {
      return false
    }
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
      !/insert|update/i.test(textOf(args(node)[0] ?? null).slice(0, 20)) &&
      named(loop!.field('left'))
        .concat(loop!.field('left')!)
        .some((each) => new RegExp(`\\b${each.text()}\\b`).test(textOf(node.field('arguments'))))
    )
  }),
  performance(
    'lookup-in-loop',
    'info',
    {
      sentence: '`in` on a list scans the list on every iteration of the loop, which takes quadratic time.',
      suggestion: 'Convert the list to a set before the loop.'
    },
    'comparison_operator',
    (node) => {
      const list = named(node)[1]
      if (list === undefined || kindOf(list) !== 'identifier' || !/ (?:not )?in /.test(endsOf(node))) {
        return false
      }
      const loop = inLoop(node)
      const scope = loop === null ? null : ancestor(node, ['function_definition'])
      return scope !== null && factsOf(scope).lists.has(list.text()) && !appendedIn(loop!).has(list.text())
    }
  ),
  performance(
    'regex-in-loop',
    'info',
    {
      sentence: 're.compile() compiles the same pattern on every iteration of the loop.',
      suggestion: 'Compile the pattern once, before the loop.'
    },
    'call',
    (node) =>
      callee(node) === 're.compile' &&
      inLoop(node) !== null &&
      kindOf(args(node)[0] ?? null) === 'string' &&
      !isDynamicText(args(node)[0])
  ),
  security(
    'catastrophic-regex',
    'warning',
    words.regex,
    'call',
    (node) =>
      /^re\.(?:compile|match|search|fullmatch|sub|findall|split|finditer)$/.test(callee(node)) &&
      kindOf(args(node)[0] ?? null) === 'string' &&
      isCatastrophicRegex(literalOf(args(node)[0] ?? null) + (callee(node) === 're.fullmatch' ? '$' : ''))
  ),
  performance(
    'insert-front-in-loop',
    'info',
    {
      sentence: 'insert(0, …) and pop(0) move all elements of the list on every iteration.',
      suggestion: 'Use collections.deque with appendleft() and popleft(), or append and reverse once.'
    },
    'call',
    (node) =>
      /\.(?:insert|pop)$/.test(callee(node)) && textOf(args(node)[0] ?? null) === '0' && inLoop(node) !== null
  )
]

const answers = /^return(?: (?:True|False|None))?$/

export const pythonBugRules = [
  bug(
    'return-in-loop',
    'error',
    {
      sentence: 'Both branches return, so the loop ends in its first iteration.',
      suggestion: 'Move the last return after the loop.'
    },
    'for_statement',
    (node) => {
      const statements = named(node.field('body'))
      const last = statements.at(-1)
      if (
        last === undefined ||
        node.field('alternative') !== null ||
        !answers.test(last.text()) ||
        /\b(?:continue|yield)\b/.test(node.text())
      ) {
        return false
      }
      const others = statements
        .slice(0, -1)
        .filter((each) => kindOf(each) === 'if_statement')
        .flatMap((each) => below(each, 'return_statement'))
      return others.some((each) => answers.test(each.text()) && each.text() !== last.text()) ? last : false
    }
  ),
  bug(
    'unreachable',
    'warning',
    words.unreachable,
    ['return_statement', 'raise_statement', 'break_statement', 'continue_statement'],
    (node) => unreachableAfter(node, /^$/)
  ),
  bug(
    'off-by-one',
    'error',
    {
      sentence: 'The last index is out of range: range(len(x) + 1) runs one step past the end.',
      suggestion: 'Use range(len(x)), or iterate over the elements.'
    },
    'for_statement',
    (node) => {
      const match = /^range\((?:\d+,\s*)?len\((\w+)\)\s*\+\s*1\)$/.exec(textOf(node.field('right')))
      return (
        match !== null && textOf(node.field('body')).includes(`${match[1]}[${textOf(node.field('left'))}]`)
      )
    }
  ),
  bug(
    'change-while-iterating',
    'error',
    {
      sentence: 'The loop changes the list that it iterates over, so it skips or repeats elements.',
      suggestion: 'Iterate over a copy (`for x in items[:]`), or build a new list.'
    },
    'call',
    (node) => {
      const match = /^(\w+)\.(?:remove|pop|append|insert)$/.exec(callee(node))
      const loop = match === null ? null : inLoop(node)
      return (
        match !== null &&
        kindOf(loop) === 'for_statement' &&
        textOf(loop!.field('right')) === match[1] &&
        !leavesEarly(loop!)
      )
    }
  ),
  bug(
    'unawaited-coroutine',
    'warning',
    {
      sentence: 'The coroutine is created but never awaited, so it does not run.',
      suggestion: 'Put `await` before the call.'
    },
    'expression_statement',
    (node, tree) => {
      const call = node.child(0) ?? undefined
      if (call === undefined || kindOf(call) !== 'call' || !/^\w+$/.test(callee(call))) {
        return callee(call ?? node) === 'asyncio.sleep'
      }
      return coroutines(tree).has(callee(call))
    },
    { only: /\basync\b/ }
  ),
  bug(
    'resource-leak',
    'warning',
    {
      sentence: 'The connection or socket is never closed.',
      suggestion: 'Use a with statement, or contextlib.closing().'
    },
    'assignment',
    (node) => {
      if (
        !hasText(
          node.field('right'),
          /^(?:sqlite3\.connect|psycopg2?\.connect|socket\.socket|pymysql\.connect)\(/
        )
      ) {
        return false
      }
      // An object closes its own fields later.
      if (kindOf(node.field('left')) !== 'identifier') return false
      const name = textOf(node.field('left'))
      const scope = ancestor(node, ['function_definition'])
      return scope !== null && !factsOf(scope).closed.has(name) && !factsOf(scope).released.has(name)
    },
    { only: /\.connect\(|socket\.socket\(/ }
  )
]
