import type { Language } from '@filewright/contracts'

interface Lexis {
  line: readonly string[]
  block: readonly (readonly [string, string])[]
  quotes: readonly string[]
}

const cLike: Lexis = { line: ['//'], block: [['/*', '*/']], quotes: ['"', "'"] }
const scriptLike: Lexis = { ...cLike, quotes: ['"', "'", '`'] }
const hashLike: Lexis = { line: ['#'], block: [], quotes: ['"', "'"] }

const lexes: Partial<Record<Language, Lexis>> = {
  javascript: scriptLike,
  jsx: scriptLike,
  typescript: scriptLike,
  tsx: scriptLike,
  go: scriptLike,
  python: { line: ['#'], block: [], quotes: ['"""', "'''", '"', "'"] },
  ruby: hashLike,
  shell: hashLike,
  yaml: hashLike,
  perl: hashLike,
  r: hashLike,
  elixir: hashLike,
  // A quote in Rust also starts a lifetime.
  rust: { ...cLike, quotes: ['"'] },
  sql: { line: ['--'], block: [['/*', '*/']], quotes: ["'", '"'] },
  lua: { line: ['--'], block: [], quotes: ['"', "'"] },
  haskell: { line: ['--'], block: [['{-', '-}']], quotes: ['"'] },
  html: { line: [], block: [['<!--', '-->']], quotes: [] },
  css: { line: [], block: [['/*', '*/']], quotes: ['"', "'"] }
}

/** The code with strings and comments blanked out, same length and lines: what is left is program. */
export function maskText(text: string, language: Language): string {
  const { line, block, quotes } = lexes[language] ?? cLike
  const out: string[] = []
  let at = 0

  function blank(end: number): void {
    out.push(text.slice(at, end).replace(/[^\n]/g, ' '))
    at = end
  }

  while (at < text.length) {
    const comment = line.find((mark) => text.startsWith(mark, at))
    const pair = block.find(([open]) => text.startsWith(open, at))
    const quote = quotes.find((mark) => text.startsWith(mark, at))
    if (comment !== undefined) {
      const end = text.indexOf('\n', at)
      blank(end === -1 ? text.length : end)
    } else if (pair !== undefined) {
      const end = text.indexOf(pair[1], at + pair[0].length)
      blank(end === -1 ? text.length : end + pair[1].length)
    } else if (quote !== undefined) {
      blank(endOfString(text, at + quote.length, quote))
    } else {
      out.push(text[at]!)
      at++
    }
  }
  return out.join('')
}

function endOfString(text: string, start: number, quote: string): number {
  const multiline = quote.length === 3 || quote === '`'
  for (let index = start; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text.startsWith(quote, index)) return index + quote.length
    // A quote left open ends with its line; otherwise one apostrophe would blank out the rest of the code.
    else if (text[index] === '\n' && !multiline) return index
  }
  return text.length
}
