import type { Language } from '@filewright/contracts'
import { stripLiterals } from './strip-literals.js'

export interface Nesting {
  /** Deepest nesting of brackets, without those in strings and comments. */
  brackets: number
  /**
   * The most operators in one expression, which nest as brackets do: every separator starts a new one, and so
   * does a line end between two words. What stands in brackets is an expression of its own. A row of operators
   * counts once, because rulers in comments are made of them, unless negations are in it, which nest each for
   * itself.
   */
  operators: number
  /** Deepest nesting of Python's blocks; elsewhere they have brackets. */
  blocks: number
}

/** Nobody draws longer lines than this in comments. */
const maxRuler = 300

const words = new Set(
  'not and or if else lambda await new as return yield throw typeof void delete box ref mut dyn'.split(' ')
)
/**
 * Each branch of a chain nests in the one before it. They are counted for a block, since only a parser knows
 * which of them follow each other; in Python they stand below each other.
 */
const branches = new Set(['else', 'elif'])

/** What a character is to the counting; one table, because every character of the code is looked up in it. */
const other = 0
const operator = 1
const opening = 2
const closing = 3
const separator = 4
const lineEnd = 5
const letter = 6
const classes = new Uint8Array(128)
for (const [text, kind] of [
  ['-+*/%&|<>^=!~?@.:', operator],
  ['([{', opening],
  [')]}', closing],
  [',;', separator],
  ['\n', lineEnd]
] as const) {
  for (const each of text) classes[each.charCodeAt(0)] = kind
}
for (const each of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_') {
  classes[each.charCodeAt(0)] = letter
}

/** Whether the nearest visible character before or after a line end continues the expression. */
function continues(text: string, at: number, step: 1 | -1): boolean {
  let index = at + step
  while (text[index] === ' ' || text[index] === '\t' || text[index] === '\r') index += step
  return '+-*/%&|<>^=!~?.'.includes(text[index] ?? ';')
}

/**
 * Recursive parsers overrun their stack on code that nests too deeply, so it is counted before one sees the
 * code.
 */
export function nestingOf(code: string, language: Language): Nesting {
  const text = stripLiterals(code, language)
  const { length } = text
  /** Operators before each bracket that is open: the expression continues after it. */
  const before: number[] = []
  /** Branches so far in each block that is open. */
  const chains: number[] = []
  let brackets = 0
  let count = 0
  let operators = 0
  let at = 0
  while (at < length) {
    const char = text.charCodeAt(at)
    const kind = char < 128 ? classes[char]! : other
    const start = at++
    if (kind === other) continue
    if (kind === letter) {
      while (at < length && classes[text.charCodeAt(at)] === letter) at++
      if (at - start <= 6 && at - start >= 2) {
        const word = text.slice(start, at)
        if (words.has(word)) count++
        if (language !== 'python' && branches.has(word)) {
          const chain = (chains[before.length] ?? 0) + 1
          chains[before.length] = chain
          if (chain > operators) operators = chain
        }
      }
    } else if (kind === operator) {
      let isNegated = char === 33 || char === 126
      while (at < length && classes[text.charCodeAt(at)] === operator) {
        const next = text.charCodeAt(at++)
        isNegated ||= next === 33 || next === 126
      }
      count += isNegated || at - start > maxRuler ? at - start : 1
    } else if (kind === lineEnd) {
      if (count > 0 && !continues(text, start, -1) && !continues(text, start, 1)) count = 0
    } else {
      if (kind === opening) {
        before.push(count)
        chains[before.length] = 0
        if (before.length > brackets) brackets = before.length
      }
      const outer = kind === closing ? before.pop() : 0
      // A block ends its statement.
      count = outer === undefined || char === 125 ? 0 : outer
    }
    if (count > operators) operators = count
  }
  if (language !== 'python') return { brackets, operators, blocks: 0 }
  const { blocks, branches: chain } = blocksOf(text)
  return { brackets, operators: Math.max(operators, chain), blocks }
}

/** The most blocks within each other, and the most branches of one statement, by their indents. */
function blocksOf(text: string): { blocks: number; branches: number } {
  const open = [{ indent: 0, count: 0 }]
  let blocks = 0
  let most = 0
  for (const [, blanks, word] of text.matchAll(/^([ \t]*)([^\s#]\w*)/gm)) {
    const indent = blanks!.length
    while (open.at(-1)!.indent > indent) open.pop()
    if (open.at(-1)!.indent < indent) open.push({ indent, count: 0 })
    const block = open.at(-1)!
    block.count = word === 'elif' ? block.count + 1 : 0
    blocks = Math.max(blocks, open.length - 1)
    most = Math.max(most, block.count)
  }
  return { blocks, branches: most }
}
