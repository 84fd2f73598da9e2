import { plainAnswer } from './clean-text.js'
import { trimmed } from './extract-code.js'
import { fencesIn } from './fences.js'
import { unwrapped } from './answer/unwrap.js'

const REMARK_CHARS = 400
const INTERJECTION =
  /^(?:sure(?: thing)?|certainly|of course|absolutely|great(?: question| idea)?|okay|ok|alright|no problem|with pleasure|happy to help|got it|understood)\b[,.!:—–-]/i
const ANNOUNCEMENT =
  /^(?:here(?:['’]s| is| are)|below (?:is|are)|this is|the following is|i(?:['’]ve| have) (?:written|drafted|prepared|created)|i(?:['’]d| would) be (?:happy|glad))\b/i
/** What an announcement names: the piece of writing, or the person who asked. */
const NAMES_THE_TEXT =
  /\b(?:you|your|requested|asked|draft|version|attempt|post|article|e-?mail|letter|essay|poem|haiku|story|text|description|summary|readme|document|announcement|release|outline|copy|message|speech|review|blog|paragraphs?|slogans?|ideas?|taglines?|recipe|guide|faq|newsletter|translation|tweet|caption|bio)\b/i
const FAREWELL =
  /^(?:(?:please )?(?:let me know|feel free|don['’]t hesitate)|i hope (?:this|that|it|you)|hope (?:this|that|it) helps|if you(?:['’]d| would)? (?:like|need|have|want|prefer)|would you like|is there anything|happy to|just let me know|i can (?:also|adjust|tailor))\b/i
const ABOUT_THE_TEXT =
  /\b(?:adjust|tweak|modif\w+|revis\w+|tailor|chang\w+|edit\w*|refine\w*|expand\w*|shorten\w*|different tone|another version|this (?:draft|version|text|post|article|e-?mail|letter|helps)|it helps)\b/i
const OFFERS_HELP = /\b(?:help|questions?|anything else|need|further|more|assist\w*)\b/i
/** Letters end with the same words as a model's closing remark. */
const IS_LETTER = /\b(?:e-?mails?|letters?|messages?|repl(?:y|ies)|invitations?|notes?|chat|slack|sms)\b/i
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/

function isPreface(paragraph: string): boolean {
  if (paragraph.length > REMARK_CHARS || paragraph.includes('\n') || !/[:.!…]$/.test(paragraph)) return false
  if (INTERJECTION.test(paragraph)) return true
  return ANNOUNCEMENT.test(paragraph) && paragraph.endsWith(':') && NAMES_THE_TEXT.test(paragraph)
}

function isClosingRemark(paragraph: string, isLetter: boolean): boolean {
  if (paragraph.length > REMARK_CHARS || paragraph.includes('\n') || !FAREWELL.test(paragraph)) return false
  return ABOUT_THE_TEXT.test(paragraph) || (!isLetter && OFFERS_HELP.test(paragraph))
}

/** The text without what the model says to the user. Never removes everything. */
function withoutRemarks(text: string, prompt: string): string {
  const paragraphs = text
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.replace(/^\n+/, '').trimEnd())
    .filter((paragraph) => paragraph !== '')
  const isRule = (at: number): boolean => RULE.test(paragraphs.at(at)?.trim() ?? '')
  let rest = text
  if (paragraphs.length > 1 && isPreface(paragraphs[0]?.trim() ?? '')) {
    rest = rest.slice(rest.indexOf(paragraphs[0] ?? '') + (paragraphs.shift() ?? '').length).trimStart()
    if (paragraphs.length > 1 && isRule(0)) rest = rest.slice((paragraphs.shift() ?? '').trim().length)
  }
  if (
    paragraphs.length > 1 &&
    isClosingRemark(paragraphs.at(-1)?.trim() ?? '', IS_LETTER.test(prompt) && !isRule(-2))
  ) {
    rest = rest.slice(0, rest.lastIndexOf(paragraphs.pop() ?? '')).trimEnd()
    if (paragraphs.length > 1 && isRule(-1)) rest = rest.slice(0, rest.lastIndexOf(paragraphs.pop() ?? ''))
  }
  return trimmed(rest).trim()
}

/** The inside of a fence around the whole text, or of a Markdown document after one announcing line. */
function withoutFence(answer: string): string {
  const [fence, ...others] = fencesIn(answer)
  if (fence === undefined || others.length > 0) return answer
  const isFirst = /^(?:`{3,}|~{3,})(?:markdown|md|text|txt)?\n/i.test(answer)
  const isAnnounced = /^(?:markdown|md)$/.test(fence.language) && /^[^\n]+:$/.test(fence.prose)
  const isLast = !fence.closed || /(?:^|\n)[ \t]*(?:`{3,}|~{3,})$/.test(answer)
  return (isFirst || isAnnounced) && isLast ? trimmed(fence.code) : answer
}

/** The text inside JSON, a tool call or an element. */
function unwrappedContent(answer: string): string {
  const inside = unwrapped(answer)
  if (inside === undefined || inside === 'unreadable') return answer
  if ('text' in inside) return inside.text
  const [piece, ...others] = inside.pieces
  return piece === undefined || others.length > 0 ? answer : trimmed(piece.code).trim()
}

/** The requested text without an introduction, a closing remark, or a fence around all of it. */
export function extractContent(text: string, prompt = ''): string {
  const answer = trimmed(plainAnswer(text)).trim()
  return withoutFence(
    withoutRemarks(/\b(?:json|xml|html)\b/i.test(prompt) ? answer : unwrappedContent(answer), prompt)
  )
}
