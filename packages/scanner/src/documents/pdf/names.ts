export interface FoundName {
  name: string
  /** The offset of its slash. */
  start: number
  /** The offset behind it. */
  end: number
}

const SLASH = 0x2f
const NUMBER_SIGN = 0x23

/** White space and delimiters of ISO 32000-2, 7.2.3. They end a name. */
const ENDS_NAME = new Set([...Buffer.from('\0\t\n\f\r ()<>[]{}/%')])

/**
 * Finds every offset at which one of the names is written, also with escapes (`/#45F` is `/EF`). Ignores the
 * structure, so it finds more than a reader would. That is the safe direction.
 */
export function findNames(text: Buffer, names: readonly string[]): FoundName[] {
  const found = names.flatMap((name) => findPlain(text, name))
  return [...found, ...findEscaped(text, new Set(names))].sort((a, b) => a.start - b.start)
}

function findPlain(text: Buffer, name: string): FoundName[] {
  const found: FoundName[] = []
  const written = Buffer.from(`/${name}`, 'latin1')
  for (let start = text.indexOf(written); start !== -1; start = text.indexOf(written, start + 1)) {
    const end = start + written.length
    if (end === text.length || ENDS_NAME.has(text[end] ?? 0)) found.push({ name, start, end })
  }
  return found
}

function findEscaped(text: Buffer, names: ReadonlySet<string>): FoundName[] {
  const found: FoundName[] = []
  // The length with every character escaped.
  const longest = 3 * Math.max(...[...names].map(({ length }) => length))
  let searched = 0
  for (let at = text.indexOf(NUMBER_SIGN); at !== -1; at = text.indexOf(NUMBER_SIGN, at + 1)) {
    if (at < searched || !isHex(text[at + 1]) || !isHex(text[at + 2])) continue
    let start = at
    while (at - start <= longest && start > 0 && !ENDS_NAME.has(text[start - 1] ?? 0)) start--
    if (text[start - 1] !== SLASH) continue
    let end = at
    while (end - start <= longest && end < text.length && !ENDS_NAME.has(text[end] ?? 0)) end++
    searched = end
    const name = unescapeName(text.toString('latin1', start, end))
    if (names.has(name)) found.push({ name, start: start - 1, end })
  }
  return found
}

function unescapeName(written: string): string {
  return written.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}

/** 0-9, A-F, a-f */
function isHex(byte = 0): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}
