import { args } from '../../../tree/calls.js'
import {
  ancestor,
  below,
  endsOf,
  hasText,
  isString,
  kindOf,
  named,
  textOf,
  unreachableAfter
} from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { method, receiver } from './security.js'
import { fieldsAround, methods, scopeOf } from './scope.js'
import { selfCompare } from '../../../concepts/comparisons.js'

const bug = treeRulesOf('java', 'java', 'bugs')

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

/** `if (a == b) return 0;` at the start of a comparison: the same object is equal. */
function isShortcut(node: TreeNode): boolean {
  const branch = ancestor(node, ['if_statement'])
  return (
    textOf(branch?.field('condition')) === `(${node.text()})` &&
    /^\{?\s*(?:\/\/.*\s*)*return (?:0|true);/.test(textOf(branch?.field('consequence'))) &&
    /^(?:compare|equals)/.test(textOf(ancestor(node, methods)?.field('name')))
  )
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

export const javaBugRules = [
  bug.error('string-identity', {
    sentence: '== compares String references, not their contents.',
    suggestion: 'Use equals().',
    kinds: 'binary_expression',
    when: (node) => {
      if (!/^[!=]=$/.test(textOf(node.field('operator')))) return false
      const sides = [node.field('left'), node.field('right')]
      if (sides.some(isString)) return true
      if (!sides.every(isText) || isResultOfOther(sides) || isShortcut(node)) return false
      return isComparedAgain(sides) || isRemembered(sides) ? 'likely' : true
    }
  }),
  bug.error('boxed-identity', {
    sentence: '== compares references of boxed numbers, which differ for equal values outside -128 to 127.',
    suggestion: 'Use equals(), or primitive types.',
    kinds: 'binary_expression',
    when: (node) =>
      /^[!=]=$/.test(textOf(node.field('operator'))) &&
      [node.field('left'), node.field('right')].every(
        (side) => kindOf(side) === 'identifier' && scopeOf(side!)?.boxed.has(textOf(side)) === true
      )
  }),
  bug.error('remove-in-loop', {
    sentence: 'Removing elements while iterating throws a ConcurrentModificationException.',
    suggestion: 'Use removeIf(), or Iterator.remove().',
    kinds: 'enhanced_for_statement',
    when: (node, tree) => {
      // A loop over the keys of a map iterates over the map.
      const name = textOf(node.field('value')).replace(/\.(?:keySet|entrySet|values)\(\)$/, '')
      const body = node.field('body')
      if (
        !/^\w+$/.test(name) ||
        body === null ||
        !new RegExp(
          `\\b(?:(?:Array|Linked)?List|(?:Linked)?(?:Hash)?(?:Set|Map)|Tree(?:Set|Map)|Collection)<[^;=()]*>\\s+${name}\\b`
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
    only: /\.remove\(/
  }),
  bug.warning('unreachable', {
    ...words.unreachable,
    kinds: ['return_statement', 'throw_statement', 'break_statement', 'continue_statement'],
    when: (node) => (kindOf(node.parent()) === 'block' ? unreachableAfter(node, /^$/) : false)
  }),
  bug.error('off-by-one', {
    ...words.offByOne,
    kinds: 'for_statement',
    when: (node) => {
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
    }
  }),
  bug.warning('resource-leak', {
    ...words.leak,
    suggestion: 'Use a try-with-resources statement.',
    kinds: 'local_variable_declaration',
    when: (node) => {
      const declarator = node.field('declarator')
      const value = textOf(declarator?.field('value'))
      const name = textOf(declarator?.field('name'))
      const opens =
        /^new (?:File(?:Input|Output)Stream|FileReader|FileWriter|BufferedReader|BufferedWriter|PrintWriter|Scanner|Socket|ServerSocket|RandomAccessFile|ZipFile|JarFile|ObjectInputStream|ObjectOutputStream|BufferedInputStream|BufferedOutputStream|InputStreamReader|OutputStreamWriter|DataInputStream|DataOutputStream|GZIPInputStream|GZIPOutputStream|PrintStream)\(|^Files\.(?:newInputStream|newOutputStream|newBufferedReader|newBufferedWriter|lines|list|walk|newDirectoryStream)\(|^\w+\.(?:openStream|getInputStream|getOutputStream)\(|^(?:DriverManager|dataSource)\.getConnection\(|^\w*[cC]onn\w*\.(?:prepareStatement|createStatement)\(/.test(
          value
        )
      return opens && !/System\.in/.test(value) && scopeOf(node)?.released.has(name) !== true
    }
  }),
  bug.warning('equals-without-hash-code', {
    sentence:
      'This class overrides equals() but not hashCode(), so HashMap and HashSet cannot find its objects.',
    suggestion: 'Override hashCode() with the same fields.',
    kinds: 'class_body',
    when: (node) => {
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
  }),
  bug.warning('optional-get', {
    sentence: 'Optional.get() throws a NoSuchElementException if the Optional is empty.',
    suggestion: 'Use orElseThrow(), orElse() or ifPresent().',
    calls: /^get$/,
    when: (node) => {
      if (args(node).length > 0) return false
      const name = receiver(node)
      return (
        /\.(?:findFirst|findAny|findById|max|min)\(.*\)$/s.test(name) ||
        (scopeOf(node)?.optionals.has(name) === true && scopeOf(node)?.asked.has(name) !== true)
      )
    }
  }),
  bug.warning('ignored-result', {
    sentence: 'Strings are immutable, so this call has no effect unless its result is used.',
    suggestion: 'Assign the result to a variable.',
    kinds: 'expression_statement',
    when: (node) => {
      const call = named(node)[0]
      return (
        call !== undefined &&
        kindOf(call) === 'method_invocation' &&
        /^(?:trim|replace|replaceAll|toUpperCase|toLowerCase|substring|concat|strip)$/.test(method(call)) &&
        (isText(call.field('object')) || scopeOf(call)?.texts.has(receiver(call)) === true)
      )
    }
  }),
  bug.error('thread-run', {
    sentence: 'Thread.run() executes in the current thread and does not start a new one.',
    suggestion: 'Call start() instead.',
    calls: /^run$/,
    when: (node) =>
      /^new Thread\(/.test(receiver(node)) || scopeOf(node)?.threads.has(receiver(node)) === true
  }),
  bug.warning('shared-date-format', {
    sentence: 'SimpleDateFormat is not thread-safe, but this static field is shared by all threads.',
    suggestion: 'Use java.time.format.DateTimeFormatter.',
    kinds: 'field_declaration',
    when: (node) => /\bstatic\b/.test(node.text()) && /\bSimpleDateFormat\b/.test(textOf(node.field('type')))
  }),
  bug.warning('mutable-static', {
    sentence: 'This public static field is not final, so any code can change it.',
    suggestion: 'Make the field final or private.',
    kinds: 'field_declaration',
    when: (node) => {
      const modifiers = node.children().find((each) => kindOf(each) === 'modifiers')
      return hasText(modifiers, /^(?=[\s\S]*\bpublic\b)(?=[\s\S]*\bstatic\b)(?![\s\S]*\bfinal\b)/)
    }
  }),
  bug.warning('decimal-from-double', {
    sentence: 'new BigDecimal(double) keeps the rounding error of the double literal.',
    suggestion: 'Pass a string, such as new BigDecimal("0.1"), or use BigDecimal.valueOf.',
    kinds: 'object_creation_expression',
    when: (node) =>
      textOf(node.field('type')) === 'BigDecimal' &&
      kindOf(args(node)[0]) === 'decimal_floating_point_literal'
  }),
  bug.warning('fallthrough', {
    sentence: 'This case falls through to the next one.',
    suggestion: 'End the case with break or return, or use an arrow case.',
    kinds: 'switch_block_statement_group',
    when: (node) => (saysFallThrough(node) ? false : fallsThrough(node))
  }),
  bug.info('noted-fallthrough', {
    sentence: 'This case falls through on purpose, which is easy to break later.',
    suggestion: 'Move the shared code into a method, or use arrow cases.',
    kinds: 'switch_block_statement_group',
    when: (node) => (saysFallThrough(node) ? fallsThrough(node) : false),
    only: /fall/i
  }),
  selfCompare(bug, ['binary_expression', 'assignment_expression'])
]
