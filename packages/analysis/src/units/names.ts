import type { Language } from '@filewright/contracts'
import { isOneOf, scriptLanguages } from '../language-groups.js'
import { readScript } from '../languages/script/read.js'
import { createSource } from '../text/source.js'

export function wordsIn(text: string): Set<string> {
  return new Set(text.match(/[A-Za-z_$][\w$]*/g))
}

/** Names that the languages bring. */
const known = new Set(
  (
    'Math JSON Object Array Number String Boolean Symbol BigInt Promise Map Set WeakMap WeakSet Date RegExp Error TypeError RangeError SyntaxError ReferenceError URIError AggregateError Intl Reflect Proxy parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI undefined NaN Infinity globalThis structuredClone queueMicrotask setTimeout setInterval setImmediate clearTimeout clearInterval console URL URLSearchParams AbortController AbortSignal TextEncoder TextDecoder Buffer process fetch require module exports arguments ' +
    'Record Partial Required Readonly ReadonlyArray ReadonlyMap ReadonlySet Pick Omit Exclude Extract NonNullable Parameters ReturnType InstanceType Awaited Iterable Iterator IterableIterator Generator AsyncIterable AsyncGenerator PromiseLike ArrayLike PropertyKey ' +
    'len range enumerate zip sorted reversed sum min max any all list dict set tuple str int float bool bytes print isinstance issubclass getattr setattr hasattr abs round map filter next iter open super repr type ord chr divmod pow ' +
    'ascii bin bytearray callable classmethod complex format frozenset hash hex id memoryview object oct property slice staticmethod ' +
    'append make new copy delete cap panic recover close string byte rune error int64 float64 ' +
    'StringBuilder Integer Long Double Objects Some None Ok Err Vec String Box Default'
  ).split(' ')
)

/** Names that the code uses and nobody declares. */
function unresolvedIn(code: string, language: Language): Set<string> | null {
  const { code: read } = readScript(createSource(code), language)
  const global = read?.sourceCode.scopeManager?.globalScope ?? null
  if (global === null) return null
  return new Set(global.through.map(({ identifier }) => String((identifier as { name?: string }).name)))
}

const calls = /(?<![\w$.:>])([A-Za-z_]\w*)\s*\(/g
const declarations =
  /\b(?:function|def|fn|func|class|struct|const|let|var|import|from|as)\s+([A-Za-z_$][\w$]*)/g
const keywords =
  /^[A-Z]\w*(?:Error|Exception|Warning|Interrupt)$|^(?:if|for|while|switch|catch|return|function|fn|func|def|class|in|and|or|not|elif|with|lambda|match|await|async|else|print|super|this|self|typeof|new|throw|yield|assert|except|sizeof|go|defer|range|try)$/

/** Names that the rewrite uses although neither version has them. */
export function unknownNames(before: string, after: string, language: Language): string[] {
  const there = wordsIn(before)
  if (isOneOf(language, scriptLanguages)) {
    const [old, now] = [unresolvedIn(before, language), unresolvedIn(after, language)]
    if (old !== null && now !== null) {
      const declared = new Set([...before.matchAll(declarations)].map(([, name = '']) => name))
      return [...now].filter((name) => !old.has(name) && !known.has(name) && !declared.has(name))
    }
  }
  const declared = new Set([...after.matchAll(declarations)].map(([, name = '']) => name))
  const called = new Set([...after.matchAll(calls)].map(([, name = '']) => name))
  return [...called].filter(
    (name) => !there.has(name) && !known.has(name) && !declared.has(name) && !keywords.test(name)
  )
}
