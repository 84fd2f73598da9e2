import { parse } from '@ast-grep/napi'
import type { Source } from '../text/source.js'
import { treeLanguages, type TreeLanguage } from './languages.js'
import { registerTreeLanguages } from './register.js'

const WINDOW_CHARS = 2_048
/** A window may end at a line break that is at most this far away. */
const MAX_LINE_CHARS = 256
/** Windows of code stay below 10, windows of text that is not code lie above 250. */
const MAX_PIECES_PER_WINDOW = 80
/** A single window may begin in the middle of a long expression; not this many in a row. */
const MAX_WINDOWS = 4

/** Where comments and strings begin. In shell code a backslash also takes the meaning from the next character. */
const openers: Record<TreeLanguage, RegExp> = {
  go: /\/\*|\/\/|["'`]/g,
  java: /\/\*|\/\/|"""|["']/g,
  rust: /\/\*|\/\/|\bb?r#*"|"|'(?:\\[^\n][^'\n]{0,10}|[^'\\\n])'/g,
  shell: /\\[\s\S]|(?<![^\s;])#|["']|<<-?[ \t]*(["']?)(\w+)\1/g,
  python: /#|"""|'''|["']/g,
  html: /<!--|<(?:script|style)\b[^>]*>/gi
}

interface Ending {
  mark: string
  /** A backslash before the mark makes it part of the string. */
  isEscapable?: boolean
  isInLine?: boolean
}

function endingOf(opener: string, language: TreeLanguage): Ending | null {
  if (opener === '//' || opener === '#') return { mark: '\n' }
  if (opener === '/*') return { mark: '*/' }
  if (opener === '<!--') return { mark: '-->' }
  if (opener === '`') return { mark: '`' }
  if (opener.length === 3 && /^["']+$/.test(opener)) return { mark: opener, isEscapable: true }
  if (opener === "'" && language === 'shell') return { mark: "'" }
  if (opener === '"' && (language === 'shell' || language === 'rust')) return { mark: '"', isEscapable: true }
  if (opener === '"' || opener === "'") return { mark: opener, isEscapable: true, isInLine: true }
  if (opener.startsWith('<<')) return { mark: `\n${/\w+/.exec(opener)![0]}` }
  if (opener.startsWith('<')) return { mark: `</${/\w+/.exec(opener)![0]}` }
  const raw = /r(#*)"$/.exec(opener)
  return raw === null ? null : { mark: `"${raw[1]}` }
}

/** Where the mark stands, or -1. */
function find(text: string, from: number, { mark, isEscapable = false, isInLine = false }: Ending): number {
  if (!isEscapable) return text.indexOf(mark, from)
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text.startsWith(mark, at)) return at
    else if (isInLine && text[at] === '\n') return -1
  }
  return -1
}

/**
 * The code without its comments, and with strings of one character. A comment or string that does not end stays, because the
 * parser reads its words as code.
 */
function withoutTexts(text: string, language: TreeLanguage): string {
  const parts: string[] = []
  const missing = new Set<string>()
  const opener = new RegExp(openers[language])
  let at = 0
  for (let found = opener.exec(text); found !== null; found = opener.exec(text)) {
    const [word] = found
    const ending = endingOf(word, language)
    const from = found.index + word.length
    // A character in Rust, or one that a backslash precedes.
    if (ending === null) continue
    const end = missing.has(ending.mark) ? -1 : find(text, from, ending)
    if (end !== -1) {
      const isComment = /^(?:\/|#|<!)/.test(word)
      parts.push(text.slice(at, found.index), isComment ? ' ' : `${word}a`)
      // The line break is not part of the comment that ends with it.
      at = isComment && ending.mark !== '\n' ? end + ending.mark.length : end
      opener.lastIndex = isComment ? at : end + ending.mark.length
    } else if (ending.isInLine === true) {
      // Looking from each of its quotes again would take the square of the line.
      const lineEnd = text.indexOf('\n', from)
      opener.lastIndex = lineEnd === -1 ? text.length : lineEnd
    } else missing.add(ending.mark)
  }
  parts.push(text.slice(at))
  return parts.join('')
}

/** So many brackets around a window are enough to tell what it is part of, each with what stands before it. */
const MAX_CONTEXT = 3
const MAX_HEAD_CHARS = 200

const closers: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** The bracket with the statement or element that it belongs to. */
function headOf(text: string, bracket: number): string {
  const before = text.slice(Math.max(0, bracket - MAX_HEAD_CHARS), bracket)
  return before.slice(Math.max(...[...';{}(),'].map((each) => before.lastIndexOf(each))) + 1) + text[bracket]
}

/**
 * Pieces of the code, each between the brackets that are open where it begins or ends: elements of a long list
 * alone would not look like code.
 */
function* windowsOf(text: string): Generator<string> {
  const open: number[] = []
  for (let at = 0; at < text.length; ) {
    const cut = at + WINDOW_CHARS
    const lineEnd = text.indexOf('\n', cut)
    const end = lineEnd === -1 || lineEnd > cut + MAX_LINE_CHARS ? cut : lineEnd + 1
    const heads = open.slice(-MAX_CONTEXT).map((bracket) => headOf(text, bracket))
    for (let index = at; index < end; index++) {
      const char = text.charAt(index)
      if (char in closers) open.push(index)
      else if (char === closers[text.charAt(open.at(-1) ?? text.length)]) open.pop()
    }
    const ends = open.slice(-2 * MAX_CONTEXT).map((bracket) => closers[text.charAt(bracket)]!)
    yield heads.join('') + text.slice(at, end) + ends.reverse().join('')
    at = end
  }
}

/**
 * True for code with a long stretch that is not code in this language. There the parser's error recovery takes
 * minutes and gigabytes, and nothing can stop a native call. On a small window it is quick, and code that was
 * merely cut has few errors. Comments and strings are taken out first: a window that begins inside one of them
 * would not look like code.
 */
export function hasGarbage({ text }: Source, language: TreeLanguage): boolean {
  if (text.length <= MAX_WINDOWS * WINDOW_CHARS) return false
  registerTreeLanguages()
  let row = 0
  for (const window of windowsOf(withoutTexts(text, language))) {
    const errors = parse(treeLanguages[language], window)
      .root()
      .findAll({ rule: { kind: 'ERROR' } })
    const pieces = errors.reduce((count, error) => count + error.children().length, 0)
    row = pieces > MAX_PIECES_PER_WINDOW ? row + 1 : 0
    if (row >= MAX_WINDOWS) return true
  }
  return false
}
