import { isCatastrophicRegex } from '../../../text/regex-danger.js'
import {
  ancestor,
  below,
  endsOf,
  hasText,
  isString,
  kindOf,
  literalOf,
  named,
  remember,
  textOf,
  unreachableAfter
} from '../../../tree/nodes.js'
import { countsIn, namesIn, wordCounts } from '../../../tree/scope.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { notANumber, neverUsed, treeRulesOf, words } from '../../../rules/tree-rules.js'
import { args, method, receiver } from './security.js'

const security = treeRulesOf('java', 'java', 'security')
const performance = treeRulesOf('java', 'java', 'performance')
const bug = treeRulesOf('java', 'java', 'bugs')
const style = treeRulesOf('java', 'java', 'style')

const methods = ['method_declaration', 'constructor_declaration', 'lambda_expression', 'class_body']
const inLoop = remember((node: TreeNode) =>
  ancestor(node, ['for_statement', 'enhanced_for_statement', 'while_statement', 'do_statement'], methods)
)

/** Whether a lambda around a node runs for every element of a stream or a collection. */
function inStream(node: TreeNode): boolean {
  const call = ancestor(node, ['lambda_expression'], methods.slice(0, 2))?.parent()?.parent() ?? null
  return (
    kindOf(call) === 'method_invocation' &&
    (method(call!) === 'forEach' ||
      (/^(?:map|flatMap|filter|mapTo\w+|peek)$/.test(method(call!)) && /\bstream\(\)/i.test(receiver(call!))))
  )
}

/** Source literals double their backslashes. */
function patternOf(node: TreeNode | null): string {
  return literalOf(node).replace(/\\\\/g, '\\')
}

/** The last statement of a case that runs on into the next one. */
function fallsThrough(group: TreeNode): TreeNode | false {
  const last = named(group)
    .filter((each) => kindOf(each) !== 'switch_label')
    .at(-1)
  return last !== undefined &&
    kindOf(nextGroup(group)) === 'switch_block_statement_group' &&
    !/\b(?:break|return|throw|continue|yield)\b[^;]*;[\s}]*$/.test(last.text().slice(-200))
    ? last
    : false
}

/** The grammar puts a comment before a label sometimes into the group and sometimes behind it. */
function nextGroup(group: TreeNode): TreeNode | null {
  let next = group.next()
  while (next !== null && /comment/.test(kindOf(next))) next = next.next()
  return next
}

function saysFallThrough(group: TreeNode): boolean {
  const comments = [group.children().at(-1) ?? null, group.next()]
  return comments.some((each) => /comment/.test(kindOf(each)) && /\bfalls?[ -]?through\b/i.test(textOf(each)))
}

const strings = /\bString\s+(\w+)\b/g
const notSelected = /(?<![\w.])\w+/g

/** Names that a method gives away or closes itself, statement by statement. */
function released(text: string): ReadonlySet<string> {
  const passed = text.split(';').flatMap((statement) => {
    const at = statement.search(/return|new \w/)
    return at === -1 ? [] : [...namesIn(statement.slice(at), /\((\w+)\b/g)]
  })
  const last = text.indexOf('finally')
  return new Set([
    ...passed,
    ...namesIn(text, /return (\w+)\s*(?:;|\.onClose\()/g),
    ...namesIn(text, /try\s*\(\s*(\w+)/g),
    ...namesIn(text, /\bthis\.\w+\s*=\s*(\w+)\s*;/g),
    ...(last === -1 ? [] : namesIn(text.slice(last), /\b(\w+)\.close/g))
  ])
}

/** Names declared as boxed numbers and as nothing else. */
function boxedIn(text: string): ReadonlySet<string> {
  const declarations = [...text.matchAll(/\b(\w+)\s+(\w+)\s*[=,;:)]/g)].filter(
    ([, type]) => type !== 'return'
  )
  // `Integer a = 1, b = 2;` declares two.
  const listed = Array.from(
    text.matchAll(/\b(?:Integer|Long|Short|Byte|Double|Float|Character)\s+\w+[^;(){},]*,([^;(){}]*);/g),
    ([, rest = '']) => [...namesIn(`,${rest}`, /,\s*(\w+)/g)]
  ).flat()
  const isBoxed = (type = ''): boolean => /^(?:Integer|Long|Short|Byte|Double|Float|Character)$/.test(type)
  const others = new Set(declarations.filter(([, type]) => !isBoxed(type)).map(([, , name = '']) => name))
  const boxed = declarations.filter(([, type]) => isBoxed(type)).map(([, , name = '']) => name)
  return new Set([...boxed, ...listed].filter((name) => !others.has(name)))
}

/** What a method says about the names in it, read once for all of them. */
const factsOf = remember((scope: TreeNode) => {
  const text = scope.text()
  return {
    strings: namesIn(text, strings),
    declared: namesIn(text, /\w[>\]]?\s+(\w+)\s*[,)=;:]/g),
    texts: namesIn(text, /\b(?:String|var) (\w+)\s*=\s*(?:"|String)/g),
    lists: namesIn(text, /\b(?:Array|Linked)?List<\w+> (\w+)\b/g),
    optionals: namesIn(text, /\bOptional<(?:[^<>;]|<[^<>;]*>)*>\s+(\w+)/g),
    asked: namesIn(text, /\b(\w+)\.is(?:Present|Empty)\(/g),
    threads: namesIn(text, /Thread (\w+)\s*=/g),
    boxed: boxedIn(text),
    released: released(text),
    words: countsIn(text, notSelected)
  }
})

const scopeOf = remember((node: TreeNode) => {
  const scope = ancestor(node, ['method_declaration', 'constructor_declaration'])
  return scope === null ? null : factsOf(scope)
})

const stringsOf = remember((loop: TreeNode) => namesIn(loop.text(), /String (\w+)\b/g))

const fieldsOf = remember((body: TreeNode) => {
  const fields = named(body).filter((each) => kindOf(each) === 'field_declaration')
  return {
    names: new Set(fields.map((each) => textOf(each.field('declarator')?.field('name') ?? null))),
    strings: namesIn(fields.map(textOf).join('\n'), strings)
  }
})

/** The fields of the class around a node. */
function fieldsAround(node: TreeNode): ReturnType<typeof fieldsOf> | null {
  const body = ancestor(node, ['class_body'])
  return body === null ? null : fieldsOf(body)
}

const wordsOutsideImports = remember((tree: Tree) =>
  countsIn(tree.source.text.replace(/^import .*$/gm, ''), notSelected)
)
const isFilledElsewhere = remember((tree: Tree): boolean =>
  /@(?:Data|Getter|Value|Entity|Builder)\b/.test(tree.source.text)
)

/** A name declared as String in the method or the class around it, or a call that gives a text. */
function isText(node: TreeNode | null): boolean {
  if (node === null) return false
  if (kindOf(node) === 'method_invocation') {
    // `Character.toLowerCase` gives a number.
    return (
      /^(?:toString|trim|strip|substring|toLowerCase|toUpperCase|getName|concat|replace)$/.test(
        method(node)
      ) && receiver(node) !== 'Character'
    )
  }
  const name = endsOf(node)
  if (!/^(?:this\.)?\w+$/.test(name)) return false
  const scope = scopeOf(node)
  const bare = name.replace('this.', '')
  return (
    scope?.strings.has(bare) === true ||
    (scope?.declared.has(name) !== true && fieldsAround(node)?.strings.has(bare) === true)
  )
}

/** The same text is equal as well: `a == b || a.equals(b)` saves the comparison of characters. */
function isComparedAgain(sides: readonly (TreeNode | null)[]): boolean {
  const body = textOf(ancestor(sides[0]!, methods))
  return sides
    .map((side) => textOf(side))
    .some((name) => /^[\w.]+$/.test(name) && new RegExp(`\\b${name}\\.(?:equals|compareTo)`).test(body))
}

/** `if (last == key) return lastResult; last = key;`: other strings with the same characters are only slower. */
function isRemembered(sides: readonly (TreeNode | null)[]): boolean {
  const [left, right] = sides.map((side) => textOf(side))
  return [`${left} = ${right};`, `${right} = ${left};`].some((each) =>
    textOf(ancestor(sides[0]!, methods)).includes(each)
  )
}

/** `String trimmed = text.trim(); if (trimmed == text)` asks whether the call returned the same object. */
function isResultOfOther(sides: readonly (TreeNode | null)[]): boolean {
  const [left, right] = sides.map((side) => textOf(side))
  if (![left, right].every((name) => /^\w+$/.test(name!))) return false
  const body = textOf(ancestor(sides[0]!, methods.slice(0, 3)))
  return [
    [left, right],
    [right, left]
  ].some(([result, argument]) =>
    new RegExp(`\\b${result}\\s*=\\s*(?:${argument}\\.\\w+\\(|[\\w.]+\\(${argument}[,)])`).test(body)
  )
}

export const javaPerformanceRules = [
  performance(
    'string-building-in-loop',
    'warning',
    { ...words.stringLoop, suggestion: 'Use a StringBuilder.' },
    'assignment_expression',
    (node) => {
      const name = endsOf(node.field('left'))
      const grows =
        textOf(node.field('operator')) === '+=' || endsOf(node.field('right')).startsWith(`${name} + `)
      const loop = grows ? inLoop(node) : null
      const scope = scopeOf(node)
      const isStringName = scope?.texts.has(name) === true || scope?.strings.has(name) === true
      return loop !== null && isStringName && !stringsOf(loop).has(name)
    }
  ),
  performance(
    'query-in-loop',
    'warning',
    words.queryLoop,
    'method_invocation',
    (node) =>
      ((/^(?:findById|findOne|getOne|findBy\w+|queryForObject|queryForList|executeQuery|getReferenceById)$/.test(
        method(node)
      ) &&
        /repo|dao|template|statement|stmt|mapper|entityManager|^em$/i.test(receiver(node))) ||
        (method(node) === 'find' && /^(?:em|entityManager|session)$/.test(receiver(node)))) &&
      (inStream(node) || (inLoop(node) !== null && kindOf(inLoop(node)) !== 'while_statement'))
  ),
  performance(
    'regex-in-loop',
    'info',
    words.regexLoop,
    'method_invocation',
    (node) =>
      ((receiver(node) === 'Pattern' && method(node) === 'compile' && isString(args(node)[0] ?? null)) ||
        (/^(?:matches|replaceAll)$/.test(method(node)) &&
          /[\\[*+?]/.test(literalOf(args(node)[0] ?? null)))) &&
      inLoop(node) !== null
  ),
  security(
    'catastrophic-regex',
    'warning',
    words.regex,
    'method_invocation',
    (node) =>
      /^(?:compile|matches|replaceAll|replaceFirst|split)$/.test(method(node)) &&
      isString(args(node)[0] ?? null) &&
      isCatastrophicRegex(`${patternOf(args(node)[0] ?? null)}$`)
  ),
  performance(
    'boxed-constructor',
    'info',
    {
      sentence: 'This constructor always allocates a new object; the boxing constructors are deprecated.',
      suggestion: 'Use valueOf or the literal.'
    },
    'object_creation_expression',
    (node) =>
      /^(?:Integer|Long|Double|Float|Boolean|Short|Byte|Character)$/.test(textOf(node.field('type'))) ||
      (textOf(node.field('type')) === 'String' && isString(args(node)[0] ?? null))
  ),
  performance(
    'key-set-lookup',
    'info',
    {
      sentence: 'Iterating over keySet() and calling get() looks up every value a second time.',
      suggestion: 'Iterate over entrySet().'
    },
    'enhanced_for_statement',
    (node) => {
      const match = /^([\w.]+)\.keySet\(\)$/.exec(textOf(node.field('value')))
      return (
        match !== null &&
        textOf(node.field('body')).includes(`${match[1]}.get(${textOf(node.field('name'))})`)
      )
    }
  ),
  performance(
    'size-check',
    'info',
    { sentence: 'Comparing the size with 0 is less clear than isEmpty().', suggestion: 'Use isEmpty().' },
    'binary_expression',
    (node) => /\.(?:size|length)\(\)\s*(?:==|>|!=)\s*0$/.test(node.text())
  ),
  performance(
    'list-contains-in-loop',
    'info',
    {
      sentence: 'List.contains scans the whole list on every iteration of the loop.',
      suggestion: 'Copy the list into a HashSet before the loop.'
    },
    'method_invocation',
    (node) => {
      const name = receiver(node)
      return method(node) === 'contains' && inLoop(node) !== null && scopeOf(node)?.lists.has(name) === true
    }
  )
]

export const javaBugRules = [
  bug(
    'swallowed-error',
    'warning',
    {
      ...words.swallowed,
      sentence: 'The exception is caught and ignored, so a failure looks like success.'
    },
    'catch_clause',
    (node) =>
      named(node.field('body')).length === 0 &&
      !/^ignored?$|^expected$/.test(textOf(below(node, 'catch_formal_parameter')[0]?.field('name') ?? null))
  ),
  bug(
    'string-identity',
    'error',
    { sentence: '== compares String references, not their contents.', suggestion: 'Use equals().' },
    'binary_expression',
    (node) => {
      if (!/^[!=]=$/.test(textOf(node.field('operator')))) return false
      const sides = [node.field('left'), node.field('right')]
      if (sides.some(isString)) return true
      if (!sides.every(isText) || isResultOfOther(sides)) return false
      return isComparedAgain(sides) || isRemembered(sides) ? 'likely' : true
    }
  ),
  bug(
    'boxed-identity',
    'error',
    {
      sentence: '== compares references of boxed numbers, which differ for equal values outside -128 to 127.',
      suggestion: 'Use equals(), or primitive types.'
    },
    'binary_expression',
    (node) =>
      /^[!=]=$/.test(textOf(node.field('operator'))) &&
      [node.field('left'), node.field('right')].every(
        (side) => kindOf(side) === 'identifier' && scopeOf(side!)?.boxed.has(textOf(side)) === true
      )
  ),
  bug(
    'remove-in-loop',
    'error',
    {
      sentence: 'Removing elements while iterating throws a ConcurrentModificationException.',
      suggestion: 'Use removeIf(), or Iterator.remove().'
    },
    'enhanced_for_statement',
    (node, tree) => {
      const name = textOf(node.field('value'))
      const body = node.field('body')
      if (
        !/^\w+$/.test(name) ||
        body === null ||
        !new RegExp(
          `\\b(?:(?:Array|Linked)?List|(?:Linked)?(?:Hash)?Set|TreeSet|Collection)<[^;=()]*>\\s+${name}\\b`
        ).test(tree.source.text)
      ) {
        return false
      }
      if (new RegExp(`\\b${name}\\s*=\\s*new (?:CopyOnWrite|Concurrent)`).test(tree.source.text)) return false
      const removal = below(body, 'method_invocation').find(
        (call) =>
          method(call) === 'remove' &&
          receiver(call) === name &&
          ancestor(call, methods, ['enhanced_for_statement']) === null
      )
      // What leaves the loop afterwards is safe.
      return removal !== undefined &&
        !/\b(?:break|return|throw)\b/.test(
          body.text().slice(removal.range().start.index - body.range().start.index)
        )
        ? removal
        : false
    },
    { only: /\.remove\(/ }
  ),
  bug(
    'unreachable',
    'warning',
    words.unreachable,
    ['return_statement', 'throw_statement', 'break_statement', 'continue_statement'],
    (node) => (kindOf(node.parent()) === 'block' ? unreachableAfter(node, /^$/) : false)
  ),
  bug('off-by-one', 'error', words.offByOne, 'for_statement', (node) => {
    const match = /^(\w+)\s*<=\s*([\w.]+?)\.(?:length(?:\(\))?|size\(\))$/.exec(
      textOf(node.field('condition'))
    )
    const body = textOf(node.field('body'))
    return (
      match !== null &&
      ([`${match[2]}[${match[1]}]`, `${match[2]}.charAt(${match[1]})`].some((access) =>
        body.includes(access)
      ) ||
        // What is counted from 1 is a collection of its own, or the author is mistaken twice.
        (body.includes(`${match[2]}.get(${match[1]})`) &&
          (/=\s*1;?$/.test(textOf(node.field('init'))) ? 'likely' : true)))
    )
  }),
  bug(
    'resource-leak',
    'warning',
    { ...words.leak, suggestion: 'Use a try-with-resources statement.' },
    'local_variable_declaration',
    (node) => {
      const declarator = node.field('declarator')
      const value = textOf(declarator?.field('value') ?? null)
      const name = textOf(declarator?.field('name') ?? null)
      const opens =
        /^new (?:File(?:Input|Output)Stream|FileReader|FileWriter|BufferedReader|BufferedWriter|PrintWriter|Scanner|Socket|ServerSocket|RandomAccessFile|ZipFile|JarFile|ObjectInputStream|ObjectOutputStream|BufferedInputStream|BufferedOutputStream|InputStreamReader|OutputStreamWriter|DataInputStream|DataOutputStream|GZIPInputStream|GZIPOutputStream|PrintStream)\(|^Files\.(?:newInputStream|newOutputStream|newBufferedReader|newBufferedWriter|lines|list|walk|newDirectoryStream)\(|^\w+\.(?:openStream|getInputStream|getOutputStream)\(|^(?:DriverManager|dataSource)\.getConnection\(|^\w*[cC]onn\w*\.(?:prepareStatement|createStatement)\(/.test(
          value
        )
      return opens && !/System\.in/.test(value) && scopeOf(node)?.released.has(name) !== true
    }
  ),
  bug(
    'equals-without-hash-code',
    'warning',
    {
      sentence:
        'This class overrides equals() but not hashCode(), so HashMap and HashSet cannot find its objects.',
      suggestion: 'Override hashCode() with the same fields.'
    },
    'class_body',
    (node) => {
      const names = named(node)
        .filter((each) => kindOf(each) === 'method_declaration')
        .map(
          (each) =>
            `${textOf(each.field('name'))}${textOf(each.field('parameters'))
              .replace(/^\((?:final\s+|@\w+\s+)*/, '(')
              .replace(/\s+\w+\)$/, ')')}`
        )
      return names.includes('equals(Object)') && !names.includes('hashCode()')
        ? named(node)
            .find((each) => kindOf(each) === 'method_declaration' && textOf(each.field('name')) === 'equals')!
            .field('name')
        : false
    }
  ),
  bug(
    'return-in-finally',
    'error',
    {
      sentence: 'A return in a finally block discards the exception or the return value of the try block.',
      suggestion: 'Move the return out of the finally block.'
    },
    'finally_clause',
    (node) =>
      below(node, 'return_statement').find(
        (each) => ancestor(each, ['lambda_expression', 'class_body'], ['finally_clause']) === null
      ) ?? false
  ),
  bug(
    'optional-get',
    'warning',
    {
      sentence: 'Optional.get() throws a NoSuchElementException if the Optional is empty.',
      suggestion: 'Use orElseThrow(), orElse() or ifPresent().'
    },
    'method_invocation',
    (node) => {
      if (method(node) !== 'get' || args(node).length > 0) return false
      const name = receiver(node)
      return (
        /\.(?:findFirst|findAny|findById|max|min)\(.*\)$/s.test(name) ||
        (scopeOf(node)?.optionals.has(name) === true && scopeOf(node)?.asked.has(name) !== true)
      )
    }
  ),
  bug(
    'ignored-result',
    'warning',
    {
      sentence: 'Strings are immutable, so this call has no effect unless its result is used.',
      suggestion: 'Assign the result to a variable.'
    },
    'expression_statement',
    (node) => {
      const call = named(node)[0]
      return (
        call !== undefined &&
        kindOf(call) === 'method_invocation' &&
        /^(?:trim|replace|replaceAll|toUpperCase|toLowerCase|substring|concat|strip)$/.test(method(call)) &&
        (isText(call.field('object')) || scopeOf(call)?.texts.has(receiver(call)) === true)
      )
    }
  ),
  bug(
    'thread-run',
    'error',
    {
      sentence: 'Thread.run() executes in the current thread and does not start a new one.',
      suggestion: 'Call start() instead.'
    },
    'method_invocation',
    (node) =>
      method(node) === 'run' &&
      (/^new Thread\(/.test(receiver(node)) || scopeOf(node)?.threads.has(receiver(node)) === true)
  ),
  bug(
    'shared-date-format',
    'warning',
    {
      sentence: 'SimpleDateFormat is not thread-safe, but this static field is shared by all threads.',
      suggestion: 'Use java.time.format.DateTimeFormatter.'
    },
    'field_declaration',
    (node) => /\bstatic\b/.test(node.text()) && /\bSimpleDateFormat\b/.test(textOf(node.field('type')))
  ),
  bug(
    'mutable-static',
    'warning',
    {
      sentence: 'This public static field is not final, so any code can change it.',
      suggestion: 'Make the field final or private.'
    },
    'field_declaration',
    (node) => {
      const modifiers = node.children().find((each) => kindOf(each) === 'modifiers')
      return hasText(modifiers ?? null, /^(?=[\s\S]*\bpublic\b)(?=[\s\S]*\bstatic\b)(?![\s\S]*\bfinal\b)/)
    }
  ),
  bug(
    'decimal-from-double',
    'warning',
    {
      sentence: 'new BigDecimal(double) keeps the rounding error of the double literal.',
      suggestion: 'Pass a string, such as new BigDecimal("0.1"), or use BigDecimal.valueOf.'
    },
    'object_creation_expression',
    (node) =>
      textOf(node.field('type')) === 'BigDecimal' &&
      kindOf(args(node)[0] ?? null) === 'decimal_floating_point_literal'
  ),
  bug(
    'fallthrough',
    'warning',
    {
      sentence: 'This case falls through to the next one.',
      suggestion: 'End the case with break or return, or use an arrow case.'
    },
    'switch_block_statement_group',
    (node) => (saysFallThrough(node) ? false : fallsThrough(node))
  ),
  bug(
    'noted-fallthrough',
    'info',
    {
      sentence: 'This case falls through on purpose, which is easy to break later.',
      suggestion: 'Move the shared code into a method, or use arrow cases.'
    },
    'switch_block_statement_group',
    (node) => (saysFallThrough(node) ? fallsThrough(node) : false),
    { only: /fall/i }
  ),
  bug(
    'self-compare',
    'error',
    words.selfCompare,
    ['binary_expression', 'assignment_expression'],
    (node) =>
      /^(?:==|!=|<|>|<=|>=|=)$/.test(textOf(node.field('operator'))) &&
      /^[\w.]+$/.test(textOf(node.field('left'))) &&
      textOf(node.field('left')) === textOf(node.field('right')) &&
      notANumber(node),
    {
      message: (node) =>
        kindOf(node) === 'assignment_expression'
          ? 'This variable is assigned to itself.'
          : words.selfCompare.sentence
    }
  ),
  bug(
    'unused-import',
    'warning',
    words.unusedImport,
    'import_declaration',
    (node, tree) => {
      if (/\*|\bstatic\b/.test(node.text())) return false
      const name = /(\w+)\s*;$/.exec(node.text())?.[1] ?? ''
      return name !== '' && !wordsOutsideImports(tree).has(name)
    },
    neverUsed('imported', (node) => /(\w+)\s*;$/.exec(node.text())?.[1] ?? '')
  ),
  bug(
    'unused-variable',
    'warning',
    words.unused,
    'local_variable_declaration',
    (node) => {
      const name = textOf(node.field('declarator')?.field('name') ?? null)
      return (
        name !== '' &&
        !/^(?:unused|ignored?)/.test(name) &&
        scopeOf(node)?.words.get(name) === 1 &&
        kindOf(node.parent()) !== 'for_statement'
      )
    },
    neverUsed('declared', (node) => textOf(node.field('declarator')?.field('name') ?? null))
  ),
  bug(
    'unused-field',
    'info',
    words.unused,
    'field_declaration',
    (node, tree) => {
      const name = textOf(node.field('declarator')?.field('name') ?? null)
      return (
        /^private\b/.test(node.text()) &&
        !/@|serialVersionUID/.test(node.text()) &&
        wordCounts(tree).get(name) === 1 &&
        !isFilledElsewhere(tree)
      )
    },
    neverUsed('declared', (node) => textOf(node.field('declarator')?.field('name') ?? null))
  ),
  bug(
    'shadowed-field',
    'info',
    { sentence: 'This local variable shadows a field.', suggestion: 'Rename the local variable.' },
    'local_variable_declaration',
    (node) => {
      return fieldsAround(node)?.names.has(textOf(node.field('declarator')?.field('name') ?? null)) === true
    }
  ),
  bug(
    'catch-throwable',
    'warning',
    {
      sentence: 'Catching Throwable also catches errors such as OutOfMemoryError.',
      suggestion: 'Catch the specific exceptions you expect.'
    },
    'catch_clause',
    (node) => hasText(below(node, 'catch_type')[0] ?? null, /^Throwable$/)
  ),
  bug(
    'print-stack-trace',
    'info',
    {
      sentence: 'The exception is only printed, and the code continues as if nothing failed.',
      suggestion: 'Log the exception with context, or rethrow it.'
    },
    'catch_clause',
    (node) => /^\{\s*\w+\.printStackTrace\(\);\s*\}$/.test(textOf(node.field('body')))
  )
]

export const javaStyleRules = [
  style(
    'class-name',
    'info',
    {
      sentence: 'Class names should be in PascalCase.',
      suggestion: 'Rename the class to PascalCase.'
    },
    ['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration'],
    (node) => /^[a-z]|_/.test(textOf(node.field('name')))
  ),
  style(
    'method-name',
    'info',
    {
      sentence: 'Method names should be in camelCase.',
      suggestion: 'Rename the method to camelCase.'
    },
    'method_declaration',
    (node) => /^[A-Z]|^[a-z]+_/.test(textOf(node.field('name'))) && !/@Test/.test(node.text())
  ),
  style(
    'constant-name',
    'info',
    {
      sentence: 'Constants should be named in UPPER_SNAKE_CASE.',
      suggestion: 'Rename the constant to UPPER_SNAKE_CASE.'
    },
    'field_declaration',
    (node) =>
      /\bstatic final\b|\bfinal static\b/.test(node.text()) &&
      /[a-z]/.test(textOf(node.field('declarator')?.field('name') ?? null)) &&
      !/^(?:logger|log|serialVersionUID)$/i.test(textOf(node.field('declarator')?.field('name') ?? null)) &&
      /^(?:int|long|double|float|boolean|String|char)$/.test(textOf(node.field('type')))
  ),
  style(
    'wildcard-import',
    'info',
    {
      sentence: 'A wildcard import hides which classes are used and can cause name clashes.',
      suggestion: 'Import each class by name.'
    },
    'import_declaration',
    (node) => /\.\*;$/.test(node.text()) && !/static/.test(node.text())
  ),
  style(
    'missing-braces',
    'info',
    {
      sentence: 'This if statement spans two lines without braces.',
      suggestion: 'Add braces around the body.'
    },
    'if_statement',
    (node) => {
      const body = node.field('consequence')
      return body !== null && kindOf(body) !== 'block' && body.range().start.line > node.range().start.line
    }
  ),
  style(
    'raw-type',
    'info',
    {
      sentence: 'This generic collection is used as a raw type, so the compiler cannot check its elements.',
      suggestion: 'Add type arguments, such as List<String>.'
    },
    ['local_variable_declaration', 'field_declaration'],
    (node) => /^(?:List|Map|Set|ArrayList|HashMap|HashSet|Collection)$/.test(textOf(node.field('type')))
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
    'old-collection',
    'info',
    {
      sentence: 'Vector, Hashtable, Stack and StringBuffer synchronize every call and have been superseded.',
      suggestion: 'Use ArrayList, HashMap, ArrayDeque or StringBuilder.'
    },
    'object_creation_expression',
    (node) => /^(?:Vector|Hashtable|Stack|StringBuffer)(?:<|$)/.test(textOf(node.field('type')))
  ),
  style('else-after-return', 'info', words.elseReturn, 'if_statement', (node) => {
    const last = named(node.field('consequence')).at(-1)
    const alternative = node.field('alternative')
    return kindOf(last ?? null) === 'return_statement' &&
      kindOf(alternative) === 'block' &&
      kindOf(node.parent()) !== 'if_statement'
      ? alternative
      : false
  }),
  style(
    'parameters',
    'info',
    words.parameters,
    'method_declaration',
    (node) => named(node.field('parameters')).length > 6
  )
]
