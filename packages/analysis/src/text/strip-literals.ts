import type { Language } from '@filewright/contracts'
import { sqlLanguages } from '../language-groups.js'
import { stripShell, type CommentHook } from './strip-shell.js'

/** How a string or comment ends. */
interface Ending {
  readonly mark: string
  readonly isComment?: true
  /** A backslash takes the meaning from the next character. */
  readonly isEscapable?: true
  /** Cannot go past the end of its line. */
  readonly isInLine?: true
  /** Holds others of its kind. */
  readonly isNested?: string
  /** What begins an expression in the string. */
  readonly hole?: '${' | '{'
}

interface Lexis {
  /** Strings, comments and, where strings have holes, braces. */
  readonly openers: RegExp
  endingOf(opener: string, text: string, at: number): Ending | number | null
}

const lineComment: Ending = { mark: '\n', isComment: true }
const blockComment: Ending = { mark: '*/', isComment: true }
const nestedComment: Ending = { ...blockComment, isNested: '/*' }
const quoted = (mark: string): Ending => ({ mark, isEscapable: true, isInLine: true })

function endingInC(opener: string): Ending {
  if (opener === '//') return lineComment
  if (opener === '/*') return blockComment
  if (opener === '`') return { mark: '`' }
  return opener === '"""' ? { mark: '"""', isEscapable: true } : quoted(opener)
}

const go: Lexis = { openers: /\/\/|\/\*|["'`]/g, endingOf: endingInC }
const java: Lexis = { openers: /\/\/|\/\*|"""|["']/g, endingOf: endingInC }
const css: Lexis = {
  openers: /\/\*|["']|\burl\(\s*(?!["'\s])/gi,
  endingOf: (opener) => (/^url/i.test(opener) ? { mark: ')', isEscapable: true } : endingInC(opener))
}

const rust: Lexis = {
  // A quote also begins a lifetime, which is no literal.
  openers: /\/\/|\/\*|\b[bc]?r#*"|"|'(?:\\[^\n][^'\n]{0,10}|[^'\\\n])'/g,
  endingOf(opener, _text, at) {
    if (opener.startsWith("'")) return at + opener.length
    if (opener === '/*') return nestedComment
    if (opener === '//') return lineComment
    const raw = /r(#*)"$/.exec(opener)
    return raw === null ? { mark: '"', isEscapable: true } : { mark: `"${raw[1]}` }
  }
}

const python: Lexis = {
  openers: /#|(?:(?<!\w)[fFtTrRbBuU]{1,3})?(?:"""|'''|["'])|[{}]/g,
  endingOf(opener) {
    if (opener === '#') return lineComment
    const [, prefix, mark] = /^(\w*)(.*)$/.exec(opener)!
    return {
      ...(mark!.length === 3 ? { mark: mark!, isEscapable: true } : quoted(mark!)),
      ...(/[ft]/i.test(prefix!) ? { hole: '{' } : {})
    }
  }
}

const sql: Lexis = {
  openers: /--|\/\*|\b[eE]'|["']|\$(?:[A-Za-z_]\w*)?\$/g,
  endingOf(opener) {
    if (opener === '--') return lineComment
    if (opener === '/*') return nestedComment
    if (/^e'/i.test(opener)) return { mark: "'", isEscapable: true }
    return { mark: opener }
  }
}

const beforeRegex = /(?:^|[^\s\w$)\]}"'`]|(?<![\w$.])(?:return|typeof|case|in|of|delete|void|throw|do|else))$/
const regexBody = /\/(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y
/** A longer one would make the search take the square of its line. */
const MAX_REGEX_CHARS = 500

/** The end of a regular expression, or null for a division and for the slash of a tag. */
function endOfRegex(text: string, at: number): number | null {
  if (text[at + 1] === '>' || text[at - 1] === '<') return null
  if (!beforeRegex.test(text.slice(Math.max(0, at - 40), at).trimEnd())) return null
  regexBody.lastIndex = 0
  const found = regexBody.exec(text.slice(at, at + MAX_REGEX_CHARS))
  return found === null ? null : at + found[0].length
}

/** Where this takes a division for a regular expression or the reverse, the depth of the syntax tree decides. */
const script: Lexis = {
  openers: /\/\/|\/\*|\/|["'`{}]/g,
  endingOf(opener, text, at) {
    if (opener === '/') return endOfRegex(text, at)
    return opener === '`' ? { mark: '`', isEscapable: true, hole: '${' } : endingInC(opener)
  }
}

/** As in Ruby and YAML: within a word the mark is a letter. */
const hashes: Lexis = {
  openers: /(?<!\S)#|["']/g,
  endingOf: (opener) => (opener === '#' ? lineComment : quoted(opener))
}

const lexes: Partial<Record<Language, Lexis>> = {
  javascript: script,
  jsx: script,
  typescript: script,
  tsx: script,
  go,
  java,
  rust,
  python,
  css,
  sql
}

/** Languages without an analyzer that write strings and comments as another one does. */
const alike: ReadonlyArray<readonly [Lexis, readonly Language[]]> = [
  [sql, sqlLanguages],
  [java, ['c', 'cpp', 'csharp', 'kotlin', 'swift', 'scala', 'groovy', 'dart', 'php', 'scss', 'less']],
  [hashes, ['ruby', 'yaml', 'toml', 'dockerfile', 'perl', 'r', 'elixir', 'terraform']]
]

/** Where a literal ends or its next hole begins; -1 if it does not end. */
function endOf(text: string, from: number, ending: Ending): { at: number; isHole: boolean } {
  const { mark, isEscapable, isInLine, isNested, hole } = ending
  if (isEscapable === undefined && isNested === undefined) {
    const at = text.indexOf(mark, from)
    return { at: at === -1 && mark === '\n' ? text.length : at, isHole: false }
  }
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (isEscapable === true && text[at] === '\\') at++
    else if (text.startsWith(mark, at) && --depth === 0) return { at, isHole: false }
    else if (isNested !== undefined && text.startsWith(isNested, at)) depth++
    else if (hole !== undefined && text.startsWith(hole, at)) {
      if (hole === '{' && text[at + 1] === '{') at++
      else return { at, isHole: true }
    } else if (isInLine === true && text[at] === '\n') return { at: -1, isHole: false }
  }
  return { at: -1, isHole: false }
}

/**
 * The code with strings of one letter and without comments, so that brackets and operators in them count for
 * nothing. A literal that does not end stays as it is.
 */
export function stripLiterals(text: string, language: Language): string {
  if (language === 'shell') return stripShell(text)
  const lexis = lexes[language]
  return lexis === undefined ? text : strip(text, lexis, () => {})
}

/** Tells where each comment begins and ends, in order; none in a language whose strings we do not know. */
export function eachComment(text: string, language: Language, onComment: CommentHook): void {
  if (language === 'shell') stripShell(text, onComment)
  const lexis = lexes[language] ?? alike.find(([, languages]) => languages.includes(language))?.[0]
  if (lexis !== undefined) strip(text, lexis, onComment)
}

function strip(text: string, lexis: Lexis, onComment: CommentHook): string {
  const openers = new RegExp(lexis.openers)
  const parts: string[] = []
  /** What the braces that are open belong to: null is code, else the string around the hole. */
  const open: (Ending | null)[] = []
  const unended = new Set<string>()
  let done = 0

  function skip(start: number, from: number, ending: Ending): void {
    const { at, isHole } = unended.has(ending.mark) ? { at: -1, isHole: false } : endOf(text, from, ending)
    if (at === -1) {
      if (ending.isInLine !== true) unended.add(ending.mark)
      const lineEnd = ending.isInLine === true ? text.indexOf('\n', from) : from
      openers.lastIndex = lineEnd === -1 ? text.length : lineEnd
      return
    }
    parts.push(text.slice(done, start), ending.isComment === true ? ' ' : 'a')
    // The line break is not part of the comment that ends with it.
    done = isHole || ending.mark === '\n' ? at : at + ending.mark.length
    if (ending.isComment === true) onComment(start, done)
    if (isHole) open.push(ending)
    openers.lastIndex = isHole ? at + ending.hole!.length : done
  }

  for (let found = openers.exec(text); found !== null; found = openers.exec(text)) {
    const [opener] = found
    if (opener === '{') open.push(null)
    else if (opener === '}') {
      const around = open.pop() ?? null
      if (around !== null) {
        parts.push(text.slice(done, found.index + 1))
        done = found.index + 1
        skip(done, done, around)
      }
    } else {
      const ending = lexis.endingOf(opener, text, found.index)
      if (typeof ending === 'number') {
        parts.push(text.slice(done, found.index), 'a')
        openers.lastIndex = done = ending
      } else if (ending !== null) skip(found.index, found.index + opener.length, ending)
    }
  }
  parts.push(text.slice(done))
  return parts.join('')
}
