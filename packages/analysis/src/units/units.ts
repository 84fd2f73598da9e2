import type { Language } from '@filewright/contracts'
import { kindOf, named } from '../tree/nodes.js'
import type { TreeNode } from '../tree/tree.js'
import { grammarOf, parseUnits, type Grammar } from './grammar.js'

/** A part of the code that is taken or left as a whole: a function, a method, a constant, a statement. */
export interface Unit {
  name: string
  node: TreeNode
  start: number
  end: number
  text: string
  isImport: boolean
  /** The class that holds it. */
  owner: string | null
  /** Of a class: its text without its members. */
  shell: string[] | null
}

const comment = /comment/

/**
 * The leaves of a node without comments, and without what changes nothing: semicolons, last commas, kinds of
 * quotes.
 */
export function tokensOf(node: TreeNode, skip: readonly TreeNode[] = []): string[] {
  const tokens: string[] = []
  const skipped = new Set(skip.map((each) => each.id()))
  const visit = (current: TreeNode): void => {
    if (comment.test(kindOf(current)) || skipped.has(current.id())) return
    const children = current.children()
    if (children.length === 0) {
      const text = current.text()
      if (text !== '' && text !== ';') tokens.push(text === "'" || text === '`' ? '"' : text)
    } else for (const child of children) visit(child)
  }
  visit(node)
  return tokens.filter((token, index) => !(token === ',' && /^[\])}]$/.test(tokens[index + 1] ?? '')))
}

export const sameTokens = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((token, index) => token === b[index])

/** The declaration inside an export or under decorators. */
function inner(node: TreeNode): TreeNode {
  const kind = kindOf(node)
  if (kind === 'export_statement') return node.field('declaration') ?? node.field('value') ?? node
  return kind === 'decorated_definition' ? (node.field('definition') ?? node) : node
}

const maxNameChars = 60
const plain = (text: string): string => text.replace(/\s+/g, ' ').slice(0, maxNameChars)

function nameOf(node: TreeNode): string {
  const declaration = inner(node)
  const kind = kindOf(declaration)
  const name = declaration.field('name')
  if (kind === 'method_declaration' && declaration.field('receiver') !== null) {
    return `${/\w+(?=\W*\)$)/.exec(declaration.field('receiver')!.text())?.[0] ?? ''}.${name?.text() ?? ''}`
  }
  if (kind === 'impl_item') {
    return `impl ${plain(declaration.field('trait')?.text() ?? '')} ${plain(declaration.field('type')?.text() ?? '')}`
  }
  // Java tells methods of one name apart by their parameters.
  if (kind === 'method_declaration' || kind === 'constructor_declaration') {
    return `${name?.text() ?? ''}(${named(declaration.field('parameters'))
      .map((each) => plain(each.field('type')?.text() ?? ''))
      .join(',')})`
  }
  if (name !== null) return name.text()
  const declarators = named(declaration).flatMap((each) => each.field('name') ?? [])
  if (declarators.length > 0) return declarators.map((each) => plain(each.text())).join(', ')
  if (kindOf(node) === 'export_statement') return 'default'
  return statementName(kind === 'expression_statement' ? (named(declaration)[0] ?? declaration) : declaration)
}

function statementName(node: TreeNode): string {
  const left = node.field('left')
  if (left !== null) return plain(left.text())
  const callee = node.field('function')
  if (callee === null) return plain(node.text())
  const first = named(node.field('arguments'))[0]
  return `${plain(callee.text())}(${first !== undefined && kindOf(first) === 'string' ? first.text().replace(/^["']|["']$/g, '') : ''})`
}

function membersOf(node: TreeNode, grammar: Grammar): TreeNode[] | null {
  const holder = grammar.holders.get(kindOf(node))
  const body =
    holder === undefined
      ? null
      : (node.field('body') ?? named(node).find((child) => kindOf(child) === holder) ?? null)
  return body === null ? null : named(body).filter((child) => grammar.units.has(kindOf(child)))
}

/**
 * The units of the code in their order; members come after their class. Null where the code has no such
 * parts.
 */
export function unitsOf(code: string, language: Language): Unit[] | null {
  const grammar = grammarOf(language)
  if (grammar === null) return null
  const root = parseUnits(code, grammar)
  if (root === null) return null
  const units: Unit[] = []
  const counts = new Map<string, number>()

  function add(node: TreeNode, owner: string | null, isImport: boolean): void {
    const { start, end } = node.range()
    const text = code.slice(start.index, end.index)
    const base = isImport
      ? `import ${plain(node.field('source')?.text() ?? text)}`
      : owner === null
        ? nameOf(node)
        : `${owner}.${nameOf(node)}`
    const count = (counts.get(base) ?? 0) + 1
    counts.set(base, count)
    const name = count === 1 ? base : `${base} #${count}`
    const members = isImport ? null : membersOf(inner(node), grammar!)
    units.push({
      name,
      node,
      start: start.index,
      end: end.index,
      text,
      isImport,
      owner,
      shell: members === null ? null : tokensOf(node, members)
    })
    for (const member of members ?? []) add(member, name, false)
  }

  for (const child of named(root)) {
    const isImport = grammar.imports.has(kindOf(child))
    if (isImport || grammar.units.has(kindOf(child))) add(child, null, isImport)
  }
  return units
}
