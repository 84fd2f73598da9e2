import { extractCode } from './extract-code.js'
import { withoutThinking } from './clean-text.js'
import { sameLanguage } from './fence-languages.js'
import { fencesIn } from './fences.js'

const plain = (code: string): string => code.replace(/\s+/g, '')

/** Models do not write more versions than this. */
const MAX_CANDIDATES = 3

/**
 * The code in a response that may be the rewrite: models quote the original first, and write several
 * versions. The last one is final. Code that equals the original is not a rewrite.
 */
export function rewriteCandidates(text: string, language: string, original: string): string[] {
  const fences = fencesIn(withoutThinking(text)).filter(
    (fence) => fence.language === '' || sameLanguage(fence.language, language)
  )
  const codes =
    fences.length > 1
      ? fences.map(({ code }) => code.replace(/^\n+/, '').trimEnd()).reverse()
      : [extractCode(text, language)]
  const others = codes.filter((code) => code.trim() !== '' && plain(code) !== plain(original))
  // Usage examples are short, and so is a rewrite of one function among many: long ones go first.
  const long = others.filter((code) => code.length * 2 > original.length)
  return [...long, ...others.filter((code) => !long.includes(code))].slice(0, MAX_CANDIDATES)
}
