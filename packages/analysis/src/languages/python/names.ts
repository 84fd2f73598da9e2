function slipFinder(text: string): (name: string) => boolean {
  let names: string[] | null = null
  const answers = new Map<string, boolean>()
  return (name) => {
    names ??= [...new Set(text.match(/\b[A-Za-z_]\w{2,}\b/g))]
    const isNear = (other: string): boolean =>
      other.toLowerCase() !== name.toLowerCase() &&
      Math.abs(other.length - name.length) <= 1 &&
      isOneEditApart(name, other)
    const known = answers.get(name) ?? (name.length >= 4 && names.some(isNear))
    answers.set(name, known)
    return known
  }
}

/**
 * Whether a name that is defined nowhere is worth a word. Code that shows no imports is a fragment, and the
 * name is mostly defined in what was not sent; then only a slip, one letter beside a known name, and a name
 * that is local somewhere else count.
 */
export function undefinedFinder(text: string): (name: string) => boolean {
  const isSlip = slipFinder(text)
  const isWhole = /^(?:import|from)\s/m.test(text) && !/^from\s+\S+\s+import\s+\*/m.test(text)
  const locals = new Set([...text.matchAll(/^[ \t]+(\w+)\s*=[^=]/gm)].map((match) => match[1]!))
  // Python sets it in a package.
  return (name) => name !== '__path__' && (isWhole || locals.has(name) || isSlip(name))
}

function isOneEditApart(one: string, two: string): boolean {
  const [short, long] = one.length <= two.length ? [one, two] : [two, one]
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  const rest = short.length === long.length ? at + 1 : at
  // `user` beside `users`: a plural is another name, not a slip.
  if (short.length !== long.length && at === short.length && long.endsWith('s')) return false
  return short.slice(rest) === long.slice(at + 1)
}
