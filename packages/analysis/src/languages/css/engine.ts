import { generate, parse, walk, type CssNode } from 'css-tree'
import { addTo } from '../../lists.js'
import { inOlderWords, structureOf } from './older-words.js'
import type { CssRule } from './rule.js'
import { cssRules } from './rules/index.js'
import type { Source } from '../../text/source.js'
import { skippedSyntax, type FailureHook, type Hit, type SyntaxResult } from '../../types.js'
import type { Engine } from '../../engines/engine.js'

const maxDepth = 200
/** The parser goes through the whole text for each error. Style sheets in new words have a few. */
const MAX_PARSE_ERRORS = 300

class TooManyErrors extends Error {
  override readonly name = 'TooManyErrors'
}

function read(source: Source): { syntax: SyntaxResult; sheet: CssNode | null } {
  if (source.nesting('css').brackets > maxDepth) return { syntax: skippedSyntax, sheet: null }
  const errors: { line: number; message: string }[] = []
  const structure = structureOf(source.text)
  const sheet = parseSheet(inOlderWords(source.text, structure), errors)
  if (sheet === null) return { syntax: skippedSyntax, sheet }
  const unbalanced = firstUnbalanced(source, structure)
  const first = errors.sort((a, b) => a.line - b.line)[0] ?? unbalanced
  return { syntax: first === null || first === undefined ? { ok: true } : { ok: false, ...first }, sheet }
}

/** Null for a text with so many errors that it is no style sheet. */
function parseSheet(text: string, errors: { line: number; message: string }[]): CssNode | null {
  let count = 0
  try {
    return parse(text, {
      positions: true,
      onParseError: ({ message, ...place }) => {
        if (++count > MAX_PARSE_ERRORS) throw new TooManyErrors()
        // A condition that is newer than the parser.
        if (!message.startsWith('Unknown feature')) {
          errors.push({ message, line: (place as { line?: number }).line ?? 1 })
        }
      }
    })
  } catch (error) {
    if (error instanceof TooManyErrors) return null
    throw error
  }
}

/** CSS itself closes what is left open, so the parser says nothing about it. */
function firstUnbalanced(source: Source, text: string): { line: number; message: string } | null {
  const open: number[] = []
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '{') open.push(index)
    else if (text[index] === '}' && open.pop() === undefined) {
      return { line: source.lineAt(index), message: 'this } closes nothing' }
    }
  }
  return open.length === 0 ? null : { line: source.lineAt(open.at(-1)!), message: 'this { is never closed' }
}

function apply(sheet: CssNode, rules: readonly CssRule[], onFailure: FailureHook): Hit[] {
  const byType = new Map<string, CssRule[]>()
  for (const rule of rules) addTo(byType, rule.on, rule)
  const hits: Hit[] = []
  const ancestors: CssNode[] = []
  walk(sheet, {
    enter(node: CssNode) {
      for (const rule of byType.get(node.type) ?? []) {
        try {
          const found = rule.when(node, { ancestors, text: generate })
          const places =
            found === true
              ? [node]
              : found === false
                ? []
                : Array.isArray(found)
                  ? (found as CssNode[])
                  : [found as CssNode]
          for (const place of places) {
            hits.push({ rule, line: place.loc?.start.line ?? node.loc?.start.line ?? 1 })
          }
        } catch (error) {
          onFailure(rule.id, error)
        }
      }
      ancestors.push(node)
    },
    leave() {
      ancestors.pop()
    }
  })
  return hits
}

export const cssEngine: Engine = {
  run(source, _language, wanted, onFailure) {
    const { syntax, sheet } = read(source)
    return {
      syntax,
      hits:
        sheet === null
          ? []
          : apply(
              sheet,
              cssRules.filter((rule) => wanted.has(rule.analysisType)),
              onFailure
            )
    }
  },
  syntax: (source) => read(source).syntax
}
