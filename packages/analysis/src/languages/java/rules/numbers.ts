import { args } from '../../../tree/calls.js'
import { ancestor, kindOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf } from '../../../rules/tree-rules.js'
import { method, receiver } from './security.js'

const bug = treeRulesOf('java', 'java', 'bugs')

const bodies = ['method_declaration', 'constructor_declaration', 'class_body']
const noTypes: ReadonlySet<string> = new Set()

/** The types that a method, or a class, declares each name with. */
const typesIn = remember((scope: TreeNode): ReadonlyMap<string, ReadonlySet<string>> => {
  const types = new Map<string, Set<string>>()
  const declaration = /\b([\w.]+(?:<[^;(){}]*>)?(?:\s*\[\s*\])*)\s+(\w+)\s*(?:\[\s*\]\s*)?(?=[=;,:)])/g
  for (const [, type = '', name = ''] of scope.text().matchAll(declaration)) {
    if (!/^(?:return|throw|new|case|assert|yield)$/.test(type)) {
      types.set(name, (types.get(name) ?? new Set()).add(type.replace(/\s/g, '')))
    }
  }
  return types
})

/** What a name is declared with in the method around a node, or else in its class. */
function typesOf(name: string, node: TreeNode): ReadonlySet<string> {
  const own = ancestor(node, bodies.slice(0, 2))
  const body = ancestor(node, bodies.slice(2))
  // A name of a nested class may be another one with the same name.
  return (
    (own === null ? undefined : typesIn(own).get(name)) ??
    (body === null ? undefined : typesIn(body).get(name)) ??
    noTypes
  )
}

const isEvery = (types: ReadonlySet<string>, pattern: RegExp): boolean =>
  types.size > 0 && [...types].every((type) => pattern.test(type))

function bare(node: TreeNode | null): TreeNode | null {
  let inner = node
  while (kindOf(inner) === 'parenthesized_expression') inner = named(inner)[0] ?? null
  return inner
}

/** Certainly an integer. */
function isInteger(start: TreeNode | null): boolean {
  const node = bare(start)
  switch (kindOf(node)) {
    case 'decimal_integer_literal':
      return true
    case 'identifier':
      return isEvery(typesOf(textOf(node), node!), /^(?:int|long|short|byte)$/)
    case 'field_access':
      return textOf(node!.field('field')) === 'length'
    case 'method_invocation':
      return /^(?:size|length)$/.test(method(node!)) && args(node!).length === 0 && receiver(node!) !== ''
    case 'cast_expression':
      return /^(?:int|long)$/.test(textOf(node!.field('type')))
    case 'binary_expression':
      return (
        /^[-+*/%]$/.test(textOf(node!.field('operator'))) &&
        isInteger(node!.field('left')) &&
        isInteger(node!.field('right'))
      )
    default:
      return false
  }
}

const isLiteral = (node: TreeNode | null): boolean => /_literal$/.test(kindOf(bare(node)))

const isIntegerDivision = (node: TreeNode | null): boolean =>
  kindOf(node) === 'binary_expression' &&
  textOf(node!.field('operator')) === '/' &&
  // A fixed divisor may well be meant to round down: `index / 2`.
  !isLiteral(node!.field('right')) &&
  isInteger(node)

const isFraction = (type: string): boolean => /^(?:double|float|Double|Float)$/.test(type)

/** Where a value becomes a fraction, or a percentage: the type of what takes it decides. */
function becomesFraction(division: TreeNode): boolean {
  let value = division
  let parent = value.parent()
  while (kindOf(parent) === 'parenthesized_expression') {
    value = parent!
    parent = value.parent()
  }
  switch (kindOf(parent)) {
    case 'variable_declarator':
      return isFraction(textOf(parent!.parent()?.field('type')))
    case 'assignment_expression': {
      const left = parent!.field('left')
      return (
        textOf(parent!.field('operator')) === '=' &&
        kindOf(left) === 'identifier' &&
        isEvery(typesOf(textOf(left), left!), /^(?:double|float)$/)
      )
    }
    case 'cast_expression':
      return isFraction(textOf(parent!.field('type')))
    case 'binary_expression':
      return (
        textOf(parent!.field('operator')) === '*' &&
        parent!.field('left')?.id() === value.id() &&
        /^100(?:\.0*)?[dDfFlL]?$/.test(textOf(parent!.field('right')))
      )
    default:
      return false
  }
}

const reader =
  /^(?:(?:File|Buffered|Data|GZIP|Inflater|Cipher|Socket|Zip|Jar|Checked|Pushback|Digest|Object)?InputStream|(?:File|Buffered|InputStream|Pushback)?Reader|RandomAccessFile)$/

export const javaNumberRules = [
  bug.warning('integer-division', {
    sentence: 'Dividing two integers drops the fraction before the result becomes a decimal or a percentage.',
    suggestion: 'Cast one operand to double, or multiply before you divide.',
    kinds: 'binary_expression',
    when: (node) => isIntegerDivision(node) && becomesFraction(node)
  }),
  bug.warning('unchecked-read', {
    sentence: 'read() may fill only a part of the array, and this code ignores how much it read.',
    suggestion: 'Use readNBytes() or DataInputStream.readFully(), or loop until the array is full.',
    kinds: 'expression_statement',
    when: (node) => {
      const call = named(node)[0] ?? null
      if (kindOf(call) !== 'method_invocation' || method(call!) !== 'read') return false
      const list = args(call!)
      return (
        (list.length === 1 || list.length === 3) &&
        kindOf(list[0]!) === 'identifier' &&
        isEvery(typesOf(textOf(list[0]!), call!), /^(?:byte|char)\[\]$/) &&
        /^\w+$/.test(receiver(call!)) &&
        isEvery(typesOf(receiver(call!), call!), reader)
      )
    },
    // A test reads what it wrote itself.
    only: /^(?![\s\S]*\borg\.junit\b)[\s\S]*\.read\(/
  })
]
