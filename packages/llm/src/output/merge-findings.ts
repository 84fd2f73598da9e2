import { splitLines } from '../anchors.js'
import { namesIn } from './find-line.js'
import { isSameFinding, similarity, subjectsOf } from './finding-meaning.js'
import type { ModelFinding } from './model-findings.js'

export interface KnownFinding {
  line: number
  message: string
  /** Adds words to compare: `js/sql-injection`. */
  ruleId?: string
}

/** Findings with the same meaning this close to each other are one. */
const NEAR_LINES = 2
/** Lines this similar each have the same problem. */
const ALIKE_LINES = 0.6
/** Messages this similar mean the same, wherever they are. */
const SAME_MESSAGE = 0.85
/** A finding on more lines than this is about the whole file. */
const MAX_REPEATS = 3

const textOf = ({ message, ruleId = '' }: KnownFinding): string =>
  `${ruleId.replace(/^[^/]*\//, '').replace(/-/g, ' ')}. ${message}`

/**
 * The model's new findings, without duplicates and without findings that a tool reported in other words or
 * another category. On a line with a known finding, a different one is kept.
 */
export function newFindings(
  findings: readonly ModelFinding[],
  known: readonly KnownFinding[],
  code: string
): ModelFinding[] {
  const lines = splitLines(code)
  const textAt = (line: number): string => lines[line - 1] ?? ''
  // Two adjacent calls may each have the same problem.
  const areTwoPlaces = (a: number, b: number): boolean =>
    a !== b && similarity(textAt(a), textAt(b)) >= ALIKE_LINES
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= NEAR_LINES && !areTwoPlaces(a, b)

  const isKnown = ({ line, message }: ModelFinding): boolean =>
    known.some((each) => {
      if (similarity(message, each.message) >= SAME_MESSAGE) return true
      if (line === each.line || isNear(line, each.line)) return isSameFinding(message, textOf(each))
      // A weak model repeats known findings on the first line.
      return line === 1 && [...subjectsOf(message)].some((subject) => subjectsOf(textOf(each)).has(subject))
    })

  const isBetter = (a: ModelFinding, b: ModelFinding): boolean => {
    if (a.type !== b.type) return a.type === 'warning'
    const named = ({ message, line }: ModelFinding): number =>
      namesIn(message).filter((name) => textAt(line).includes(name)).length
    return named(a) > named(b)
  }

  const kept: ModelFinding[] = []
  for (const finding of findings) {
    if (isKnown(finding)) continue
    const twin = kept.findIndex(
      (each) =>
        (each.line === finding.line || isNear(each.line, finding.line)) &&
        isSameFinding(each.message, finding.message)
    )
    const earlier = kept[twin]
    if (earlier === undefined) kept.push(finding)
    else if (isBetter(finding, earlier)) kept[twin] = finding
  }
  return withoutRepeatedMessages(kept).sort((a, b) => a.line - b.line)
}

/** A message on many lines counts once, as a suggestion, because models repeat invented findings. */
function withoutRepeatedMessages(findings: readonly ModelFinding[]): ModelFinding[] {
  const alike = (a: ModelFinding, b: ModelFinding): boolean =>
    similarity(a.message, b.message) >= SAME_MESSAGE
  return findings.flatMap((finding, index) => {
    const count = findings.filter((other) => alike(finding, other)).length
    if (count <= MAX_REPEATS) return [finding]
    return findings.findIndex((other) => alike(finding, other)) === index
      ? [{ ...finding, type: 'suggestion' as const }]
      : []
  })
}
