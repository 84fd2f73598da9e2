import type { Language } from '@filewright/contracts'
import { isOneOf, sqlLanguages } from '../languages.js'

const matches =
  (pattern: RegExp) =>
  (code: string): string[] =>
    code.match(pattern) ?? []

const sqlLandmarks = matches(
  /\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?|(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:unique\s+)?\w+(?:\s+if\s+(?:not\s+)?exists)?)\s+[\w."]+|\bselect\b|\bgrant\b|\brevoke\b/gi
)

/** What others hold on to in languages without exports. */
const landmarks: Partial<Record<Language, (code: string) => string[]>> = {
  shell: matches(/^[ \t]*(?:function[ \t]+)?[\w-]+[ \t]*\(\)|^[ \t]*(?:export|readonly)[ \t]+\w+/gm),
  // Selectors and custom properties. With a last sign of its own every piece of the text ends, and none is
  // read twice.
  css: (code) =>
    matches(/[^{};]*[{};]/g)(`${code};`).flatMap((piece) =>
      piece.endsWith('{')
        ? [piece]
        : piece.trim().startsWith('--')
          ? [piece.slice(0, piece.indexOf(':'))]
          : []
    ),
  html: matches(
    /\b(?:id|name|href|src|action)\s*=\s*(?:"[^"\n]*"|'[^'\n]*')|<(?:form|input|script|a|img|link)\b/gi
  )
}

function withoutComments(code: string, open: string, close: string): string {
  const [first = '', ...rest] = code.split(open)
  return (
    first +
    rest.map((part) => (part.includes(close) ? part.slice(part.indexOf(close) + close.length) : '')).join('')
  )
}

const normal = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

/**
 * Whether all that can be addressed from outside is still there. In SQL nothing may be added either: a
 * statement acts by being there.
 */
export function keepsLandmarks(before: string, after: string, language: Language): boolean {
  const isSql = isOneOf(language, sqlLanguages)
  const find = isSql ? sqlLandmarks : landmarks[language]
  if (find === undefined) return true
  const landmarksIn = (code: string): Set<string> =>
    new Set(find(withoutComments(withoutComments(code, '/*', '*/'), '<!--', '-->')).map(normal))
  const [old, now] = [landmarksIn(before), landmarksIn(after)]
  return [...old].every((text) => now.has(text)) && (!isSql || [...now].every((text) => old.has(text)))
}

/** Commands of the shell that have another one beside them which does the same. */
const exchangeable = /^(?:echo|printf|cat|which|command|egrep|fgrep|grep|test|expr|function|E|F|n)$/

/** A word of the text that the other one does not have, or has less often: a name, a number, a value. */
function lostWord(before: string, after: string, isOnceEnough: boolean): string | undefined {
  const wordsOf = (code: string): string[] => code.match(/[\w$#.%@-]+/g) ?? []
  const there = new Map<string, number>()
  for (const word of wordsOf(after)) there.set(word, (there.get(word) ?? 0) + 1)
  const seen = new Map<string, number>()
  return wordsOf(before).find((word) => {
    seen.set(word, (seen.get(word) ?? 0) + 1)
    return (there.get(word) ?? 0) < (isOnceEnough ? 1 : seen.get(word)!) && !exchangeable.test(word)
  })
}

/** Signs on which it depends whether something runs. */
const switches = /&&|\|\||[<>]=?|!|\||;;|\bnot\b/g

/** What a text of a language without functions loses, in words; null where nothing is lost. */
export function lossIn(before: string, after: string, language: Language): string | null {
  if (!keepsLandmarks(before, after, language)) return 'something that can be addressed'
  if (isOneOf(language, sqlLanguages)) return null
  const lost = lostWord(before, after, language === 'css')
  if (lost !== undefined) return `the word ${lost}`
  if (language !== 'shell') return null
  const count = (code: string): string => (code.match(switches) ?? []).sort().join(' ')
  return count(before) === count(after) ? null : 'a condition'
}
