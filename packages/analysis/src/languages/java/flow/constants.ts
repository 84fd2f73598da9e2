import { ancestor, remember, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'

/** Local numbers of a method that are given one value and never another. */
const numbersOf = remember((method: TreeNode): ReadonlyMap<string, number> => {
  const text = method.text()
  const found = new Map<string, number>()
  for (const [, name, value] of text.matchAll(/\bint\s+(\w+)\s*=\s*(\d{1,9})\s*;/g)) {
    found.set(name!, found.has(name!) ? NaN : Number(value))
  }
  const counts = new Map<string, number>()
  for (const [, before, after] of text.matchAll(
    /(?:(\w+)\s*(?:[-+*/%]?=(?!=)|\+\+|--))|(?:(?:\+\+|--)\s*(\w+))/g
  )) {
    const name = before ?? after!
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return new Map([...found].filter(([name, value]) => counts.get(name) === 1 && !Number.isNaN(value)))
})

const maxChars = 80

/** What a comparison of fixed numbers always says; null for any other condition. */
export function fixedTest(condition: TreeNode | null): boolean | null {
  const text = textOf(condition)
  if (text.length > maxChars || !/^[\w\s()<>=!*/%+-]+$/.test(text) || !/\d/.test(text)) return null
  const method = ancestor(condition!, ['method_declaration', 'constructor_declaration'])
  if (method === null) return null
  const numbers = /[A-Za-z_]/.test(text) ? numbersOf(method) : new Map<string, number>()
  const tokens = text.match(/\w+|<=|>=|==|!=|[-+*/%()<>]/g) ?? []
  let at = 0

  function primary(): number {
    const token = tokens[at++]
    if (token === '(') {
      const value = sum()
      return tokens[at++] === ')' ? value : NaN
    }
    if (token === '-') return -primary()
    return /^\d+$/.test(token ?? '') ? Number(token) : (numbers.get(token ?? '') ?? NaN)
  }

  function product(): number {
    let value = primary()
    while (/^[*/%]$/.test(tokens[at] ?? '')) {
      const operator = tokens[at++]
      const right = primary()
      value = operator === '*' ? value * right : operator === '/' ? Math.trunc(value / right) : value % right
    }
    return value
  }

  function sum(): number {
    let value = product()
    while (/^[-+]$/.test(tokens[at] ?? '')) {
      value = tokens[at++] === '+' ? value + product() : value - product()
    }
    return value
  }

  // The condition of an if stands in brackets.
  const isWrapped = tokens[0] === '(' && closes(tokens) === tokens.length - 1
  if (isWrapped) {
    tokens.pop()
    at = 1
  }
  const left = sum()
  const operator = tokens[at++]
  const right = sum()
  if (!Number.isFinite(left) || !Number.isFinite(right) || at !== tokens.length) return null
  switch (operator) {
    case '<':
      return left < right
    case '>':
      return left > right
    case '<=':
      return left <= right
    case '>=':
      return left >= right
    case '==':
      return left === right
    case '!=':
      return left !== right
    default:
      return null
  }
}

/** Where the first bracket closes. */
function closes(tokens: readonly string[]): number {
  let depth = 0
  return tokens.findIndex((token) => {
    if (token === '(') depth++
    else if (token === ')') depth--
    return depth === 0
  })
}
