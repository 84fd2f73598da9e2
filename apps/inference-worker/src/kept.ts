import type { Language } from '@filewright/contracts'

// Every repetition is bounded or stops at a sign of its own: the text may be a megabyte of anything.
const declarations = [
  /\b(?:function|def|fn|class|struct|interface|enum|trait)\b[\s*]{1,8}([A-Za-z_$][\w$]*)/g,
  /\bfunc\s{1,8}(?:\([^)\n]{0,200}\)\s{0,8})?([A-Za-z_]\w*)/g,
  /\b(?:const|let|var)\s{1,8}([A-Za-z_$][\w$]*)(?:\s{0,8}:[^=\n]{1,200})?\s{0,8}=\s{0,8}(?:async\b|function\b|\([^()\n]{0,500}\)\s{0,8}(?::[^=\n]{1,200})?=>|[\w$]+\s{0,8}=>)/g,
  // Methods, and functions of the shell.
  /^[ \t]*(?:[\w<>[\],.?@]+[ \t]+)*([A-Za-z_$][\w$-]*)[ \t]*\([^;{}()]*\)[^;{}()=]*\{/gm
]

function declaredIn(code: string): Set<string> {
  return new Set(declarations.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name)))
}

function wordsIn(code: string): Set<string> {
  // The shell has hyphens in its names.
  return new Set([...(code.match(/[\w$]+/g) ?? []), ...(code.match(/[\w$-]+/g) ?? [])])
}

/**
 * False when something that the code declared is gone and still used: a parser does not see that, the next
 * run does.
 */
export function keepsWhatItUses(before: string, after: string): boolean {
  const declared = declaredIn(after)
  const named = wordsIn(after)
  return [...declaredIn(before)].every((name) => declared.has(name) || !named.has(name))
}

// How models say that they did not write everything down.
const ELLIPSIS =
  /(?:\/\/|\/\*|#|--|<!--)\s*(?:\.{3}|…|(?:the\s+)?(?:rest|remainder)\s+of\b|(?:existing|remaining|previous|original|other)\s+(?:code|implementation|logic|methods?|functions?|lines)\b|(?:code|implementation|logic)\s+(?:goes\s+)?here\b|(?:unchanged|same as before|omitted)\b)/gi

/** False when the rewrite only hints at parts of the code. */
export function isWrittenOut(before: string, after: string): boolean {
  return (after.match(ELLIPSIS)?.length ?? 0) <= (before.match(ELLIPSIS)?.length ?? 0)
}

const matches =
  (pattern: RegExp) =>
  (code: string): string[] =>
    code.match(pattern) ?? []

/** What others hold on to in languages without exports. */
const landmarks: Partial<Record<Language, (code: string) => string[]>> = {
  shell: matches(/^[ \t]*(?:function[ \t]+)?[\w-]+[ \t]*\(\)|^[ \t]*(?:export|readonly)[ \t]+\w+/gm),
  sql: matches(
    /\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?|(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:unique\s+)?\w+(?:\s+if\s+(?:not\s+)?exists)?)\s+[\w."]+|\bselect\b|\bgrant\b|\brevoke\b/gi
  ),
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

/**
 * Whether all that can be addressed from outside is still there. In SQL nothing may be added either: a
 * statement acts by being there.
 */
export function keepsLandmarks(before: string, after: string, language: Language): boolean {
  const find = landmarks[language]
  if (find === undefined) return true
  const landmarksIn = (code: string): Set<string> => {
    const plain = withoutComments(withoutComments(code, '/*', '*/'), '<!--', '-->')
    return new Set(find(plain).map((text) => text.replace(/\s+/g, ' ').trim().toLowerCase()))
  }
  const [old, now] = [landmarksIn(before), landmarksIn(after)]
  return (
    [...old].every((text) => now.has(text)) && (language !== 'sql' || [...now].every((text) => old.has(text)))
  )
}
