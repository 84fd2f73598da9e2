import { eicar } from '@filewright/acceptance'
import { limits } from '@filewright/contracts'
import { uniqueLine, type Container } from './container.js'
import { wordsOf } from '../words.js'

/** Positions of the test file in a page. */
const PLACES: Record<string, string> = {
  'alone on a line': eicar,
  'in a tag': `<p class="x">${eicar}</p>`,
  'in an attribute': `<p title='${eicar}'>text</p>`,
  'in a comment': `<!-- ${eicar} -->`,
  'in a script': `<script>\nvar text = '${eicar}';\n</script>`
}

/** Types whose whole content is markup. */
const PAGES = wordsOf(`
  html htm xhtml hta shtml svg xml xsl md php vue svelte erb asp aspx jsp ejs hbs twig cshtml liquid mht
  eml rst tex
`)

/** Types that contain markup in strings and comments, with the start of a line comment. */
const PROGRAMS: Record<string, string> = {
  js: '//',
  mjs: '//',
  jsx: '//',
  ts: '//',
  tsx: '//',
  vbs: "'",
  py: '#',
  rb: '#',
  pl: '#',
  ps1: '#',
  sh: '#',
  bat: 'rem',
  css: '/*',
  java: '//',
  cs: '//',
  go: '//',
  c: '//',
  sql: '--',
  yml: '#',
  ini: ';',
  json: '',
  csv: '',
  txt: ''
}

const HEADS: Record<string, string> = {
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">',
  xml: '<?xml version="1.0"?>\n<page>',
  xsl: '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">',
  md: '# A page\n\n<div>',
  php: '<?php echo "page"; ?>\n<html><body>',
  eml: 'From: a@example.com\nTo: b@example.com\nSubject: page\nContent-Type: text/html\n\n<html><body>',
  mht: 'From: <Saved by a browser>\nMIME-Version: 1.0\nContent-Type: text/html\n\n<html><body>'
}
const TAILS: Record<string, string> = {
  svg: '</svg>',
  xml: '</page>',
  xsl: '</xsl:stylesheet>',
  md: '</div>'
}

function page(extension: string, spot: string): string {
  const head = HEADS[extension] ?? '<!DOCTYPE html>\n<html><head><title>Page</title></head>\n<body>'
  const tail = TAILS[extension] ?? '</body></html>'
  return `${head}\n<p>${uniqueLine()}</p>\n${spot}\n<p>The end.</p>\n${tail}\n`
}

/** Like `page`, but in a program that writes a page. */
function program(comment: string, spot: string): string {
  const close = comment === '/*' ? ' */' : ''
  const noted = (line: string): string => `${comment} ${line}${close}\n`
  const [before, after] = [
    noted(uniqueLine().trim()) + noted('<html><body><p>A page.</p>'),
    noted('</body></html>')
  ]
  return `${before}${spot}\n${after}`
}

const text = (name: string, file: string, content: () => string | Buffer): Container => ({
  name,
  file,
  needs: [],
  make: async () => Buffer.from(content())
})

const MIB = 1024 * 1024
const filler = (sizeBytes: number): Buffer => Buffer.alloc(sizeBytes, uniqueLine())

const positions: Container[] = [
  text('the test file, exactly', 'eicar.com.txt', () => eicar),
  text('the test file, exactly, as .html', 'a.html', () => eicar),
  text('plain text, first line', 'a.txt', () => `${eicar}\n${uniqueLine()}`),
  text('plain text, last bytes of 50 MB', 'a.txt', () =>
    Buffer.concat([filler(limits.fileSizeBytes - eicar.length), Buffer.from(eicar)])
  ),
  text('HTML, last bytes of 12 MB', 'a.html', () =>
    Buffer.concat([Buffer.from('<html><body>'), filler(12 * MIB), Buffer.from(`<p>${eicar}`)])
  ),
  text(
    'HTML in upper case',
    'a.html',
    () => `<HTML><BODY><SCRIPT>${eicar}</SCRIPT>${uniqueLine()}</BODY></HTML>`
  ),
  text('a PHP file that only opens', 'a.php', () => `<?php\n// ${uniqueLine()}$text = '${eicar}';\n`),
  text('text as UTF-16 LE', 'a.txt', () => Buffer.from(`\ufeff${uniqueLine()}${eicar}\n`, 'utf16le')),
  text('text as UTF-16 BE', 'a.txt', () =>
    Buffer.from(`\ufeff${uniqueLine()}${eicar}\n`, 'utf16le').swap16()
  ),
  text('HTML as UTF-16 LE', 'a.html', () =>
    Buffer.from(`\ufeff${page('html', PLACES['in a tag'] ?? '')}`, 'utf16le')
  ),
  text('HTML as UTF-16 BE', 'a.html', () =>
    Buffer.from(`\ufeff${page('html', PLACES['in a tag'] ?? '')}`, 'utf16le').swap16()
  ),
  text('HTML with a byte order mark', 'a.html', () => `\ufeff${page('html', PLACES['in a script'] ?? '')}`),
  text('SVG with a data address', 'a.svg', () =>
    page('svg', `<image href="data:text/plain;base64,${base64()}"/>`)
  ),
  text('HTML with a data address', 'a.html', () =>
    page('html', `<a href="data:application/octet-stream;base64,${base64()}">x</a>`)
  ),
  text(
    'RTF with an object',
    'a.rtf',
    () => `{\\rtf1\\ansi ${uniqueLine()}{\\object\\objemb{\\*\\objdata ${oleHex()}}}}`
  ),
  text('mail with a base64 attachment', 'a.eml', () => mail('base64', base64())),
  text('mail with a quoted-printable attachment', 'a.eml', () => mail('quoted-printable', eicar)),
  text('base64 alone', 'a.b64', () => `${base64()}\n`)
]

const base64 = (): string => Buffer.from(`${eicar}\n${uniqueLine()}`).toString('base64')

function mail(encoding: string, body: string): string {
  return [
    'From: a@example.com',
    'To: b@example.com',
    'Subject: attachment',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=edge',
    '',
    '--edge',
    'Content-Type: text/plain',
    '',
    uniqueLine(),
    '--edge',
    'Content-Type: application/octet-stream; name="a.com"',
    'Content-Disposition: attachment; filename="a.com"',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    body,
    '--edge--',
    ''
  ].join('\r\n')
}

/** An OLE 1 package, as WordPad writes a file that was dropped into a document. */
function oleHex(): string {
  const data = Buffer.from(eicar)
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const zero = (value: string): Buffer => Buffer.from(`${value}\0`)
  const body = Buffer.concat([
    Buffer.from([2, 0]),
    zero('a.com'),
    zero('C:\\a.com'),
    Buffer.from([0, 0, 3, 0]),
    number(9),
    zero('C:\\a.com'),
    number(data.length),
    data
  ])
  return Buffer.concat([
    number(0x501),
    number(2),
    number(8),
    zero('Package'),
    number(0),
    number(0),
    number(body.length),
    body
  ]).toString('hex')
}

/** Every text type with markup, and the same bytes at unusual positions and in other encodings. */
export const textContainers: Container[] = [
  ...PAGES.flatMap((extension) =>
    Object.entries(PLACES).map(([place, spot]) =>
      text(`.${extension}, ${place}`, `page.${extension}`, () => page(extension, spot))
    )
  ),
  ...Object.entries(PROGRAMS).flatMap(([extension, comment]) =>
    ['alone on a line', 'in a tag'].map((place) =>
      text(`.${extension} with markup, ${place}`, `page.${extension}`, () =>
        program(comment, PLACES[place] ?? eicar)
      )
    )
  ),
  ...positions
]
