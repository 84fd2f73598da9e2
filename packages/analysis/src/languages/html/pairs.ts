import htmlhint from 'htmlhint'
import type { SyntaxResult } from '../../types.js'

const { HTMLParser } = htmlhint

const empty = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' '
  )
)

/** HTML lets authors leave these ends out. */
const optionalEnd = new Set(
  'html head body li dt dd p rt rp optgroup option colgroup caption thead tbody tfoot tr td th'.split(' ')
)

const needsEnd = ({ name }: { name: string }): boolean => !optionalEnd.has(name)

/**
 * A page that closes what it never opened, or the other way round, is the nearest HTML has to a syntax error.
 */
export function tagPairs(html: string): SyntaxResult {
  const open: { name: string; line: number }[] = []
  let wrong: SyntaxResult | null = null
  const neverClosed = (tags: typeof open): SyntaxResult | null => {
    const found = tags.findLast(needsEnd)
    return found === undefined
      ? null
      : { ok: false, line: found.line, message: `<${found.name}> is never closed` }
  }

  const parser = new HTMLParser()
  parser.addListener('tagstart', ({ tagName, line, close }) => {
    const name = tagName.toLowerCase()
    if (!empty.has(name) && !close) open.push({ name, line })
  })
  parser.addListener('tagend', ({ tagName, line }) => {
    // Only the first is reported; looking on would search the whole list again for every stray end.
    if (wrong !== null) return
    const name = tagName.toLowerCase()
    const at = open.findLastIndex((each) => each.name === name)
    if (at === -1) wrong = { ok: false, line, message: `</${name}> closes nothing` }
    else wrong = neverClosed(open.splice(at).slice(1))
  })
  parser.parse(html)
  return wrong ?? neverClosed(open) ?? { ok: true }
}
