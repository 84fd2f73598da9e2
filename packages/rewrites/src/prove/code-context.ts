import { WORD } from './escapes.js'

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** What is open at the end of a piece of JavaScript: its string, if any, and its brackets from the inside out. */
export function openAt(before: string): { quote: string; closers: string } {
  const open: string[] = []
  let quote = ''
  for (let at = 0; at < before.length; at++) {
    const letter = before[at]!
    if (quote !== '') {
      if (letter === '\\') at++
      else if (quote === '`' && letter === '$' && before[at + 1] === '{') {
        open.push('`}')
        quote = ''
        at++
      } else if (letter === quote) quote = ''
      continue
    }
    const two = before.slice(at, at + 2)
    if (two === '//' || two === '/*') {
      const end = before.indexOf(two === '//' ? '\n' : '*/', at + 2)
      // Inside of a comment nothing runs until it ends.
      if (end === -1) return { quote: two === '//' ? '\n' : '*/', closers: closersOf(open) }
      at = end
    } else if (letter === '"' || letter === "'" || letter === '`') quote = letter
    else if (Object.hasOwn(pairs, letter)) open.push(pairs[letter]!)
    else if (letter === '}' && open.at(-1) === '`}') {
      open.pop()
      quote = '`'
    } else if (/[)\]}]/.test(letter)) open.pop()
  }
  return { quote, closers: closersOf(open) }
}

const closersOf = (open: readonly string[]): string =>
  open
    .toReversed()
    .map((closer) => closer.slice(-1))
    .join('')

/** Inputs that would run where a text has a harmless one, the simplest first. */
export function payloadsIn(text: string, harmless: string): string[] {
  const at = text.indexOf(harmless)
  if (at === -1) return []
  const { quote, closers } = openAt(text.slice(0, at))
  const call = `${WORD}()`
  // A body of a function that the text opens runs only where that is called.
  const ends = [...new Set([closers, closers.replace(/\}[^]*$/, '')])]
  if (quote === '') {
    return [call, `x,${call}`, `x;${call}//`, `{},${call}`, ...ends.map((end) => `0${end};${call}//`)]
  }
  if (quote === '`') return [`\${${call}}`, ...ends.map((end) => `\`${end};${call}//`)]
  if (quote === '\n' || quote === '*/') return [`${quote}${call}${quote === '*/' ? '//' : ''}`]
  return ['', '\\'].flatMap((escape) => [
    ...(escape === '' ? [`${quote}+${call}+${quote}`] : []),
    ...ends.flatMap((end) => [`${escape}${quote}${end};${call}//`, `${escape}${quote}${end}{};${call}//`])
  ])
}
