import { iso2022Charset } from './iso-2022.js'
import type { TextVerdict } from './text-verdict.js'

/** RFC 1428's name for 8-bit text with an unknown charset. Served without a charset. */
export const UNKNOWN_CHARSET = 'unknown-8bit'

/** Declarations of a charset in XML, HTML, CSS, Vim, gettext and e-mail. */
const DECLARATIONS = [
  /^\s*<\?xml[^>]{0,100}\sencoding\s*=\s*["']([\w.:-]{1,40})["']/i,
  /^@charset "([\w.:-]{1,40})";/,
  /<meta\b[^>]{0,200}\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i,
  /\b(?:vim?|ex):[^\n]{0,100}\bfileencoding=([\w.-]{1,40})/,
  /^"?Content-Type:\s*text\/[\w-]+;\s*charset=["']?([\w.:-]{1,40})/im
]
const DECLARATION_CHARS = 4096
/** In one of the first two lines, as for Emacs, Python and Ruby. */
const CODING_LINE = /coding[:=]\s*([\w.-]{1,40})/

/** Names of the detector that the web does not use; and families whose most common member is the first. */
const webNames = new Map([
  ['gb18030', 'gb18030'],
  ['gb2312', 'gb18030'],
  ['gbk', 'gb18030'],
  ['cp949', 'euc-kr'],
  ['cp932', 'shift_jis'],
  ['macroman', 'macintosh'],
  ['tis-620', 'windows-874'],
  ['cp874', 'windows-874'],
  ['cp1258', 'windows-1258'],
  ['big5hkscs', 'big5'],
  ['cp437', 'ibm437'],
  ['cp850', 'ibm850'],
  ['cp852', 'ibm852']
])

/**
 * Charsets that occur in practice. The detector knows forty more, which it reports far more often than they
 * occur.
 */
const PLAUSIBLE = new Set([
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((page) => `windows-125${page}`),
  'windows-874',
  ...[1, 2, 4, 5, 6, 7, 8, 9, 13, 15].map((part) => `iso-8859-${part}`),
  'koi8-r',
  'koi8-u',
  'ibm866',
  'ibm437',
  'ibm850',
  'ibm852',
  'macintosh',
  'maccyrillic',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5'
])
/**
 * Hardly distinguishable from windows-1251, which is a hundred times as frequent. If both are possible, the
 * charset is unknown.
 */
const TOO_CLOSE = 'maccyrillic'

/** Distinct non-ASCII bytes: a repeated symbol or a single name says nothing about the language. */
const MIN_LETTERS = 3
const MIN_LETTERS_OF_OTHERS = 10
/**
 * Margin over the next charset that decodes the bytes differently. Without it the detector is wrong one time
 * in thirty, with it hardly ever.
 */
const MIN_LEAD = 1.005

/**
 * Null for bytes that are invalid in this charset, and for charsets without a decoder, such as DOS code
 * pages.
 */
function decode(bytes: Buffer, charset: string): string | null {
  try {
    // As a stream, because the sample may end in the middle of a character.
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}

function isDecoderName(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== 'utf-8'
  } catch {
    return false
  }
}

/** A declared name counts only if the bytes are valid in it. */
function declaredCharset(text: string, sample: Buffer): string | null {
  const start = text.slice(0, DECLARATION_CHARS)
  const claims = [
    CODING_LINE.exec(start.split('\n', 2).join('\n')),
    ...DECLARATIONS.map((declaration) => declaration.exec(start))
  ]
  const names = claims.flatMap((claim) =>
    claim?.[1] === undefined ? [] : [usualName(claim[1].toLowerCase())]
  )
  return names.find((name) => isDecoderName(name) && decode(sample, name) !== null) ?? null
}

/** Emacs appends the kind of line endings, and has its own names. */
function usualName(name: string): string {
  return name
    .replace(/-(?:unix|dos|mac)$/, '')
    .replace(/^(?:iso-)?latin-(\d)$/, 'latin$1')
    .replace(/^latin1$/, 'iso-8859-1')
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/**
 * Russian or Greek decoded with the wrong charset is mostly in capitals, or has them at the ends of words.
 */
function hasOddCapitals(text: string): boolean {
  const capitals = count(text, /(?!\p{ASCII})\p{Lu}/gu)
  const small = count(text, /(?!\p{ASCII})\p{Ll}/gu)
  const inverted = count(text, /(?!\p{ASCII})\p{Ll}(?!\p{ASCII})\p{Lu}/gu)
  return capitals > small || inverted * 20 > capitals + small
}

/** Words in non-Latin letters: a few of them match several charsets. */
function isOfOtherScript(text: string): boolean {
  return count(text, /(?!\p{ASCII})\p{L}/gu) > 2 * count(text, /(?!\p{ASCII})\p{Script=Latin}/gu)
}

async function detectedCharset(sample: Buffer): Promise<string | null> {
  const letters = new Set(sample.filter((byte) => byte >= 0x80)).size
  if (letters < MIN_LETTERS) return null
  // Loaded when needed: it is a megabyte of models, and most text is UTF-8.
  const { detectAll } = await import('jschardet')
  const candidates = detectAll(sample).flatMap(({ encoding, confidence }) => {
    const name = encoding?.toLowerCase().replace(/^iso8859/, 'iso-8859') ?? ''
    const charset = webNames.get(name) ?? name
    return PLAUSIBLE.has(charset) ? [{ charset, confidence, text: decode(sample, charset) }] : []
  })
  const [best] = candidates
  if (best === undefined || best.charset === TOO_CLOSE) return null
  const isSame = ({ charset, text }: typeof best): boolean =>
    charset === best.charset || (text !== null && text === best.text)
  const rival = candidates.find((candidate) => !isSame(candidate))
  if (rival !== undefined && best.confidence < MIN_LEAD * rival.confidence) return null
  if (best.text !== null && hasOddCapitals(best.text)) return null
  if (best.text !== null && isOfOtherScript(best.text) && letters < MIN_LETTERS_OF_OTHERS) return null
  // It decodes everything that is iso-8859-1, and more; browsers treat one as the other.
  return best.charset === 'iso-8859-1' ||
    candidates.some((candidate) => candidate.charset === 'windows-1252' && isSame(candidate))
    ? 'windows-1252'
    : best.charset
}

/** The charset of a text, by its encoding, its own declaration, or its letters; unknown rather than wrong. */
export async function charsetOf(
  { encoding, charset, sample }: TextVerdict,
  head: Buffer,
  text: string
): Promise<string> {
  if (encoding === '7-bit') return iso2022Charset(head) ?? 'utf-8'
  if (charset !== null) return charset
  const bytes = sample ?? Buffer.alloc(0)
  return declaredCharset(text, bytes) ?? (await detectedCharset(bytes)) ?? UNKNOWN_CHARSET
}
