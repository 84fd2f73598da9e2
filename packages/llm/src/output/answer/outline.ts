import type { Language } from '@filewright/contracts'
import { declaredNames } from '../declared-names.js'
import { localImports } from './local-modules.js'

/** What a block of code declares and uses, as far as its outermost level shows. */
export interface Outline {
  /** Functions, classes and types. */
  functions: ReadonlySet<string>
  /** Every name the block declares, variables among them. */
  declared: ReadonlySet<string>
  /** Names that import statements bring in from other packages. */
  imported: ReadonlySet<string>
  used: ReadonlySet<string>
  /** The code without strings and comments, line by line as before. */
  masked: string
}

const STRINGS = `"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*'`
const TRIPLE = `"""[^]*?"""|'''[^]*?'''`
const SLASHES = `\\/\\/[^\\n]*|\\/\\*[^]*?\\*\\/`
const REGEX_LITERAL = `(?<=[(,=:[!&|?{};\\n][ \\t]{0,4}|return )\\/(?![*/])(?:\\\\.|\\[(?:\\\\.|[^\\]\\\\\\n])*\\]|[^/\\\\\\n[])+\\/[a-z]*`

const scripts = new RegExp(`${SLASHES}|${STRINGS}|\`(?:\\\\.|[^\`\\\\])*\`|${REGEX_LITERAL}`, 'g')
const hashes = new RegExp(`${TRIPLE}|#[^\\n]*|${STRINGS}`, 'g')
const dashes = /--[^\n]*|\/\*[^]*?\*\/|'(?:''|[^'])*'/g
const rest = new RegExp(`${SLASHES}|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])'`, 'g')

const byLanguage: ReadonlyArray<readonly [languages: RegExp, masked: RegExp]> = [
  [/^(?:javascript|jsx|typescript|tsx|go|vue|svelte|php|dart)$/, scripts],
  [/^(?:python|ruby|shell|yaml|elixir|perl|r|julia)$/, hashes],
  [/sql$/, dashes]
]

const INTERPOLATED = /[$#]?\{([^{}\n]{0,200})\}/g
const blanks = (text: string): string => text.replace(/[^\n]/g, ' ')

/** Strings and comments become blanks. Expressions inside a template stay: they use names. */
export function masked(code: string, language: Language | null): string {
  const pattern = byLanguage.find(([languages]) => languages.test(language ?? ''))?.[1] ?? rest
  return code.replace(pattern, (match, ...others) => {
    const at = others.find((each): each is number => typeof each === 'number') ?? 0
    const isTemplate = match.startsWith('`') || /[fF]$/.test(code.slice(Math.max(0, at - 2), at))
    const interpolates = isTemplate || (language === 'ruby' && match.startsWith('"'))
    if (!interpolates) return blanks(match)
    const kept = [...match.matchAll(INTERPOLATED)].map(([, expression = '']) => blanks2(expression))
    return ` ${kept.join(' ')} ${'\n'.repeat(match.split('\n').length - 1)}`
  })
}

/** An expression without the strings in it. */
const blanks2 = (expression: string): string => expression.replace(/'[^']*'|"[^"]*"/g, ' ')

const VARIABLES = [
  /^(?:export[ \t]+)?(?:const|let|var|val)[ \t]+(?:mut[ \t]+)?([A-Za-z_$][\w$]*)/gm,
  /^([A-Za-z_]\w*)(?:[ \t]*:[ \t]*[\w[\], .|]{1,80})?[ \t]*:?=(?![=>])/gm
]
const DESTRUCTURED = /^(?:export[ \t]+)?(?:const|let|var)[ \t]*[{[]([^}\]]{1,1000})[}\]][ \t]*=/gm
const REQUIRED = /^(?:const|let|var)\b[^=;]{1,1000}=[ \t]*(?:await[ \t]+import|require)[ \t]*\(/gm
const IMPORTS = [
  /^import[ \t]+(?:type[ \t]+)?([^'";]{1,2000}?)[ \t\n]+from\b/gm,
  /^from[ \t]+[\w.]+[ \t]+import[ \t]+(?:\(([^)]{1,2000})\)|([^\n(]{1,500}))/gm,
  /^import[ \t]+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*)[ \t]*;?$/gm
]
const WORD = /(?<![.\w$])[A-Za-z_$][\w$]*/g

const localNames = (list: string): string[] =>
  list
    .replace(/[{}()]/g, ',')
    .split(',')
    .flatMap((each) => {
      const words = each
        .replace(/=.*$/, '')
        .trim()
        .split(/\s+as\s+|\s*:\s*/)
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
  // What comes from another file of the same program is borrowed, not imported.
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

/** Like `declaredNames`, in the case in which the code writes them; a method belongs to its type. */
function namesIn(text: string): Set<string> {
  const own = text
    .replace(/^func[ \t]+\([^)\n]*\)[^\n]*/gm, '')
    // A function of another type or table goes by its own name.
    .replace(
      /^((?:\w+[ \t]+){0,4}(?:fun|function|def)[ \t]+)(?:<[^>\n]*>[ \t]*)?\w+(?:<[^>\n]*>)?\??[.:](?=\w)/gm,
      '$1'
    )
  const lower = declaredNames(own)
  const methods = [...text.matchAll(/^func[ \t]+\(\w*[ \t]*\*?(\w+)[^)\n]*\)[ \t]*(\w+)/gm)]
  const exact = new Set(
    (text.match(/[A-Za-z_$][\w$-]*/g) ?? []).filter((word) => lower.has(word.toLowerCase()))
  )
  for (const [, type = '', name = ''] of methods) exact.add(`${type}.${name}`)
  return exact
}
