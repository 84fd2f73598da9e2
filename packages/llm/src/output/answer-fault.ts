import { canonicalLanguage, type GenerationType } from '@filewright/contracts'
import { boundaryLine } from '../prompts/boundary.js'
import { plainAnswer } from './clean-text.js'
import { fencesIn } from './fences.js'
import { isOtherLanguage } from './language-signs.js'
import { isTrivialProgram } from './no-program.js'
import { isCommentOnly, isPlaceholder, wantsStubs } from './placeholders.js'
import { isProse } from './prose.js'
import { isRefusal, isRefusedContent, isAcknowledgement } from './refusals.js'
import { runsAway } from './repetition.js'

/** What is wrong with a response as a whole. Parsers report `syntax`. */
export type AnswerFault =
  | 'empty'
  | 'refusal'
  | 'talk'
  | 'echo'
  | 'placeholder'
  | 'language'
  | 'repetition'
  | 'leak'
  | 'syntax'
  | 'parts'
  | 'files'
  | 'module'
  | 'wrapper'

export interface AnsweredRequest {
  prompt: string
  type: GenerationType
  /** As named in the request's field or text. */
  language?: string | undefined
}

export interface JudgedCode {
  code: string
  fence: string
  /** Whether a parser of the wanted language accepts it; undefined without one. */
  parses?: boolean | undefined
  isCut?: boolean
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
const ECHO_WORDS = 4
const ECHO_EXTRA = 4
const HEADER_ECHO = /^Task: (?:code|component|content|api|repair)\b/m

/** Whether the text repeats the form of the prompt. */
function copiesPrompt(text: string): boolean {
  return HEADER_ECHO.test(text) || text.split('\n').some((line) => boundaryLine.test(line))
}

/** Whether the text only repeats the request. */
function isEcho(text: string, prompt: string): boolean {
  const [asked, said] = [words(prompt), words(text)]
  if (asked.length < ECHO_WORDS || said.length < asked.length || said.length > asked.length + ECHO_EXTRA) {
    return false
  }
  return ` ${said.join(' ')} `.includes(` ${asked.join(' ')} `)
}

const LOREM = /^[#*\s]*lorem ipsum dolor\b/i
const WANTS_FILLER = /\b(?:lorem|placeholder|dummy|filler|sample text)\b/i
/** May be all that was asked for. */
const SHORT_ANSWER = /^\W*(?:done|ok|okay|yes|no)\W*$/i
const NOTHING = /^[\s.…_*#>`~|\\/-]*$/
const LOOKS_LIKE_CODE = /[;{}=<>]|\(\)|=>/
const EXPLAINS =
  /^(?:to |you (?:can|could|should|need)|first,|here(?:'s|’s| is| are)|this (?:function|code|program|script)|i (?:will|would|can|have)|i['’](?:ll|d|ve)|the following|let['’]?s|certainly|sure|of course|in order to|one way)\b/i

/** Whether what should be code is only an explanation. */
function isExplanation(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isTalking = (line: string): boolean =>
    isProse(line) || /^(?:[-*•]|\d+[.)])\s+\p{L}[^;{}=]*[.:!?]?$/u.test(line.trim())
  if (!lines.every(isTalking)) return false
  return lines.length > 1 || EXPLAINS.test(text.trim()) || (text.match(/[.!?](?:\s|$)/g)?.length ?? 0) > 1
}

/** Enough to recognize a text; more only costs time. */
const JUDGED_CHARS = 60_000

/** The beginning without empty lines: line patterns would backtrack over runs of them. */
function beginningOf(text: string): string {
  return text.slice(0, JUDGED_CHARS).replace(/\n(?:[ \t]*\n)+/g, '\n')
}

/** What is wrong with requested code; undefined when nothing is certain. */
export function codeFault(
  text: string,
  { code: whole, fence, parses, isCut = false }: JudgedCode,
  { prompt, language }: AnsweredRequest
): AnswerFault | undefined {
  if (whole.trim() === '') return 'empty'
  const code = beginningOf(whole)
  const answer = beginningOf(plainAnswer(text).trim())
  if (NOTHING.test(code)) return 'empty'
  const isBare = fencesIn(answer).length === 0
  const uncommented = code.replace(/^[ \t]*(?:\/\/|#|--|\/\*+|\*|<!--)[ \t]*/gm, '').trim()
  if (isRefusal(isBare ? answer : uncommented)) return 'refusal'
  if (isAcknowledgement(isBare ? answer : code, prompt)) return 'talk'
  if (
    copiesPrompt(code) ||
    (!LOOKS_LIKE_CODE.test(prompt) && isEcho(isBare ? answer : uncommented, prompt))
  ) {
    return 'echo'
  }
  if (runsAway(whole, { prompt, isCut })) return 'repetition'
  const wanted = canonicalLanguage(language ?? '')
  if (isTrivialProgram(whole, wanted ?? canonicalLanguage(fence))) return 'empty'
  const isText = wanted === 'text' || wanted === 'markdown'
  if (!isText && parses !== true && fence === '' && isExplanation(code)) return 'talk'
  if (!isText && !wantsStubs(prompt) && isCommentOnly(code) && (fence !== '' || wanted !== null)) {
    return 'placeholder'
  }
  if (!isText && isPlaceholder(code, prompt)) return 'placeholder'
  if (wanted !== null && parses !== true && isOtherLanguage(wanted, fence, code)) return 'language'
  return undefined
}

/** A tool call that could not be parsed. */
const TOOL_CALL =
  /^\s*[[{]{1,2}\s*"(?:name|function|tool|tool_calls)"[^]{0,200}"(?:arguments|parameters|input)"\s*:/

/** What is wrong with requested content; undefined when nothing is certain. */
export function contentFault(
  content: string,
  { prompt }: Pick<AnsweredRequest, 'prompt'>,
  isCut = false
): AnswerFault | undefined {
  if (NOTHING.test(content)) return 'empty'
  if (isRefusedContent(content, prompt)) return 'refusal'
  if (isAcknowledgement(content, prompt) && !SHORT_ANSWER.test(content)) return 'talk'
  if (copiesPrompt(content) || isEcho(content, prompt)) return 'echo'
  if (LOREM.test(content) && !WANTS_FILLER.test(prompt)) return 'placeholder'
  if (TOOL_CALL.test(content) && !/\bjson\b/i.test(prompt)) return 'wrapper'
  return runsAway(content, { prompt, isCut }) ? 'repetition' : undefined
}
