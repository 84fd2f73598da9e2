import {
  ancestor,
  below,
  endsOf,
  following,
  hasText,
  isString,
  kindOf,
  literalOf,
  named,
  remember,
  textOf,
  unreachableAfter
} from '../../../tree/nodes.js'
import { addTo, countsIn, namesIn } from '../../../tree/scope.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { formatGo } from '../gofmt.js'
import { staysIn } from '../stays.js'
import { notANumber, neverUsed, treeRulesOf, words } from '../../../rules/tree-rules.js'
import { args, callee } from './security.js'

const performance = treeRulesOf('go', 'go', 'performance')
const bug = treeRulesOf('go', 'go', 'bugs')
const style = treeRulesOf('go', 'go', 'style')

const functions = ['function_declaration', 'method_declaration', 'func_literal']
const inLoop = remember((node: TreeNode) => ancestor(node, ['for_statement'], functions))

const handedOn = /\b\w+\b(?=[,})])/g

/** What a function says about the names in it, read once for all of them. */
const factsOf = remember((scope: TreeNode) => {
  const text = scope.text()
  return {
    texts: namesIn(text, /\b(\w+)\s*(?::=\s*["`]|=\s*"|\s+string\b)/g),
    made: namesIn(text, /\b(\w+)\s*=\s*\w/g),
    // A function that gets its address can assign it.
    addressed: namesIn(text, /&(\w+)\b/g),
    closed: namesIn(text, /\b(\w+)\.Close/g),
    bodiesClosed: namesIn(text, /\b(\w+)\.Body\.Close/g),
    unlocked: namesIn(text, /(?<![\w.])([\w.]+\.R?Unlock)/g),
    returned: new Set(
      Array.from(text.matchAll(/return([^\n]*)/g), ([, rest]) => [
        ...namesIn(rest!, /\b(\w+)\b(?!\.)/g)
      ]).flat()
    ),
    inLiterals: new Set(
      Array.from(text.matchAll(/\w\{([^}]*)/g), ([, rest]) => rest!.match(/\w+/g) ?? []).flat()
    ),
    handedOn: countsIn(text, handedOn),
    hasBareReturn: /\breturn\s*(?:\n|\})/.test(text)
  }
})

const scopeOf = remember((node: TreeNode) => {
  const scope = ancestor(node, functions)
  return scope === null ? null : { node: scope, ...factsOf(scope) }
})

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

/** Further on nobody looks for the end of a critical section. */
const maxLockedStatements = 100

function declaredNames(declaration: TreeNode): string[] {
  return named(declaration.field('left')).map((name) => name.text())
}

/** `n, _ := f()`; `_ = f()` and `_, _ = f()` say that nothing of the result matters. */
function dropsLast(declaration: TreeNode): boolean {
  const names = declaredNames(declaration)
  return (
    names.at(-1) === '_' &&
    (kindOf(declaration) === 'short_var_declaration' || names.some((name) => name !== '_'))
  )
}

function statementsOf(block: TreeNode | null): TreeNode[] {
  return named(block).flatMap((child) => (kindOf(child) === 'statement_list' ? named(child) : [child]))
}

function previous(node: TreeNode): TreeNode | null {
  let before = node.prev()
  while (before !== null && (!before.isNamed() || /comment/.test(kindOf(before)))) before = before.prev()
  return before
}

export const goPerformanceRules = [
  performance(
    'string-building-in-loop',
    'warning',
    { ...words.stringLoop, suggestion: 'Use a strings.Builder.' },
    'assignment_statement',
    (node) => {
      const name = endsOf(node.field('left'))
      const grows =
        /\+=/.test(textOf(node.field('operator'))) || endsOf(node.field('right')).startsWith(`${name} + `)
      return grows && inLoop(node) !== null && scopeOf(node)?.texts.has(name) === true
    }
  ),
  performance('query-in-loop', 'warning', words.queryLoop, 'call_expression', (node) => {
    if (
      !/\.(?:Query|QueryRow|QueryContext|QueryRowContext|ExecContext|Exec|First|Find)$/.test(callee(node)) ||
      !/^(?:\w+\.)?(?:db|tx|conn|pool|store|repo)\w*\./i.test(callee(node))
    ) {
      return false
    }
    return named(inLoop(node)).some(
      (part) => kindOf(part) === 'range_clause' || kindOf(part) === 'for_clause'
    )
  }),
  performance(
    'regex-in-loop',
    'warning',
    words.regexLoop,
    'call_expression',
    (node) =>
      /^regexp\.(?:MustCompile|Compile|MatchString)$/.test(callee(node)) &&
      inLoop(node) !== null &&
      isString(args(node)[0] ?? null)
  ),
  performance(
    'time-after-in-loop',
    'warning',
    {
      sentence:
        'time.After allocates a timer on every iteration; before Go 1.23 each one lives until it fires.',
      suggestion: 'Use one time.Ticker, or reset a time.Timer.'
    },
    'call_expression',
    (node) => callee(node) === 'time.After' && inLoop(node) !== null
  ),
  performance(
    'bytes-to-string',
    'info',
    {
      sentence: 'Two byte slices are converted to strings only to compare them.',
      suggestion: 'Compare them with bytes.Equal.'
    },
    'binary_expression',
    (node) =>
      /^(?:==|!=)$/.test(textOf(node.field('operator'))) &&
      [node.field('left'), node.field('right')].every((side) => hasText(side, /^string\(\w+\)$/))
  )
]

/**
 * What the statements after one do with a response: they write to it in any case, leave, or come to the end
 * of their block.
 */
function goesOn(statement: TreeNode, writer: string): 'writes' | 'leaves' | 'ends' {
  const writes = new RegExp(
    `^${writer}\\.(?:Write|WriteHeader|Header\\(\\)\\.Set)\\(|^(?:fmt\\.Fprint\\w*|io\\.WriteString|http\\.(?:Error|Redirect))\\(${writer},|^json\\.NewEncoder\\(${writer}\\)`
  )
  for (let next = following(statement); next !== null; next = following(next)) {
    if (kindOf(next) === 'expression_statement' && writes.test(next.text())) return 'writes'
    // A branch may leave as well; whether it does is not for us to say.
    if (kindOf(next) !== 'expression_statement' || /^(?:panic|os\.Exit|log\.Fatal\w*)\(/.test(next.text())) {
      return 'leaves'
    }
  }
  return 'ends'
}

/** Calls that are made for what they do, and whose only answer is whether they could. */
function doesAndFails(call: TreeNode): boolean {
  const called = callee(call)
  if (/^os\.Remove(?:All)?$/.test(called)) {
    // Where something failed already, or at the end of it all, there is nobody left to tell.
    const isCleanup =
      ancestor(call, ['func_literal'], ['function_declaration', 'method_declaration']) !== null ||
      hasText(ancestor(call, ['if_statement'], functions)?.field('condition') ?? null, /\berr/i)
    return !isCleanup
  }
  if (/^cmd\.(?:Run|Start)$/.test(called)) return args(call).length === 0
  return (
    /^os\.(?:Mkdir|Chmod|Chown|Chdir|Symlink|Truncate)$/.test(called) ||
    /^(?:\w+\.)?(?:db|tx|conn|stmt|pool)\.Exec(?:Context)?$/i.test(called) ||
    /^exec\.Command(?:Context)?\([\s\S]*\)\.(?:Run|Start)$/.test(called)
  )
}

/** The argument of a call that is a duration. */
function durationOf(call: TreeNode): TreeNode | null {
  if (callee(call) === 'context.WithTimeout') return args(call)[1] ?? null
  return /^time\.(?:Sleep|After|NewTimer|Tick|NewTicker)$/.test(callee(call)) ? (args(call)[0] ?? null) : null
}

/** The value of a timeout in a client, a server or a dialer of the standard library. */
function timeoutOf(element: TreeNode): TreeNode | null {
  const literal = ancestor(element, ['composite_literal'])
  const [key, value] = named(element)
  return hasText(literal?.field('type') ?? null, /^(?:http\.(?:Client|Server|Transport)|net\.Dialer)$/) &&
    hasText(key ?? null, /Timeout$/)
    ? (value ?? null)
    : null
}

/** Whether a call is a statement of a goroutine's function, and nothing before it there mentions the name. */
function startsGoroutine(call: TreeNode, name: string): boolean {
  const body = ancestor(call, ['block'], functions)
  const starter = body?.parent()?.parent() ?? null
  if (
    kindOf(body?.parent() ?? null) !== 'func_literal' ||
    kindOf(starter?.parent() ?? null) !== 'go_statement'
  ) {
    return false
  }
  const mentions = new RegExp(`\\b${name}\\b`)
  const first = statementsOf(body).find((statement) => mentions.test(statement.text()))
  return first !== undefined && named(first)[0]?.id() === call.id()
}

export const goBugRules = [
  bug(
    'swallowed-error',
    'warning',
    { ...words.swallowed, sentence: 'This if statement ignores the error, so a failure looks like success.' },
    'if_statement',
    (node) =>
      hasText(node.field('condition'), /\berr\w*\s*!=\s*nil$/) &&
      statementsOf(node.field('consequence')).length === 0
  ),
  bug(
    'ignored-error',
    'warning',
    {
      sentence: 'The error returned by this call is not checked.',
      suggestion: 'Check the error, or return it.'
    },
    ['expression_statement', 'short_var_declaration', 'assignment_statement'],
    (node) => {
      const call = kindOf(node) === 'expression_statement' ? named(node)[0] : named(node.field('right'))[0]
      if (call === undefined || kindOf(call) !== 'call_expression') return false
      const isStatement = kindOf(node) === 'expression_statement'
      const fails =
        (isStatement && doesAndFails(call)) ||
        /^(?:json\.(?:Unmarshal|Marshal)|strconv\.(?:Atoi|Parse\w+)|os\.(?:Open|ReadFile|WriteFile|MkdirAll|Rename)|http\.(?:Get|Post|NewRequest)|time\.Parse|url\.Parse|io\.ReadAll|xml\.Unmarshal)$|\.(?:Scan|Commit|Decode)$/.test(
          callee(call)
        )
      // A request for a fixed address cannot fail.
      if (callee(call) === 'http.NewRequest' && isString(args(call)[1] ?? null)) return false
      // `if on, _ := parse(x); on` asks for the value only.
      return fails && (isStatement || (dropsLast(node) && kindOf(node.parent()) !== 'if_statement'))
    }
  ),
  bug(
    'http-error-without-return',
    'error',
    {
      sentence: 'The handler continues after http.Error and writes a second response.',
      suggestion: 'Add a return after http.Error.'
    },
    'expression_statement',
    (node) => {
      const writer = /^http\.Error\((\w+),/.exec(node.text())?.[1]
      if (writer === undefined) return false
      const block = ancestor(node, ['block'], functions)
      const owner = block?.parent() ?? null
      // What an if without an else leaves goes on behind it.
      const isBranch =
        kindOf(owner) === 'if_statement' &&
        owner!.field('alternative') === null &&
        owner!.parent() !== null &&
        kindOf(owner!.parent()) !== 'if_statement'
      const after = goesOn(node, writer)
      return after === 'writes' || (after === 'ends' && isBranch && goesOn(owner!, writer) === 'writes')
    },
    { only: /http\.Error\(/ }
  ),
  bug(
    'unreachable',
    'warning',
    words.unreachable,
    ['return_statement', 'break_statement', 'continue_statement', 'expression_statement'],
    (node) => {
      if (
        kindOf(node) === 'expression_statement' &&
        !/^(?:panic|os\.Exit|log\.Fatal\w*)\(/.test(node.text())
      ) {
        return false
      }
      return unreachableAfter(node, /^(?:labeled_statement|expression_case|default_case)$/)
    }
  ),
  bug(
    'off-by-one',
    'error',
    { ...words.offByOne, suggestion: 'Use i < len(s) as the loop condition.' },
    'for_clause',
    (node) => {
      const match = /^(\w+)\s*<=\s*len\(([\w.]+)\)$/.exec(textOf(node.field('condition')))
      return match !== null && textOf(node.parent()).includes(`${match[2]}[${match[1]}]`)
    }
  ),
  bug(
    'resource-leak',
    'warning',
    { ...words.leak, suggestion: 'Add defer x.Close() after the error check.' },
    'short_var_declaration',
    (node, { source }) => {
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
  ),
  bug(
    'defer-in-loop',
    'warning',
    {
      sentence: 'Deferred calls in a loop run only when the function returns, so resources pile up.',
      suggestion: 'Move the loop body into a function, or close the resource without defer.'
    },
    'defer_statement',
    (node) => inLoop(node) !== null
  ),
  bug(
    'lock-without-unlock',
    'warning',
    {
      sentence: 'This mutex is locked but never unlocked in this function.',
      suggestion: 'Add defer mu.Unlock() after the Lock call.'
    },
    'expression_statement',
    (node) => {
      const match = /^([\w.]+)\.(R?)Lock\(\)$/.exec(endsOf(node))
      return match !== null && scopeOf(node)?.unlocked.has(`${match[1]}.${match[2]}Unlock`) !== true
    }
  ),
  bug(
    'unlock-without-defer',
    'warning',
    {
      sentence: 'A return between Lock and Unlock leaves the mutex locked.',
      suggestion: 'Add defer mu.Unlock() after the Lock call.'
    },
    'expression_statement',
    (node) => {
      const match = /^([\w.]+)\.(R?)Lock\(\)$/.exec(endsOf(node))
      if (match === null || scopeOf(node)?.unlocked.has(`${match[1]}.${match[2]}Unlock`) !== true) {
        return false
      }
      const unlock = `${match[1]}.${match[2]}Unlock()`
      let next = following(node)
      let hasReturn = false
      for (let steps = 0; next !== null && next.text() !== unlock; next = following(next)) {
        if (++steps > maxLockedStatements) return false
        if (next.text().startsWith('defer ')) return false
        // A branch that unlocks before it returns is right, if hard to read.
        hasReturn ||= /\breturn\b/.test(next.text()) && !next.text().includes(unlock)
      }
      return next !== null && hasReturn
    }
  ),
  bug(
    'nil-map-write',
    'error',
    {
      sentence: 'Assignment to an entry in a nil map panics.',
      suggestion: 'Initialize the map with make first.'
    },
    'var_spec',
    (node, tree) => {
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
  ),
  bug(
    'defer-before-check',
    'error',
    {
      sentence:
        'Close is deferred before the error check; on failure the value is nil and the deferred call can panic.',
      suggestion: 'Check the error first, then defer Close.'
    },
    'defer_statement',
    (node) => {
      const name = /^defer (\w+)\.(?:Body\.)?Close\(\)$/.exec(node.text())?.[1]
      // Nothing stands between the call and the defer, so nothing asked for the error.
      return name !== undefined && new RegExp(`^${name}, err :?= `).test(endsOf(previous(node)))
    }
  ),
  bug(
    'printf-arguments',
    'error',
    {
      sentence: 'The number of arguments does not match the verbs in the format string.',
      suggestion: 'Pass one argument for each verb.'
    },
    'call_expression',
    (node) => {
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
        kindOf(list.at(-1) ?? null) === 'variadic_argument'
      ) {
        return false
      }
      const text = literalOf(format).replace(/%%/g, '')
      return (
        !/[*[]/.test(text) &&
        (text.match(/%[-+# 0]*\d*(?:\.\d*)?[a-zA-Z]/g) ?? []).length !== list.length - at - 1
      )
    }
  ),
  bug(
    'sleep-without-unit',
    'error',
    {
      sentence: 'A time.Duration without a unit is in nanoseconds.',
      suggestion: 'Multiply by a unit, such as 5 * time.Second.'
    },
    ['call_expression', 'keyed_element'],
    (node) => {
      const timeout = kindOf(node) === 'keyed_element' ? timeoutOf(node) : durationOf(node)
      return /^[1-9]\d*$/.test(textOf(timeout))
    }
  ),
  bug(
    'error-compare',
    'info',
    {
      sentence: 'Comparing errors with == or != fails on wrapped errors.',
      suggestion: 'Use errors.Is instead.'
    },
    'binary_expression',
    (node) => /^err\s*[!=]=\s*(?:\w+\.)?(?:Err[A-Z]\w*|EOF)$/.test(node.text())
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
    'add-in-goroutine',
    'error',
    {
      sentence: 'WaitGroup.Add runs inside the goroutine, so Wait may return before it.',
      suggestion: 'Call Add before the go statement.'
    },
    'call_expression',
    (node, { source }) => {
      const group = /^(?:\w+\.)*(\w+)\.Add$/.exec(callee(node))?.[1]
      return (
        group !== undefined &&
        startsGoroutine(node, group) &&
        new RegExp(`\\b${group}\\b[^\\n]*\\bsync\\.WaitGroup\\b`).test(source.text)
      )
    },
    { only: /\bsync\.WaitGroup\b/ }
  ),
  bug(
    'unused-import',
    'warning',
    words.unusedImport,
    'import_spec',
    (node, tree) => {
      const path = literalOf(node.field('path'))
      const alias = textOf(node.field('name'))
      if (alias === '_' || alias === '.') return false
      const name =
        alias !== ''
          ? alias
          : path
              .replace(/\/v\d+$/, '')
              .split('/')
              .at(-1)!
              .replace(/^go-|\.go$|\.v\d+$/g, '')
              .replace(/-/g, '')
      return (
        !selectedFrom(tree).has(name.replace(/\W/g, '')) &&
        (alias !== '' || !/[-.]/.test(path.split('/').at(-1)!))
      )
    },
    neverUsed('imported', (node) => textOf(node.field('name')) || literalOf(node.field('path')))
  ),
  bug(
    'shadowed-error',
    'info',
    {
      sentence: 'This err shadows the named result, so the bare return does not return it.',
      suggestion: 'Use = instead of :=.'
    },
    'short_var_declaration',
    (node) => {
      if (!declaredNames(node).includes('err')) return false
      const scope = scopeOf(node)
      // Named results are what a bare return gives back; a new err in an inner block never reaches them.
      return (
        scope?.hasBareReturn === true &&
        hasText(scope.node.field('result'), /\berr error\b/) &&
        kindOf(node.parent()) === 'statement_list' &&
        kindOf(node.parent()?.parent()?.parent() ?? null) !== kindOf(scope.node)
      )
    }
  )
]

/** The first line of a text that another one has otherwise; false where they are the same. */
function firstDifference(text: string, other: string): number | false {
  const lines = text.split('\n')
  const others = other.split('\n')
  const at = lines.findIndex((line, index) => line !== others[index])
  return at === -1 ? others.length > lines.length && lines.length : at + 1
}

export const goStyleRules = [
  style('else-after-return', 'info', words.elseReturn, 'if_statement', (node) => {
    const last = statementsOf(node.field('consequence')).at(-1)
    const alternative = node.field('alternative')
    return kindOf(last ?? null) === 'return_statement' &&
      kindOf(alternative) === 'block' &&
      kindOf(node.parent()) !== 'if_statement' &&
      kindOf(node.field('initializer')) === ''
      ? alternative
      : false
  }),
  style(
    'boolean-compare',
    'info',
    words.booleanCompare,
    'binary_expression',
    (node) =>
      /^(?:==|!=)$/.test(textOf(node.field('operator'))) &&
      /^(?:true|false)$/.test(textOf(node.field('right')))
  ),
  style(
    'error-text',
    'info',
    {
      sentence: 'Error strings should not be capitalized or end with punctuation or a newline.',
      suggestion: 'Start the error string in lower case, and remove the final punctuation.'
    },
    'call_expression',
    (node) => {
      const text = literalOf(args(node)[0] ?? null)
      return (
        /^(?:errors\.New|fmt\.Errorf)$/.test(callee(node)) &&
        isString(args(node)[0] ?? null) &&
        (/^[A-Z][a-z]/.test(text) || /[.!\n]$/.test(text))
      )
    }
  ),
  style(
    'underscore-name',
    'info',
    { sentence: 'Go names use mixedCaps, not underscores.', suggestion: 'Rename it to mixedCaps.' },
    ['function_declaration', 'method_declaration', 'type_spec'],
    (node) =>
      /^[a-zA-Z]+_\w/.test(textOf(node.field('name'))) &&
      !/^(?:Test|Benchmark|Example|Fuzz)/.test(textOf(node.field('name')))
  ),
  style(
    'errors-sprintf',
    'info',
    {
      sentence: 'errors.New(fmt.Sprintf(...)) can be replaced by fmt.Errorf(...).',
      suggestion: 'Use fmt.Errorf instead.'
    },
    'call_expression',
    (node) => callee(node) === 'errors.New' && hasText(args(node)[0] ?? null, /^fmt\.Sprintf\(/)
  ),
  style(
    'parameters',
    'info',
    { ...words.parameters, suggestion: 'Group related parameters into a struct.' },
    ['function_declaration', 'method_declaration'],
    (node) =>
      below(node.field('parameters')!, 'parameter_declaration').reduce(
        (count, each) =>
          count + Math.max(1, each.children().filter((part) => kindOf(part) === 'identifier').length),
        0
      ) > 6
  ),
  style(
    'formatting',
    'info',
    { sentence: 'This file is not formatted with gofmt.', suggestion: 'Run gofmt -w on the file.' },
    'source_file',
    (_node, tree) => {
      const formatted = formatGo(tree.source.text)
      return formatted === null
        ? false
        : firstDifference(tree.source.text.replace(/\r/g, '').trimEnd(), formatted.trimEnd())
    }
  )
]
