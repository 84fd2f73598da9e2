import t from 'tap'
import { createTypeSniffer } from '../src/index.js'
import { detect, utf16 } from './samples.js'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

const byName: ReadonlyArray<readonly [name: string, type: string]> = [
  ['main.ts', 'text/typescript'],
  ['main.mts', 'text/typescript'],
  ['main.cts', 'text/typescript'],
  ['types.d.ts', 'text/typescript'],
  ['app.tsx', 'text/tsx'],
  ['app.jsx', 'text/jsx'],
  ['app.js', 'text/javascript'],
  ['app.mjs', 'text/javascript'],
  ['app.cjs', 'text/javascript'],
  ['a.py', 'text/x-python'],
  ['a.pyi', 'text/x-python'],
  ['a.go', 'text/x-go'],
  ['a.rs', 'text/x-rust'],
  ['A.java', 'text/x-java'],
  ['a.c', 'text/x-c'],
  ['a.h', 'text/x-c'],
  ['a.cpp', 'text/x-c++'],
  ['a.cs', 'text/x-csharp'],
  ['a.kt', 'text/x-kotlin'],
  ['a.swift', 'text/x-swift'],
  ['a.rb', 'text/x-ruby'],
  ['a.php', 'application/x-httpd-php'],
  ['a.pl', 'text/x-perl'],
  ['a.r', 'text/x-r'],
  ['a.scala', 'text/x-scala'],
  ['a.lua', 'text/x-lua'],
  ['a.sh', 'application/x-sh'],
  ['a.ps1', 'text/x-powershell'],
  ['a.bat', 'text/x-bat'],
  ['a.sql', 'application/sql'],
  ['a.json', 'application/json'],
  ['a.xml', 'application/xml'],
  ['a.yaml', 'application/yaml'],
  ['a.yml', 'application/yaml'],
  ['a.toml', 'application/toml'],
  ['a.csv', 'text/csv'],
  ['a.tsv', 'text/tab-separated-values'],
  ['a.md', 'text/markdown'],
  ['a.html', 'text/html'],
  ['a.css', 'text/css'],
  ['a.scss', 'text/x-scss'],
  ['a.vue', 'text/x-vue'],
  ['a.svelte', 'text/x-svelte'],
  ['a.proto', 'text/x-protobuf'],
  ['a.graphql', 'application/graphql'],
  ['a.tf', 'text/x-hcl'],
  ['a.ipynb', 'application/x-ipynb+json'],
  ['a.diff', 'text/x-diff'],
  ['a.txt', 'text/plain'],
  ['a.log', 'text/plain'],
  ['UPPER.TS', 'text/typescript'],
  ['a.unknown-extension', 'text/plain'],
  ['noextension', 'text/plain'],
  ['trailing.', 'text/plain'],
  ['Dockerfile', 'text/x-dockerfile'],
  ['Dockerfile.dev', 'text/x-dockerfile'],
  ['Makefile', 'text/x-makefile'],
  ['.gitignore', 'text/plain'],
  ['Jenkinsfile', 'text/x-groovy'],
  ['CMakeLists.txt', 'text/x-cmake'],
  ['.env', 'text/x-java-properties'],
  ['.env.local', 'text/x-java-properties'],
  ['.bashrc', 'application/x-sh'],
  ['Gemfile', 'text/x-ruby'],
  ['Cargo.lock', 'application/toml'],
  ['package-lock.json', 'application/json'],
  ['constructor', 'text/plain'],
  ['a.__proto__', 'text/plain'],
  ['', 'text/plain'],
  ['photo.png', 'text/plain'],
  ['photo.jpg', 'text/plain'],
  ['a.zip', 'text/plain'],
  ['a.pdf', 'text/plain'],
  ['a.docx', 'text/plain'],
  ['a.exe', 'text/plain'],
  ['a.mp4', 'text/plain'],
  ['a.svg', 'text/plain']
]

t.test('text gets its type from the name, and is plain text under the name of a binary type', async (t) => {
  for (const [name, type] of byName) {
    t.strictSame(
      await detect(Buffer.from('some words\n'), name),
      { type, kind: 'code' },
      `words as ${JSON.stringify(name)}`
    )
  }
})

t.test('an empty file gets its type from the name, or is plain text', async (t) => {
  const cases = [
    ['__init__.py', 'text/x-python'],
    ['.gitkeep', 'text/plain'],
    ['photo.png', 'text/plain'],
    ['a.svg', 'text/plain'],
    ['empty', 'text/plain']
  ] as const
  for (const [name, type] of cases) {
    t.strictSame(await detect(Buffer.alloc(0), name), { type, kind: 'code' }, name)
  }
})

const byContent: ReadonlyArray<readonly [name: string, text: string, type: string, kind?: string]> = [
  ['run', '#!/bin/sh\necho', 'application/x-sh'],
  ['run', '#!/bin/bash -e\necho', 'application/x-sh'],
  ['run', '#! /usr/bin/env python3\nprint()', 'text/x-python'],
  ['run', '#!/usr/bin/env -S PYTHONPATH=. python3.11 -u\r\nprint()', 'text/x-python'],
  ['run', '#!/usr/bin/env node', 'text/javascript'],
  ['run', '#!/usr/local/bin/ruby2.7\n', 'text/x-ruby'],
  ['run', '#!/opt/strange\n', 'text/plain'],
  ['run', '#!\n', 'text/plain'],
  ['run.txt', '#!/bin/sh\n', 'text/plain'],
  ['photo.png', '#!/bin/sh\n', 'text/plain'],
  ['page', '<!DOCTYPE html><html></html>', 'text/html'],
  ['page', '\n<html lang="en">', 'text/html'],
  ['data', '<?xml version="1.0"?><a/>', 'application/xml'],
  ['logo', svg, 'image/svg+xml', 'image'],
  ['logo.svg', svg, 'image/svg+xml', 'image'],
  [
    'logo.svg',
    `\ufeff<?xml version="1.0"?>\n<!-- <b> -->\n<!DOCTYPE svg PUBLIC "a" "b" [ <!ENTITY x ">"> ]>\n${svg}`,
    'image/svg+xml',
    'image'
  ],
  ['logo.svg', `<!DOCTYPE svg>${svg}`, 'image/svg+xml', 'image'],
  ['logo.svg', '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'image'],
  ['logo.svg', '<html><svg></svg></html>', 'text/plain'],
  ['logo.svg', '<svgx/>', 'text/plain'],
  ['logo.svg', `<!-- never closed ${svg}`, 'text/plain'],
  ['logo.svg', '<!DOCTYPE svg [ never closed >', 'text/plain'],
  ['logo.svg', '<!DOCTYPE svg', 'text/plain'],
  ['photo.png', svg, 'text/plain'],
  ['page.html', svg, 'text/html'],
  ['a.pdf', '%PDF-1.7\n%%EOF', 'application/pdf', 'document'],
  ['a.txt', '\ufeff%PDF-1.4\n', 'application/pdf', 'document'],
  ['a.rtf', '{\\rtf1\\ansi Hello}', 'application/rtf', 'document'],
  ['a.ps', '%!PS-Adobe-3.0\n', 'application/postscript', 'document'],
  ['a.tex', '%!TEX program = xelatex\n', 'application/x-tex'],
  ['notes.md', 'MZ is a prefix of executables', 'text/markdown'],
  ['notes.md', 'BM, GIF89a and %PDF are signatures', 'text/markdown'],
  ['notes', 'GIF is pronounced', 'text/plain'],
  ['notes', 'PK\n', 'text/plain'],
  ['notes', 'ID3 tags and FORM data', 'text/plain'],
  ['video.ts', 'G'.repeat(188 * 4), 'text/typescript'],
  ['bell.txt', 'a\x07\x08\x0b\x1b[0m\x1a', 'text/plain'],
  ['eicar.com', 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS' + '-TEST-FILE!$H+H*', 'text/plain']
]

t.test('text content is inspected where its name is unknown or must be verified', async (t) => {
  for (const [name, text, type, kind = 'code'] of byContent) {
    t.strictSame(
      await detect(Buffer.from(text), name),
      { type, kind },
      `${JSON.stringify(text.slice(0, 40))} as ${name}`
    )
  }
})

const encodings: ReadonlyArray<readonly [label: string, content: Buffer, isText: boolean]> = [
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffconst a = "é"'), true],
  ['UTF-8 with characters of two, three and four bytes', Buffer.from('é€😀'.repeat(50)), true],
  ['UTF-16 little endian', utf16('const a = "é😀"\r\n', 'le'), true],
  ['UTF-16 big endian', utf16('const a = "é😀"\r\n', 'be'), true],
  ['only a byte order mark', utf16('', 'le'), true],
  ['Latin-1', Buffer.from('caf\xe9 \xfcber\n', 'latin1'), true],
  ['Windows-1251', Buffer.from('cff0e8e2e5f22c20eceff0210d0a', 'hex'), true],
  ['Shift_JIS', Buffer.from('82b182f182c982bf82cd0a', 'hex'), true],
  ['a UTF-8 sequence cut at the end, which leaves 8-bit text', Buffer.from('abc\xe2\x82', 'latin1'), true],
  [
    'source code with a few raw control characters',
    Buffer.from(`const separator = "\x1f\x01"${' // filler'.repeat(40)}`),
    true
  ],
  ['old control characters in UTF-8', Buffer.from('b\bbo\bol\bld\x07\x0b\x1a'), true],
  ['words among control characters', Buffer.from('\x01\x02\x03 unknown binary data'), false],
  ['one byte', Buffer.from('x'), true],
  ['a NUL in ASCII', Buffer.from('abc\0def'), false],
  ['a NUL as the last of many bytes', Buffer.concat([Buffer.alloc(300_000, 'a'), Buffer.from([0])]), false],
  ['control characters in ASCII', Buffer.from([1, 2, 3, 4]), false],
  ['control characters in 8-bit text', Buffer.from('caf\xe9\x07', 'latin1'), false],
  ['8-bit text turning up behind a control character', Buffer.from('\x07caf\xe9', 'latin1'), false],
  ['UTF-16 with half a character', utf16('abc', 'le').subarray(0, -1), false],
  ['UTF-16 with a lone surrogate', utf16('a\ud800b', 'be'), false],
  ['UTF-16 with a NUL', utf16('a\0b', 'le'), false],
  ['UTF-16 without a byte order mark', Buffer.from('text', 'utf16le'), true],
  ['UTF-16 without a mark and with an unassigned character', Buffer.from('text \u0378', 'utf16le'), false],
  ['UTF-16 without a mark and with a control character', Buffer.from('text \u0085', 'utf16le'), false],
  [
    'small numbers of 16 bits',
    Buffer.from(Uint16Array.from(Array(300).keys(), (i) => 1 + (i % 200)).buffer),
    false
  ],
  ['UTF-32 little endian', Buffer.from('fffe00006100000062000000', 'hex'), true],
  ['UTF-32 big endian', Buffer.from('0000feff000000610001f600', 'hex'), true],
  ['UTF-32 with half a character', Buffer.from('fffe0000610000006200', 'hex'), false],
  ['UTF-32 beyond the last character', Buffer.from('fffe000000001100', 'hex'), false],
  ['UTF-32 with a surrogate', Buffer.from('fffe000000d80000', 'hex'), false],
  ['UTF-32 with a NUL', Buffer.from('fffe00000000000061000000', 'hex'), false],
  ['ISO-2022-KR', Buffer.from(`\x1b$)C\x0e${'GQ1[>n'.repeat(3)}\x0f text\n`, 'latin1'), true],
  ['shifts that nothing announces', Buffer.from(`\x0e${'GQ1[>n'.repeat(3)}\x0f text\n`, 'latin1'), false],
  ['a drawing for DOS', Buffer.from(`\x1b[0m${'\xc9\xcd\xcd\xbb\r\n'.repeat(20)}\x0c\x1a`, 'latin1'), true],
  ['8-bit text filled up with SUB', Buffer.from(`caf\xe9 \xfcber${'\x1a'.repeat(128)}`, 'latin1'), true],
  ['8-bit text with a bell', Buffer.from(`caf\xe9 \xfcber${' words'.repeat(20)}\x07`, 'latin1'), true]
]

for (const chunkBytes of [65_536, 1, 2, 3, 7]) {
  t.test(`distinguishes text from binary in chunks of ${chunkBytes} bytes`, async (t) => {
    for (const [label, content, isText] of encodings) {
      if (content.length > 1_000 && chunkBytes === 1) continue
      const expected = isText ? { type: 'text/typescript', kind: 'code' } : null
      t.strictSame(await detect(content, 'a.ts', chunkBytes), expected, label)
    }
  })
}

t.test('finds an SVG root in UTF-16, too', async (t) => {
  t.strictSame(await detect(utf16(svg, 'be'), 'logo.svg'), { type: 'image/svg+xml', kind: 'image' })
})

t.test('finds a control character at every position of a chunk, at any memory alignment', async (t) => {
  for (const filler of ['\xe9a\n ', '\xe9abc']) {
    for (let offset = 0; offset < 4; offset++) {
      for (let place = 0; place < 44; place++) {
        const memory = Buffer.alloc(48, filler, 'latin1')
        memory[offset + place] = 0x01
        const sniffer = createTypeSniffer()

        sniffer.update(memory.subarray(offset, offset + 44))

        const found = await sniffer.finish('a.txt')
        t.match(found, { rejection: { code: 'unsupported-type' } }, `at ${place}, from ${offset}`)
      }
    }
  }
})
