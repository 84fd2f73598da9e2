import { CST, isMap, isScalar, isSeq, Lexer, LineCounter, parseAllDocuments, type Node } from 'yaml'
import { canonicalLanguage, type Language, type SarifLevel } from '@filewright/contracts'
import { exitCodes, Failure } from '../failure.js'

export const CONFIG_FILE = '.filewright.yml'

/** A repository's settings for its analysis. */
export interface ProjectConfig {
  /** Patterns; empty for all files. */
  include: string[]
  exclude: string[]
  rules: ReadonlyMap<string, SarifLevel | 'off'>
  /** Null means all languages with analyzers. */
  languages: readonly Language[] | null
}

export const noConfig: ProjectConfig = { include: [], exclude: [], rules: new Map(), languages: null }

const levels = {
  off: 'off',
  error: 'error',
  warning: 'warning',
  suggestion: 'note'
} as const satisfies Record<string, SarifLevel | 'off'>

const MAX_PATTERNS = 200
const MAX_PATTERN_CHARS = 256
/** Each wildcard multiplies the ways to match. */
const MAX_WILDCARDS = 8

/** Far deeper than the settings need. */
const MAX_DEPTH = 20
const OPENING = new Set(['flow-map-start', 'flow-seq-start'])
const CLOSING = new Set(['flow-map-end', 'flow-seq-end'])
const INDICATORS = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind'])

/**
 * The line where the text nests too deeply, or null. The parser recurses once per level, and V8 ends the
 * whole process when it compiles a regular expression at the end of the stack. Indentation needs no limit:
 * n levels take about n² characters, and the file's size is limited.
 */
function findDeepNesting(text: string): number | null {
  let line = 1
  let isScalarText = false
  let flows = 0
  let inLine = 0
  for (const token of new Lexer().lex(text)) {
    const type: CST.TokenType | null = isScalarText ? null : CST.tokenType(token)
    isScalarText = type === 'scalar'
    if (type === 'newline') inLine = 0
    if (type !== null && OPENING.has(type)) flows++
    if (type !== null && CLOSING.has(type)) flows--
    if (type !== null && INDICATORS.has(type)) inLine++
    if (flows > MAX_DEPTH || inLine > MAX_DEPTH) return line
    line += token.split('\n').length - 1
  }
  return null
}

type Entry = [key: string, value: Node | null, node: Node]

/** @param name the file's name, for messages */
export function parseConfig(text: string, name: string): ProjectConfig {
  const lineCounter = new LineCounter()

  function fail(at: number, sentence: string): never {
    throw new Failure(`${name}:${lineCounter.linePos(at).line}: ${sentence}`, exitCodes.usage)
  }
  const startOf = (node: Node | null): number => node?.range?.[0] ?? 0

  function entriesOf(node: Node | null, what: string, allowed?: readonly string[]): Entry[] {
    if (node === null || (isScalar(node) && node.value === null)) return []
    if (!isMap(node)) fail(startOf(node), `${what} must be a mapping`)
    return node.items.map(({ key, value }): Entry => {
      const at = key as Node
      if (!isScalar(at) || typeof at.value !== 'string') fail(startOf(at), `${what}: a key must be a word`)
      if (allowed !== undefined && !allowed.includes(at.value)) {
        fail(startOf(at), `"${at.value}" is not a key of ${what}; allowed are ${allowed.join(', ')}`)
      }
      return [at.value, value as Node | null, at]
    })
  }

  function wordsOf(node: Node | null, key: Node, what: string): Array<{ word: string; node: Node }> {
    if (!isSeq(node)) fail(startOf(node ?? key), `${what} must be a list of words`)
    return (node.items as Node[]).map((item) => {
      if (!isScalar(item) || typeof item.value !== 'string') {
        fail(startOf(item), `${what} must be a list of words`)
      }
      return { word: item.value, node: item }
    })
  }

  function patternsOf(value: Node | null, key: Node, what: string): string[] {
    const words = wordsOf(value, key, what)
    if (words.length > MAX_PATTERNS) fail(startOf(key), `${what} has more than ${MAX_PATTERNS} patterns`)
    for (const { word, node } of words) {
      const isOutside = /^[/~]|^[A-Za-z]:|\\|\p{Cc}/u.test(word) || word.split('/').includes('..')
      if (word === '' || isOutside) {
        fail(startOf(node), `"${word}" is not a pattern of paths in this repository, such as src/**`)
      }
      const wildcards = word.match(/\*\*|[*?[{(]/g)?.length ?? 0
      if (word.length > MAX_PATTERN_CHARS || wildcards > MAX_WILDCARDS) {
        fail(
          startOf(node),
          `a pattern may have ${MAX_PATTERN_CHARS} characters and ${MAX_WILDCARDS} wildcards; this one has more`
        )
      }
    }
    return words.map(({ word }) => word)
  }

  function ruleOf([rule, value, key]: Entry): [string, SarifLevel | 'off'] {
    if (!/^[a-z]+\/[a-z0-9][a-z0-9-]*$/i.test(rule)) {
      fail(startOf(key), `"${rule}" is not the name of a rule, such as js/no-eval`)
    }
    const word = isScalar(value) ? value.value : undefined
    if (typeof word !== 'string' || !Object.hasOwn(levels, word)) {
      fail(startOf(value ?? key), `a rule is one of ${Object.keys(levels).join(', ')}`)
    }
    return [rule, levels[word as keyof typeof levels]]
  }

  function languageOf({ word, node }: { word: string; node: Node }): Language {
    return (
      canonicalLanguage(word) ??
      fail(startOf(node), `"${word}" is not a language that the service knows, such as python`)
    )
  }

  const deep = findDeepNesting(text)
  if (deep !== null) {
    throw new Failure(`${name}:${deep}: values nest more than ${MAX_DEPTH} levels deep`, exitCodes.usage)
  }
  const documents = parseAllDocuments(text, { lineCounter, logLevel: 'silent' })
  const [document, second] = documents
  if (document === undefined) return { ...noConfig }
  const [problem] = [...document.errors, ...document.warnings]
  if (problem !== undefined) {
    fail(problem.pos[0], problem.message.split('\n')[0]?.replace(/ at line .*/, '') ?? '')
  }
  if (second !== undefined) fail(second.range[0], 'there must be one document')
  const config = { ...noConfig }
  for (const [key, value, at] of entriesOf(document.contents as Node | null, 'the file', [
    'paths',
    'rules',
    'languages'
  ])) {
    if (key === 'languages') config.languages = wordsOf(value, at, key).map(languageOf)
    else if (key === 'rules') config.rules = new Map(entriesOf(value, key).map(ruleOf))
    else {
      for (const [part, patterns, node] of entriesOf(value, key, ['include', 'exclude'])) {
        config[part as 'include' | 'exclude'] = patternsOf(patterns, node, `paths.${part}`)
      }
    }
  }
  return config
}
