import type { Language } from '@filewright/contracts'
import { declaredNames } from '../declared-names.js'
import { localImports } from './local-modules.js'

/** What a block of code declares and uses at its top level. */
export interface Outline {
  /** Functions, classes and types. */
  functions: ReadonlySet<string>
  /** Every name that the block declares, including variables. */
  declared: ReadonlySet<string>
  /** Names that are imported from other packages. */
  imported: ReadonlySet<string>
  used: ReadonlySet<string>
  /** The code without strings and comments, with the same lines. */
  masked: string
}

// Every repetition below is bounded or stops at its own delimiter: the text may be a megabyte of anything. A
// quotation mark after a backslash opens nothing, or each one in a run of them would be tried.
const DOUBLE = `(?<!\\\\)"[^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*)*"`
const STRINGS = `${DOUBLE}|(?<!\\\\)'[^'\\\\\\n]*(?:\\\\.[^'\\\\\\n]*)*'`
const TEMPLATE = '(?<!\\\\)`[^`\\\\]*(?:\\\\[^][^`\\\\]*)*`'
const TRIPLE = `"""[^]*?"""|'''[^]*?'''`
const SLASHES = `\\/\\/[^\\n]*`
const COMMENT = `\\/\\*[^]*?(?:\\*\\/|$)`
const REGEX_LITERAL = `(?<=[(,=:[!&|?{};\\n][ \\t]{0,4}|return )\\/(?![*/])(?:\\\\.|\\[(?:\\\\.|[^\\]\\\\\\n]){0,200}\\]|[^/\\\\\\n[]){1,500}\\/[a-z]{0,8}`

/**
 * The masked parts of a language, and the same without multi-line comments, for the rest of a text in which
 * none ends.
 */
interface Masks {
  all: RegExp
  withoutComments: RegExp
}
const masksOf = (...patterns: string[]): Masks => ({
  all: new RegExp(patterns.join('|'), 'g'),
  withoutComments: new RegExp(patterns.filter((pattern) => pattern !== COMMENT).join('|'), 'g')
})
const byLanguage: ReadonlyArray<readonly [languages: RegExp, masks: Masks]> = [
  [
    /^(?:javascript|jsx|typescript|tsx|go|vue|svelte|php|dart)$/,
    masksOf(SLASHES, COMMENT, STRINGS, TEMPLATE, REGEX_LITERAL)
  ],
  [/^(?:python|ruby|shell|yaml|elixir|perl|r|julia)$/, masksOf(TRIPLE, '#[^\\n]*', STRINGS)],
  [/sql$/, masksOf('--[^\\n]*', COMMENT, `'(?:''|[^'])*'`)]
]
const otherMasks = masksOf(SLASHES, COMMENT, DOUBLE, `'(?:\\\\.|[^'\\\\\\n])'`)

const INTERPOLATED = /[$#]?\{([^{}\n]{0,200})\}/g
const blanks = (text: string): string => text.replace(/[^\n]+/g, ' ')

/** Replaces strings and comments by spaces. Expressions inside a template stay, because they use names. */
export function masked(code: string, language: Language | null): string {
  const masks = byLanguage.find(([languages]) => languages.test(language ?? ''))?.[1] ?? otherMasks
  let text = ''
  let end = 0
  let pattern = masks.all
  pattern.lastIndex = 0
  for (let match = pattern.exec(code); match !== null; match = pattern.exec(code)) {
    const [part] = match
    if (part.startsWith('/*') && (part.length < 4 || !part.endsWith('*/'))) {
      // Nothing ends this comment or a later one, so it is not a comment: for example the path "src/*".
      pattern = masks.withoutComments
      pattern.lastIndex = match.index + 1
      continue
    }
    text +=
      code.slice(end, match.index) +
      maskOf(part, code.slice(Math.max(0, match.index - 2), match.index), language)
    end = pattern.lastIndex
  }
  return (text + code.slice(end)).replace(/[ \t]{2,}/g, ' ')
}

function maskOf(part: string, before: string, language: Language | null): string {
  const interpolates =
    part.startsWith('`') || /[fF]$/.test(before) || (language === 'ruby' && part.startsWith('"'))
  if (!interpolates) return blanks(part)
  const kept = [...part.matchAll(INTERPOLATED)].map(([, expression = '']) => blanks2(expression))
  return ` ${kept.join(' ')} ${'\n'.repeat(part.split('\n').length - 1)}`
}

/** An expression without its strings. */
const blanks2 = (expression: string): string => expression.replace(/'[^']*'|"[^"]*"/g, ' ')

const VARIABLES = [
  /^(?:export[ \t]+)?(?:const|let|var|val)[ \t]+(?:mut[ \t]+)?([A-Za-z_$][\w$]*)/gm,
  /^([A-Za-z_]\w*)(?:[ \t]?:[ \t]?[\w[\], .|]{1,80})?[ \t]?:?=(?![=>])/gm
]
const DESTRUCTURED = /^(?:export[ \t]+)?(?:const|let|var)[ \t]*[{[]([^}\]]{1,1000})[}\]][ \t]*=/gm
const REQUIRED = /^(?:const|let|var)\b[^=;]{1,1000}=[ \t]*(?:await[ \t]+import|require)[ \t]*\(/gm
const IMPORTS = [
  /^import[ \t]([^'";]{1,2000}?)[ \t\n]from\b/gm,
  /^from[ \t]+[\w.]+[ \t]+import[ \t]+(?:\(([^)]{1,2000})\)|([^\n(]{1,500}))/gm,
  /^import[ \t]+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*)[ \t]*;?$/gm
]
const WORD = /(?<![.\w$])[A-Za-z_$][\w$]*/g

const localNames = (list: string): string[] =>
  list
    .replace(/\s+/g, ' ')
    .replace(/^ ?type (?=[\w{*])/, '')
    .replace(/[{}()]/g, ',')
    .split(',')
    .flatMap((each) => {
      const words = (each.split('=', 1)[0] ?? '').trim().split(/ as | ?: ?/)
      const name = (words.at(-1) ?? '').replace(/^(?:type\s+|\.\.\.)/, '').trim()
      const last = name.split('.').at(-1) ?? ''
      return /^[A-Za-z_$][\w$]*$/.test(last) ? [last] : []
    })

export function outlineOf(code: string, language: Language | null): Outline {
  const text = masked(code, language)
  const isSql = /sql$/.test(language ?? '')
  const functions = isSql ? declaredNames(code) : namesIn(text)
  const imported = new Set(
    IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, a, b]) => localNames(a ?? b ?? '')))
  )
  const required = [...text.matchAll(REQUIRED)].map(([statement]) => statement)
  for (const statement of required) {
    for (const name of localNames(statement.replace(/^\w+\s*|=[^=]*$/g, ''))) imported.add(name)
  }
  // Names from another file of the same program count as borrowed, not imported.
  const own = new Set(
    localImports(code, language).flatMap(({ names, main }) => [...(names ?? []), main ?? ''])
  )
  const variables = [
    ...VARIABLES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name)),
    ...[...text.matchAll(DESTRUCTURED)].flatMap(([, list = '']) => localNames(list))
  ].filter((name) => !imported.has(name) && !own.has(name))
  return {
    functions,
    declared: new Set([...functions, ...variables]),
    imported: new Set([...imported].filter((name) => !own.has(name))),
    used: new Set(text.match(WORD) ?? []),
    masked: text
  }
}

/** Like `declaredNames`, with their case; a method belongs to its type. */
function namesIn(text: string): Set<string> {
  const own = text
    .replace(/^func[ \t]+\([^)\n]*\)[^\n]*/gm, '')
    // A function of another type or table has its own name.
    .replace(
      /^((?:\w+[ \t]+){0,4}(?:fun|function|def)[ \t]+)(?:<[^>\n]*>[ \t]*)?\w+(?:<[^>\n]*>)?\??[.:](?=\w)/gm,
      '$1'
    )
  const lower = declaredNames(own)
  const methods = text.matchAll(/^func[ \t]+\(([^()\n]{1,200})\)[ \t]*(\w+)/gm)
  const exact = new Set(
    (text.match(/[A-Za-z_$][\w$-]*/g) ?? []).filter((word) => lower.has(word.toLowerCase()))
  )
  for (const [, receiver = '', name = ''] of methods) {
    const type = /^[ \t]*(?:\w+[ \t]+)?\*?(\w+)/.exec(receiver)?.[1]
    if (type !== undefined) exact.add(`${type}.${name}`)
  }
  return exact
}
