/** Comments, texts and addresses blanked out: what stands in them is no structure. */
export function structureOf(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|url\([^)]*\)/g,
    (match) => match.replace(/[^\n]/g, ' ')
  )
}

/**
 * The sheet in words that the parser knows, line for line: it reads nested rules only after an `&`, and no
 * conditions inside conditions.
 * @param structure the same text from `structureOf`.
 */
export function inOlderWords(text: string, structure: string): string {
  const pieces: string[] = []
  const inRule: boolean[] = []
  let start = 0
  const take = (end: number): void => {
    pieces.push(text.slice(start, end))
    start = end
  }
  for (const { index, 0: mark } of structure.matchAll(/[{};]/g)) {
    if (mark === '{') {
      const prelude = structure.slice(start, index)
      const isAtRule = /^\s*@/.test(prelude)
      if (/^\s*@(?:supports|media|container)\b/i.test(prelude)) {
        pieces.push(flatCondition(text.slice(start, index), prelude))
        start = index
      } else if (inRule.at(-1) === true && /^\s*(?:[a-z.#*:>+~]|\[)/i.test(prelude)) {
        take(start + prelude.search(/\S/))
        pieces.push('& ')
      }
      inRule.push(!isAtRule || inRule.at(-1) === true)
    } else if (mark === '}') {
      inRule.pop()
    }
    take(index + 1)
  }
  take(text.length)
  return pieces.join('')
}

/** `(a) and (not (b))` as `(a) and (b)`: the findings ask what is in a condition, not when it holds. */
function flatCondition(text: string, structure: string): string {
  const open: number[] = []
  const blank = new Set<number>()
  for (let at = 0; at < structure.length; at++) {
    if (structure[at] === '(') open.push(at)
    if (structure[at] !== ')') continue
    const from = open.pop()
    const outer =
      from === undefined
        ? null
        : /^\(\s*(?:not\s+)?(?=(?:selector|style|font-tech|font-format)?\()/i.exec(
            structure.slice(from, from + 100)
          )
    if (outer === null) continue
    for (let each = from!; each < from! + outer[0].length; each++) blank.add(each)
    blank.add(at)
  }
  return blank.size === 0
    ? text
    : text
        .split('')
        .map((char, at) => (blank.has(at) && char !== '\n' ? ' ' : char))
        .join('')
}
