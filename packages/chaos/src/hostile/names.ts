import type { Random } from '../harness/random.js'

/** Part of every name, so that files of this test are recognized anywhere. */
export const MARK = 'fwhostile'

const PIECES = [
  '../',
  '..\\',
  '/',
  '\\',
  '../../../../etc/passwd',
  'C:\\',
  '\\\\host\\share\\',
  'file:///',
  '~/',
  '%2e%2e%2f',
  '%00',
  '%0d%0a',
  '\0',
  '\r\nX-Injected: 1',
  '\nX-Injected: 1',
  '\r',
  '\x0b',
  '\x1b[2J',
  '\x7f',
  '\u0085',
  '\u2028',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\ufffd',
  '\u0000',
  '"',
  '\\"',
  "'",
  ';',
  '; filename=evil.html',
  '"; filename="evil.html',
  "*=UTF-8''evil.html",
  ',',
  '=',
  '<script>',
  '$' + '{7*7}',
  '{{7*7}}',
  '`id`',
  '$(id)',
  '| id',
  '& id',
  '--',
  '-rf',
  "' OR 1=1 --",
  'e\u0301',
  'é',
  '€',
  '😀',
  '👩‍👩‍👧',
  'ﷺ',
  'Ａ',
  'CON',
  'NUL.txt',
  'aux',
  '.',
  '..',
  ' ',
  '   ',
  '.htaccess',
  '.env',
  '\u00a0',
  '\ud800',
  'ß',
  'İ',
  '١',
  '%',
  '%%',
  '%zz',
  '?',
  '#',
  '*',
  ':',
  '|',
  '<',
  '>'
]

/** Anything a client may put where a name or a folder is expected. */
export function hostileText(random: Random): string {
  const pieces = Array.from({ length: random.between(1, 4) }, () => random.pick(PIECES))
  const text = random.shuffled([MARK, ...pieces]).join('')
  switch (random.below(12)) {
    case 0:
      return text + 'n'.repeat(random.between(200, 600))
    case 1:
      return '../'.repeat(random.between(1, 40)) + text
    default:
      return random.below(2) === 0 ? `${text}.txt` : text
  }
}
