const isLetter = (sign: string | undefined): boolean => sign !== undefined && /\w/.test(sign)

/**
 * Where a word of a text starts with a name, case-insensitively; without a regular expression, however long
 * the name.
 */
function* placesOf(name: string, text: string): Generator<number> {
  const words = text.toLowerCase()
  const wanted = name.toLowerCase()
  if (wanted === '') return
  for (let at = words.indexOf(wanted); at !== -1; at = words.indexOf(wanted, at + 1)) {
    if (!isLetter(words[at - 1])) yield at
  }
}

export const startsWordOf = (name: string, text: string): boolean =>
  placesOf(name, text).next().done === false

export function isWordOf(name: string, text: string): boolean {
  for (const at of placesOf(name, text)) {
    if (!isLetter(text[at + name.length])) return true
  }
  return false
}
