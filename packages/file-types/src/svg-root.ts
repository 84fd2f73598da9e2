const ROOT = /^<(?:[a-z_][\w.-]*:)?svg[\s/>]/i
const DOCTYPE = /^<!doctype\s/i

/** The end of the DOCTYPE; its internal subset may contain `>`. */
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
 * Whether the first element is `<svg>`, after declaration, comments and DOCTYPE. Each step moves forward, so
 * hostile text takes linear time.
 */
export function hasSvgRoot(text: string): boolean {
  let at = 0
  while (at >= 0 && at < text.length) {
    // 128 characters contain every opening that is tested.
    const start = text.slice(at, at + 128)
    if (/^\s/.test(start)) at += start.length - start.trimStart().length
    else if (start.startsWith('<?')) at = endOf(text, '?>', at)
    else if (start.startsWith('<!--')) at = endOf(text, '-->', at)
    else if (DOCTYPE.test(start)) at = endOfDoctype(text, at)
    else return ROOT.test(start)
  }
  return false
}
