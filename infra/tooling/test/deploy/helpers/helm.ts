import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'
import type { Resource } from './kustomize.js'

type Scope = { dot: unknown; root: unknown; variables: Record<string, unknown> }
type Node = string | Action
interface Action {
  word: 'if' | 'with' | 'range' | 'print'
  code: string
  body: Node[]
  otherwise: Node[]
}

/**
 * Renders the features of Helm's templates that our chart uses, and refuses unknown ones. Helm itself is not needed;
 * docs/adr/0074-one-source-for-kustomize-and-helm.md says how the two were compared.
 */
export function renderChart(folder: string, given: object = {}, namespace = 'filewright'): Resource[] {
  const templates = Object.fromEntries(
    readdirSync(join(folder, 'templates'))
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => [name, readFileSync(join(folder, 'templates', name), 'utf8')])
  )
  const { name, appVersion } = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8'))
  const values = coalesce(parse(readFileSync(join(folder, 'values.yaml'), 'utf8')), given)
  const root = {
    Values: values,
    Release: { Namespace: namespace, Name: name },
    Chart: { AppVersion: appVersion },
    Template: { BasePath: '' },
    templates
  }
  return Object.entries(templates).flatMap(([file, text]) =>
    parseAllDocuments(renderText(text, root), { uniqueKeys: true }).flatMap((document) => {
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`)
      return document.toJS() ?? []
    })
  )
}

/** As Helm does it: objects are merged, and null removes a default. */
export function coalesce(defaults: any, given: any): any {
  const merged = { ...defaults }
  for (const [key, value] of Object.entries(given)) {
    if (isMap(value) && isMap(merged[key])) merged[key] = coalesce(merged[key], value)
    else if (value === null && key in merged) delete merged[key]
    else merged[key] = value
  }
  return merged
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function renderText(text: string, root: object): string {
  return run(parseTemplate(text), { dot: root, root, variables: { $: root } })
}

function parseTemplate(text: string): Node[] {
  const parts = text.split(/\{\{(- )?((?:"[^"]*"|[^"}])*?)( -)?\}\}/)
  const top: Node[] = []
  const open: Array<{ action: Action; into: Node[] }> = []
  const into = (): Node[] => open.at(-1)?.into ?? top
  for (let index = 0; index < parts.length; index += 4) {
    let plain = parts[index] ?? ''
    if (parts[index - 1] !== undefined && index > 0) plain = plain.trimStart()
    if (parts[index + 1] !== undefined) plain = plain.trimEnd()
    into().push(plain)
    const code = parts[index + 2]?.trim()
    if (code === undefined) break
    const [, word, rest = ''] = /^(if|with|range|else|end)\b\s*(.*)$/.exec(code) ?? []
    if (word === 'end') {
      if (open.pop() === undefined) throw new Error('an end without a beginning')
    } else if (word === 'else') {
      const last = open.at(-1)
      if (last === undefined || rest !== '') throw new Error(`unexpected: ${code}`)
      last.into = last.action.otherwise
    } else {
      const action: Action = {
        word: (word as Action['word'] | undefined) ?? 'print',
        code: word === undefined ? code : rest,
        body: [],
        otherwise: []
      }
      into().push(action)
      if (word !== undefined) open.push({ action, into: action.body })
    }
  }
  if (open.length > 0) throw new Error(`no end of ${open[0]?.action.code}`)
  return top
}

function run(nodes: Node[], scope: Scope): string {
  return nodes.map((node) => (typeof node === 'string' ? node : act(node, scope))).join('')
}

function act({ word, code, body, otherwise }: Action, scope: Scope): string {
  if (word === 'print') return print(evaluate(code, scope))
  if (word === 'range') {
    const [, key, value, of = ''] = /^\$(\w+), \$(\w+) := (.*)$/.exec(code) ?? []
    if (key === undefined || value === undefined) throw new Error(`unknown range: ${code}`)
    const entries = Object.entries(evaluate(of, scope) as object).sort(([a], [b]) => (a < b ? -1 : 1))
    return entries
      .map(([k, v]) =>
        run(body, { ...scope, dot: v, variables: { ...scope.variables, [`$${key}`]: k, [`$${value}`]: v } })
      )
      .join('')
  }
  const found = evaluate(code, scope)
  if (!isTrue(found)) return run(otherwise, scope)
  return run(body, word === 'with' ? { ...scope, dot: found } : scope)
}

const isTrue = (value: unknown): boolean =>
  isMap(value) ? Object.keys(value).length > 0 : Array.isArray(value) ? value.length > 0 : Boolean(value)

function print(value: unknown): string {
  if (value === undefined || value === null) throw new Error('a template prints a value that is not there')
  return String(value)
}

/** A pipeline: each command gets the result of the one before it as its last argument. */
function evaluate(code: string, scope: Scope): unknown {
  const tokens = code.match(/"[^"]*"|[()|]|[^\s()|]+/g) ?? []
  let at = 0
  const pipeline = (): unknown => {
    let result = command()
    while (tokens[at] === '|') {
      at += 1
      result = command(result)
    }
    return result
  }
  const command = (...piped: unknown[]): unknown => {
    const word = tokens[at] ?? ''
    if (!(word in FUNCTIONS)) return operand()
    at += 1
    const args: unknown[] = []
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') args.push(operand())
    return FUNCTIONS[word]?.([...args, ...piped], scope)
  }
  const operand = (): unknown => {
    const token = tokens[at++] ?? ''
    if (token === '(') {
      const value = pipeline()
      if (tokens[at++] !== ')') throw new Error(`no closing bracket: ${code}`)
      return value
    }
    if (token.startsWith('"')) return token.slice(1, -1)
    if (/^\d+$/.test(token)) return Number(token)
    const [, start = '', path = ''] = /^(\$\w*)?((?:\.\w*)*)$/.exec(token) ?? []
    if (start + path !== token || token === '') {
      throw new Error(`this renderer does not know ${token}: ${code}`)
    }
    const from = start === '' ? scope.dot : scope.variables[start]
    return path
      .split('.')
      .filter((key) => key !== '')
      .reduce<any>((inner, key) => inner?.[key], from)
  }
  const value = pipeline()
  if (at < tokens.length) throw new Error(`this renderer does not understand: ${code}`)
  return value
}

const FUNCTIONS: Record<string, (args: any[], scope: Scope) => unknown> = {
  and: (args) => args.find((arg) => !isTrue(arg)) ?? args.at(-1),
  or: (args) => args.find(isTrue) ?? args.at(-1),
  not: ([value]) => !isTrue(value),
  eq: ([a, b]) => a === b,
  ne: ([a, b]) => a !== b,
  list: (args) => args,
  default: ([fallback, value]) => (isTrue(value) ? value : fallback),
  hasKey: ([map, key]) => Object.hasOwn(map, key),
  kindIs: ([kind, value]) => kind === (value === undefined || value === null ? 'invalid' : typeof value),
  int: ([value]) => Math.trunc(value),
  quote: ([value]) => JSON.stringify(print(value)),
  toJson: ([value]) => JSON.stringify(value),
  toYaml: ([value]) => stringify(value, { lineWidth: 0 }).trimEnd(),
  nindent: ([width, text]) => `\n${text.replaceAll(/^(?=.)/gm, ' '.repeat(width))}`,
  sha256sum: ([text]) => createHash('sha256').update(text).digest('hex'),
  trunc: ([length, text]) => text.slice(0, length),
  print: (args) => args.map(print).join(''),
  include: ([name, dot], { root }) => renderText((root as any).templates[name.slice(1)], dot)
}
