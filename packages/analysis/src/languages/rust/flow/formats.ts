import { fixed, named, unknown, type Expression } from '../../../flow/form.js'

/**
 * The parts of a format macro, whose inside no parser reads: its text, the names in it, and the values after
 * it.
 */
export function formatted(tokens: string): Expression[] {
  const [first = '', ...rest] = splitArguments(tokens)
  const text = /^\s*[br]?#*"([\s\S]*)"#*\s*$/.exec(first)?.[1]
  if (text === undefined) return [first, ...rest].map(valueOf)
  const inside = Array.from(text.matchAll(/\{([a-z_]\w*)(?::[^}]*)?\}/g), (match) => match[1]!)
  const given = new Set(rest.map((each) => /^\s*(\w+)\s*=[^=]/.exec(each)?.[1]))
  return [
    { is: 'text', text },
    ...inside.filter((name) => !given.has(name)).map(named),
    ...rest.map((each) => valueOf(each.replace(/^\s*\w+\s*=(?!=)/, '')))
  ]
}

/** Split at commas that stand in no brackets and no text. */
function splitArguments(tokens: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [piece] of tokens.matchAll(/"(?:\\[\s\S]|[^"\\])*"|[\s\S]/g)) {
    if (/^[([{]$/.test(piece)) depth++
    else if (/^[)\]}]$/.test(piece)) depth--
    if (piece === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts.filter((part) => part.trim() !== '')
}

/** `user.name`, `query.into_inner().word`: fields and calls without arguments. */
function chainOf(text: string): Expression {
  const [first, ...keys] = text.replaceAll('::', '.').split('.')
  return keys.reduce((of: Expression, key): Expression => {
    const field: Expression = { is: 'field', of, key: key.replace('()', '') }
    return key.endsWith('()') ? { is: 'call', callee: field, args: [], line: 0 } : field
  }, named(first!))
}

/** `name`, `user.name`, `escape(&name)`, `list.len()`; anything else is not known. */
function valueOf(source: string): Expression {
  const text = source
    .trim()
    .replace(/^[&*]+(?:mut\s+)?/, '')
    .replace(/[?]$|\.await$/g, '')
  if (/^"[\s\S]*"$/.test(text)) return { is: 'text', text: text.slice(1, -1) }
  if (/^\d/.test(text) || text === '') return fixed
  if (/^\w+(?:(?:\.|::)\w+(?:\(\))?)*$/.test(text)) return chainOf(text)
  const match = /^(\w+(?:(?:\.|::)\w+)*)\(([\s\S]*)\)$/.exec(text)
  if (match === null) return unknown()
  return {
    is: 'call',
    callee: chainOf(match[1]!),
    args: match[2]!.includes('(') ? [unknown()] : splitArguments(match[2]!).map(valueOf),
    line: 0
  }
}
