import { Type, Value } from '@filewright/schema'
import { analysisTypes, findingTypes, type AnalysisType, type FindingType } from '@filewright/contracts'
import { splitLines } from '../anchors.js'
import { plainSentence, withoutThinking } from './clean-text.js'
import { lineOf } from './find-line.js'
import { isForTools, isNoFinding } from './no-finding.js'

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
  /** What to do about it; empty when the model had nothing to say. */
  suggestion: string
}

export interface ModelFindings {
  findings: ModelFinding[]
  /** Reported by the model and not believed. */
  dropped: number
  /** False when there was no list at all in the answer. */
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

/**
 * The items of the answer. They are flat, so those before the place where an answer was cut off can be saved.
 */
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

/** Empty when it gives away the mark of the prompt, which the code cannot hold. */
function sentence(text: string, maxChars: number, code: string): string {
  const leaks = text.match(MARK_IN_TEXT)?.some((mark) => !code.includes(mark)) ?? false
  return leaks ? '' : plainSentence(text.replace(ANCHOR_IN_TEXT, 'line $1'), maxChars)
}

export interface ReadingOptions {
  /** Absent: all four. */
  types?: readonly AnalysisType[]
  /** What parsers and linters decide in this language is left to them. Default false. */
  toolsDecide?: boolean
}

const VERBS =
  /^(?:use|add|remove|change|replace|fix|check|rename|avoid|return|make|set|do|handle|try|see|parse|validate)$/
const POINTING = /^(?:it|this|that|here|them|these|those|one|instead|with|the|and)$/

/** "Use >=." says nothing to somebody who reads the suggestions alone: then the problem stands before it. */
function standingAlone(suggestion: string, message: string): string {
  const words = suggestion.toLowerCase().match(/\p{L}{2,}/gu) ?? []
  if (suggestion === '' || words.some((word) => !VERBS.test(word) && !POINTING.test(word))) return suggestion
  const joined = `${message.replace(/[.!]+$/, '')}: ${suggestion.slice(0, 1).toLowerCase()}${suggestion.slice(1)}`
  return joined.length <= SUGGESTION_CHARS ? joined : suggestion
}

/**
 * What a model found in `code`, as far as it can be verified: known fields, a wanted category, a line that is
 * there, something to say.
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
    if (!/\p{L}{2}/u.test(message) || isNoFinding(message) || (toolsDecide && isForTools(message))) continue
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
      suggestion: isNoFinding(suggestion) ? '' : standingAlone(suggestion, message)
    })
  }
  return {
    findings: [...findings.values()].sort((a, b) => a.line - b.line),
    dropped: items.length - findings.size,
    usable: true
  }
}
