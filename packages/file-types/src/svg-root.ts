const ROOT = /^<(?:[a-z_][\w.-]*:)?svg[\s/>]/i
const DOCTYPE = /^<!doctype\s/i

/** Where the DOCTYPE ends; its internal subset holds declarations with `>` of their own. */
function endOfDoctype(text: string, from: number): number {
  const close = text.indexOf('>', from)
  const subset = text.indexOf('[', from)
  if (subset < 0 || subset > close) return close < 0 ? -1 : close + 1
  const subsetEnd = text.indexOf(']', subset)
  const end = subsetEnd < 0 ? -1 : text.indexOf('>', subsetEnd)
  return end < 0 ? -1 : end + 1
}

function endOf(text: string, terminator: string, from: number): number {
  const end = text.indexOf(terminator, from)
  return end < 0 ? -1 : end + terminator.length
}

/**
 * Whether the first element is `<svg>`, past declaration, comments and DOCTYPE. Each step goes forward, so
 * hostile text costs no more than its length.
 */
export function hasSvgRoot(text: string): boolean {
  let at = 0
  while (at >= 0 && at < text.length) {
    // 128 characters hold every opening we ask about.
    const start = text.slice(at, at + 128)
    if (/^\s/.test(start)) at += start.length - start.trimStart().length
    else if (start.startsWith('<?')) at = endOf(text, '?>', at)
    else if (start.startsWith('<!--')) at = endOf(text, '-->', at)
    else if (DOCTYPE.test(start)) at = endOfDoctype(text, at)
    else return ROOT.test(start)
  }
  return false
}
