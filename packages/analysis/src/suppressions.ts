import { isOneOf, scriptLanguages } from './language-groups.js'
import { faultRules } from './proof-kinds.js'
import { commentsIn, type Comment } from './text/comments.js'
import { breakLinesAsScript, createSource, submittedLines } from './text/source.js'
import { analysisTypes, type AnalyzeInput, type Finding } from './types.js'

const WORD = 'filewright-ignore'
const MAX_REASON_CHARS = 300
const MAX_COMMENT_CHARS = 2_000

export interface Suppression {
  /** Of the comment, in the submitted code. */
  line: number
  /** Empty where the comment names none. */
  rule: string
  /** Null where the comment gives none. */
  reason: string | null
  /** The line whose findings it suppresses; null where no code follows. */
  target: number | null
}

const pattern = new RegExp(`^${WORD}(?![\\w-])\\s*(\\S*)\\s*([\\s\\S]*)$`)

function readComment({ text }: Comment): { rule: string; reason: string | null } | null {
  const inner = text
    .slice(0, MAX_COMMENT_CHARS)
    .replace(/\n[ \t]*\*(?!\/)/g, '\n')
    .replace(/^(?:\/\/+!?|\/\*+!?|#+|--+|<!--+)\s*/, '')
    .replace(/\s*(?:\*+\/|--+>)$/, '')
  const [, rule, rest] = pattern.exec(inner) ?? []
  if (rule === undefined || rest === undefined) return null
  if (/^--/.test(rule)) return { rule: '', reason: null }
  const reason = /^--+\s*(?=\S)([\s\S]*)$/.exec(rest)?.[1] ?? null
  return { rule, reason: reason?.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON_CHARS) ?? null }
}

/** In markup a comment stands in braces of its own. */
const isBlank = (line: string | undefined): boolean => /^\s*(?:\{\s*\}\s*)?$/.test(line ?? '')

/**
 * The comments that suppress findings. On a line of its own a comment is about the next line of code, otherwise
 * about its own line.
 */
export function suppressionsIn({ code, language }: Pick<AnalyzeInput, 'code' | 'language'>): Suppression[] {
  if (!code.includes(WORD)) return []
  const source = createSource(isOneOf(language, scriptLanguages) ? breakLinesAsScript(code) : code)
  const asSubmitted = submittedLines(code, source)
  const comments = commentsIn(source.text, language)
  let bare = ''
  let done = 0
  for (const { start, end, text } of comments) {
    bare += source.text.slice(done, start) + text.replace(/[^\n]/g, ' ')
    done = end
  }
  const lines = (bare + source.text.slice(done)).split('\n')

  /** For each line the first one from there that has code. */
  const codeFrom: Array<number | null> = []
  for (let line = lines.length; line >= 1; line--) {
    codeFrom[line] = isBlank(lines[line - 1]) ? (codeFrom[line + 1] ?? null) : line
  }

  return comments.flatMap((comment) => {
    const read = readComment(comment)
    if (read === null) return []
    const line = source.lineAt(comment.start)
    const lastLine = source.lineAt(Math.max(comment.end - 1, comment.start))
    const target = codeFrom[line] === line ? line : (codeFrom[lastLine] ?? null)
    return [{ ...read, line: asSubmitted(line), target: target === null ? null : asSubmitted(target) }]
  })
}

/** That the analysis is incomplete, or that a suppression is wrong, is never suppressed. */
const isSuppressible = (rule: string): boolean => !/^all\/(?:analyzer-failed$|.*suppression)/.test(rule)
/** What a language model finds differs from run to run, and the analyzers do not run the code. */
const otherRules = new Set<string>([
  ...analysisTypes.map((type) => `model/${type}`),
  ...Object.values(faultRules).map(({ ruleId }) => ruleId)
])

/** Findings with the reasons that comments give for them. */
export function suppress(findings: readonly Finding[], suppressions: readonly Suppression[]): Finding[] {
  if (suppressions.length === 0) return [...findings]
  const reasons = new Map<string, string>()
  for (const { rule, target, reason } of suppressions) {
    if (reason !== null && target !== null && isSuppressible(rule)) reasons.set(`${target}:${rule}`, reason)
  }
  return findings.map((finding) => {
    const reason = reasons.get(`${finding.line}:${finding.ruleId}`)
    return reason === undefined ? finding : { ...finding, suppression: reason }
  })
}

/** What is wrong with a suppression. */
export type Misuse = 'no-reason' | 'unknown-rule' | 'unused'

/**
 * @param findings all of them, those that are suppressed too
 * @param isKnown whether there is a rule of that name
 * @param ran whether the analyzers looked for it; of others nobody knows whether they would fire
 */
export function misuses(
  findings: readonly Finding[],
  suppressions: readonly Suppression[],
  isKnown: (rule: string) => boolean,
  ran: (rule: string) => boolean
): Array<{ line: number; misuse: Misuse; rule: string }> {
  const fired = new Set(findings.map(({ line, ruleId }) => `${line}:${ruleId}`))
  return suppressions.flatMap(({ line, rule, reason, target }) => {
    const misuse = ((): Misuse | null => {
      if (!isSuppressible(rule) || !(otherRules.has(rule) || isKnown(rule))) return 'unknown-rule'
      if (reason === null) return 'no-reason'
      return !ran(rule) || fired.has(`${target ?? 0}:${rule}`) ? null : 'unused'
    })()
    return misuse === null ? [] : [{ line, misuse, rule }]
  })
}
