// eslint-disable-next-line no-control-regex
const JAPANESE = /\x1b\$[@B](?:[\x21-\x7e]{2})+\x1b\([BJ]/
// eslint-disable-next-line no-control-regex
const KOREAN = /\x1b\$\)C/
// eslint-disable-next-line no-control-regex
const CHINESE = /\x1b\$(?:\)[AGE]|\*H)/

/**
 * 7-bit text that switches character sets by escape sequences. Terminal colours and resets are not among
 * them.
 */
export function iso2022Charset(head: Buffer): 'iso-2022-jp' | 'iso-2022-kr' | 'iso-2022-cn' | null {
  if (!head.includes(0x1b)) return null
  const text = head.toString('latin1')
  if (JAPANESE.test(text)) return 'iso-2022-jp'
  if (KOREAN.test(text)) return 'iso-2022-kr'
  return CHINESE.test(text) ? 'iso-2022-cn' : null
}
