import { args, callee } from '../../../tree/calls.js'
import {
  ancestor,
  below,
  endsOf,
  hasText,
  kindOf,
  literalOf,
  named,
  textOf,
  unreachableAfter
} from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import { namesIn } from '../../../tree/scope.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'

const security = treeRulesOf('py', 'python', 'security')

const bug = treeRulesOf('py', 'python', 'bugs')

export const inLoop = remember((node: TreeNode) =>
  ancestor(node, ['for_statement', 'while_statement'], ['function_definition', 'lambda'])
)

function keyword(call: TreeNode, key: string): string {
  return textOf(
    args(call)
      .find((each) => kindOf(each) === 'keyword_argument' && textOf(each.field('name')) === key)
      ?.field('value')
  )
}

export function isDynamicText(node: TreeNode | undefined): boolean {
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
export const factsOf = remember((scope: TreeNode) => {
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

const leavesEarly = remember((loop: TreeNode): boolean => hasText(loop.field('body'), /\b(?:break|return)\b/))

export const pythonSecurityRules = [
  security.warning('permissive-cors', {
    ...words.cors,
    kinds: ['call', 'assignment'],
    when: (node) => {
      if (kindOf(node) === 'assignment') {
        return /^CORS_(?:ALLOW_ALL_ORIGINS|ORIGIN_ALLOW_ALL)$/.test(textOf(node.field('left')))
          ? textOf(node.field('right')) === 'True'
          : /\[["']Access-Control-Allow-Origin["']\]$/.test(textOf(node.field('left'))) &&
              literalOf(node.field('right')) === '*'
      }
      if (callee(node) === 'CORS') {
        return (
          (args(node).length === 1 && !/=/.test(textOf(args(node)[0]))) ||
          /^["']\*["']$|^\[["']\*["']\]$/.test(keyword(node, 'origins'))
        )
      }
      return (
        /add_middleware$/.test(callee(node)) && /^\[\s*["']\*["']\s*\]$/.test(keyword(node, 'allow_origins'))
      )
    },
    only: /CORS|Access-Control|allow_origins/
  }),
  security.warning('insecure-random', {
    sentence: 'The random module is predictable, so a secret made with it can be guessed.',
    suggestion: 'Use the secrets module, for example secrets.token_urlsafe().',
    kinds: 'call',
    when: (node, tree) => {
      const [, module, name] = randomCall.exec(callee(node)) ?? []
      if (name === undefined || (module === undefined && !randomImports(tree).has(name))) return false
      const owner =
        textOf(ancestor(node, ['function_definition'])?.field('name')) +
        textOf(ancestor(node, ['assignment'])?.field('left'))
      return /token|secret|password|session|nonce|otp|salt|api_key/i.test(owner)
    },
    only: /\brandom\b/
  }),
  security.error('unsafe-deserialization', {
    sentence: 'joblib.load() and torch.load() unpickle the file, which can run any code.',
    suggestion:
      'Pass weights_only=True to torch.load(), or use a format without code, such as safetensors or ONNX.',
    calls: /^(?:joblib\.load|torch\.load)$/,
    when: (node) => keyword(node, 'weights_only') !== 'True'
  })
]

const answers = /^return(?: (?:True|False|None))?$/

export const pythonBugRules = [
  bug.error('return-in-loop', {
    sentence: 'Both branches return, so the loop ends in its first iteration.',
    suggestion: 'Move the last return after the loop.',
    kinds: 'for_statement',
    when: (node) => {
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
  }),
  bug.warning('unreachable', {
    ...words.unreachable,
    kinds: ['return_statement', 'raise_statement', 'break_statement', 'continue_statement'],
    when: (node) => unreachableAfter(node, /^$/)
  }),
  bug.error('off-by-one', {
    sentence: 'The last index is out of range: range(len(x) + 1) runs one step past the end.',
    suggestion: 'Use range(len(x)), or iterate over the elements.',
    kinds: 'for_statement',
    when: (node) => {
      const match = /^range\((?:\d+,\s*)?len\((\w+)\)\s*\+\s*1\)$/.exec(textOf(node.field('right')))
      return (
        match !== null && textOf(node.field('body')).includes(`${match[1]}[${textOf(node.field('left'))}]`)
      )
    }
  }),
  bug.error('change-while-iterating', {
    sentence:
      'The loop changes the list or dict that it iterates over, so it skips elements or raises a RuntimeError.',
    suggestion: 'Iterate over a copy (`for x in list(items)`), or build a new collection.',
    kinds: ['call', 'delete_statement'],
    // A loop does visit what is appended: that is how a list of work is written.
    when: (node) => {
      const match =
        kindOf(node) === 'call'
          ? /^(\w+)\.(?:remove|pop|insert|popitem)$/.exec(callee(node))
          : /^del (\w+)\[/.exec(endsOf(node))
      const loop = match === null ? null : inLoop(node)
      return (
        match !== null &&
        kindOf(loop) === 'for_statement' &&
        textOf(loop!.field('right')).replace(/\.(?:items|keys|values)\(\)$/, '') === match[1] &&
        !leavesEarly(loop!)
      )
    }
  }),
  bug.warning('unawaited-coroutine', {
    sentence: 'The coroutine is created but never awaited, so it does not run.',
    suggestion: 'Put `await` before the call.',
    kinds: 'expression_statement',
    when: (node, tree) => {
      const call = node.child(0) ?? undefined
      if (call === undefined || kindOf(call) !== 'call' || !/^\w+$/.test(callee(call))) {
        return callee(call ?? node) === 'asyncio.sleep'
      }
      return coroutines(tree).has(callee(call))
    },
    only: /\basync\b/
  }),
  bug.warning('resource-leak', {
    sentence: 'The connection or socket is never closed.',
    suggestion: 'Use a with statement, or contextlib.closing().',
    kinds: 'assignment',
    when: (node) => {
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
    only: /\.connect\(|socket\.socket\(/
  })
]
