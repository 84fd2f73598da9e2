import { Type, Value } from '@filewright/schema'
import { analysisTypes, findingTypes, type AnalysisType, type FindingType } from '@filewright/contracts'
import { splitLines } from '../anchors.js'
import { plainSentence, withoutThinking } from './clean-text.js'
import { lineOf } from './find-line.js'
import { isForTools, isEmptyFinding } from './no-finding.js'

const RawFinding = Type.Object({
  anchor: Type.Optional(Type.String({ maxLength: 20 })),
  line: Type.Optional(Type.Integer()),
  quote: Type.Optional(Type.String()),
  category: Type.Enum(analysisTypes),
  type: Type.Enum(findingTypes),
  message: Type.String(),
  suggestion: Type.Optional(Type.String())
})

export interface ModelFinding {
  line: number
  category: AnalysisType
  type: FindingType
  message: string
  /** How to fix it; empty when the model did not say. */
  suggestion: string
}

export interface ModelFindings {
  findings: ModelFinding[]
  /** The number of findings that were rejected. */
  dropped: number
  /** False when the response had no list. */
  usable: boolean
}

const MESSAGE_CHARS = 300
const SUGGESTION_CHARS = 200
const QUOTE_CHARS = 2_000
const MAX_FINDINGS = 50
const FLAT_OBJECT = /\{(?:[^{}"]|"(?:[^"\\]|\\[\s\S])*")*\}/g
const ANCHOR_IN_TEXT = /\b(\d{1,7})#[0-9a-f]{3}\b/g
const MARK_IN_TEXT = /\b[0-9a-f]{16}\b/g

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The items of the response. They are flat, so those before a truncation can be recovered. */
function itemsIn(text: string): unknown[] | undefined {
  const whole = parsed(text)
  if (Array.isArray(whole)) return whole
  if (typeof whole === 'object' && whole !== null) {
    const list = (whole as { findings?: unknown }).findings
    return Array.isArray(list) ? list : undefined
  }
  const objects = (text.match(FLAT_OBJECT) ?? [])
    .map(parsed)
    .filter((value) => Value.Check(RawFinding, value))
  if (objects.length > 0) return objects
  return /"findings"\s*:\s*\[/.test(text) ? [] : undefined
}

/** Empty when it contains the prompt's boundary, which the code cannot contain. */
function sentence(text: string, maxChars: number, code: string): string {
  const leaks = text.match(MARK_IN_TEXT)?.some((mark) => !code.includes(mark)) ?? false
  return leaks ? '' : plainSentence(text.replace(ANCHOR_IN_TEXT, 'line $1'), maxChars)
}

export interface ReadingOptions {
  /** Absent: all four. */
  types?: readonly AnalysisType[]
  /** Leaves what parsers and linters decide in this language to them. Default false. */
  toolsDecide?: boolean
}

const VERBS =
  /^(?:use|add|remove|change|replace|fix|check|rename|avoid|return|make|set|do|handle|try|see|parse|validate)$/
const POINTING = /^(?:it|this|that|here|them|these|those|one|instead|with|the|and)$/

/** "Use >=." is unclear on its own: then the problem is put before it. */
function selfContained(suggestion: string, message: string): string {
  const words = suggestion.toLowerCase().match(/\p{L}{2,}/gu) ?? []
  if (suggestion === '' || words.some((word) => !VERBS.test(word) && !POINTING.test(word))) return suggestion
  const joined = `${message.replace(/[.!]+$/, '')}: ${suggestion.slice(0, 1).toLowerCase()}${suggestion.slice(1)}`
  return joined.length <= SUGGESTION_CHARS ? joined : suggestion
}

/**
 * A model's findings in `code`, as far as they can be verified: known fields, a wanted category, an existing
 * line, a message.
 */
export function parseModelFindings(
  text: string,
  code: string,
  { types = analysisTypes, toolsDecide = false }: ReadingOptions = {}
): ModelFindings {
  const items = itemsIn(withoutThinking(text).trim())
  if (items === undefined) return { findings: [], dropped: 0, usable: false }

  const lines = splitLines(code)
  const findings = new Map<string, ModelFinding>()
  for (const item of items) {
    if (findings.size === MAX_FINDINGS) break
    if (!Value.Check(RawFinding, item) || !types.includes(item.category)) continue
    const message = sentence(item.message, MESSAGE_CHARS, code)
    if (!/\p{L}{2}/u.test(message) || isEmptyFinding(message) || (toolsDecide && isForTools(message))) {
      continue
    }
    const line = lineOf({ ...item, quote: item.quote?.slice(0, QUOTE_CHARS) }, lines)
    if (line === undefined) continue
    const key = `${line} ${message
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()}`
    if (findings.has(key)) continue
    const suggestion = sentence(item.suggestion ?? '', SUGGESTION_CHARS, code)
    findings.set(key, {
      line,
      category: item.category,
      type: item.type,
      message,
      suggestion: isEmptyFinding(suggestion) ? '' : selfContained(suggestion, message)
    })
  }
  return {
    findings: [...findings.values()].sort((a, b) => a.line - b.line),
    dropped: items.length - findings.size,
    usable: true
  }
}
