/** Markup between an opening and a closing tag. */
export interface Element {
  start: number
  name: string
  /** The attributes of the opening tag. */
  attributes: string
  inside: string
}

/**
 * Elements from an opening tag to the first closing tag of the same name. Each closing tag is searched once,
 * not from each opening tag.
 */
export function elementsIn(text: string, openings: RegExp, endings: RegExp): Element[] {
  const ends = new Map<string, RegExpExecArray[]>()
  for (const end of text.matchAll(endings)) {
    const name = (end[1] ?? '').toLowerCase()
    const known = ends.get(name)
    if (known === undefined) ends.set(name, [end])
    else known.push(end)
  }
  // Sorted so that the first one is last, where removing it is cheap.
  for (const each of ends.values()) each.reverse()
  const found: Element[] = []
  let after = 0
  for (const opening of text.matchAll(openings)) {
    const [tag, name = '', attributes = ''] = opening
    const from = opening.index + tag.length
    if (opening.index < after) continue
    const rest = ends.get(name.toLowerCase()) ?? []
    while ((rest.at(-1)?.index ?? from) < from) rest.pop()
    const end = rest.at(-1)
    if (end === undefined) continue
    found.push({ start: opening.index, name, attributes, inside: text.slice(from, end.index) })
    after = end.index + end[0].length
  }
  return found
}
