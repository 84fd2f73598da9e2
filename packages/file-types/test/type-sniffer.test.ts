import fc from 'fast-check'
import t from 'tap'
import { isFileKind } from '@filewright/contracts'
import { cpuMsOf, fuzzParameters } from '@filewright/testing'
import { isInlineSafe } from '../src/index.js'
import { bytes, contentTypes, detect, ole, sparse, zip } from './samples.js'

const MEDIA_TYPE = /^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/

const seeds = [
  bytes('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', Buffer.alloc(40)),
  bytes('II*\0\x08\0\0\0', Buffer.alloc(40)),
  bytes('OggS', Buffer.alloc(40)),
  bytes([0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x88], 'webm', Buffer.alloc(40)),
  bytes('070707', Buffer.alloc(120, '0')),
  bytes('RIFF', Buffer.alloc(40)),
  bytes('!<arch>\n', Buffer.alloc(40)),
  bytes([0x1f, 0x8b, 8], Buffer.alloc(40)),
  bytes([0x04, 0, 0, 0], Buffer.alloc(40)),
  bytes('ID3', Buffer.alloc(40)),
  bytes([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9], Buffer.alloc(60)),
  bytes([0, 0, 1, 0, 1, 0], Buffer.alloc(40)),
  bytes([0xfe, 0xff], '<svg>'),
  bytes('<?xml <!DOCTYPE [ <!-- '),
  sparse(600, { 257: 'ustar\0' }),
  ole({ names: ['WordDocument'] }),
  ole({ names: ['Workbook'], directorySector: 3 }),
  await zip({ '[Content_Types].xml': contentTypes('application/x'), 'word/document.xml': 'x' }),
  await zip(
    { mimetype: 'application/epub+zip', 'META-INF/MANIFEST.MF': '', 'A.class': '' },
    { compress: false }
  )
]

const names = fc.oneof(
  fc.constantFrom('a.ts', 'a.svg', 'a', 'a.jxl', '.', '..', 'a.', ''),
  fc.string({ unit: 'binary', maxLength: 40 })
)

/** A known format with some bytes overwritten and its end cut off. */
const mutated = fc
  .record({
    seed: fc.constantFrom(...seeds),
    edits: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 })), {
      maxLength: 8
    }),
    keep: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true }))
  })
  .map(({ seed, edits, keep }) => {
    const copy = Buffer.from(seed)
    for (const [place, value] of edits) {
      copy[Math.min(copy.length - 1, Math.floor(place * copy.length))] = value
    }
    return copy.subarray(0, Math.ceil(copy.length * keep))
  })

t.test('returns a media type and a kind, or null, for any bytes under any name', async (t) => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }).map((array) => Buffer.from(array)),
    mutated
  )

  await fc.assert(
    fc.asyncProperty(
      anything,
      names,
      fc.integer({ min: 1, max: 3_000 }),
      async (content, name, chunkBytes) => {
        const detected = await detect(content, name, chunkBytes)

        if (detected !== null && !(MEDIA_TYPE.test(detected.type) && isFileKind(detected.kind))) {
          throw new Error(JSON.stringify(detected))
        }
      }
    ),
    fuzzParameters(t, 3_000)
  )
  t.pass('no input was answered with an error')
})

t.test('accepts any Unicode text, and never mistakes it for binary', async (t) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 500 })

  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (content, chunkBytes) => {
      const detected = await detect(Buffer.from(content), 'a.ts', chunkBytes)

      if (detected?.type !== 'text/typescript') throw new Error(JSON.stringify(detected))
    }),
    fuzzParameters(t, 500)
  )
  t.pass('all were text')
})

t.test('returns the same for any bytes, at any chunk boundaries', async (t) => {
  await fc.assert(
    fc.asyncProperty(mutated, names, fc.integer({ min: 1, max: 700 }), async (content, name, chunkBytes) => {
      const [whole, pieces] = [await detect(content, name), await detect(content, name, chunkBytes)]

      if (JSON.stringify(whole) !== JSON.stringify(pieces)) {
        throw new Error(`${JSON.stringify(whole)} as a whole, ${JSON.stringify(pieces)} in pieces`)
      }
    }),
    fuzzParameters(t, 1_500)
  )
  t.pass('no answer hung on the pieces')
})

t.test('refuses programs under every name, whatever follows their first bytes', async (t) => {
  const programs = fc.constantFrom(
    bytes([0x7f], 'ELF', [2, 1, 1, 0]),
    bytes('MZ\x90\0\x03\0'),
    bytes([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
    bytes([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0x34]),
    bytes([0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1]),
    bytes([0xfe, 0xed, 0xfa, 0xce, 0, 0, 0, 7]),
    bytes('dex\n035\0')
  )
  const rest = fc.uint8Array({ maxLength: 600 }).map((array) => Buffer.from(array))

  await fc.assert(
    fc.asyncProperty(programs, rest, names, async (head, tail, name) => {
      const detected = await detect(Buffer.concat([head, tail]), name)

      if (detected !== null) throw new Error(JSON.stringify(detected))
    }),
    fuzzParameters(t, 1_500)
  )
  t.pass('all were refused')
})

t.test('stays fast for text that is crafted to be slow', async (t) => {
  for (const unit of [
    '<!--',
    '<!---->',
    '<!DOCTYPE [',
    '<!DOCTYPE >',
    '<?',
    '<??>',
    ' ',
    '#!/usr/bin/env -',
    '#!/',
    '\r'
  ]) {
    for (const name of ['a.svg', 'a']) {
      const cpuMs = await cpuMsOf(async () => {
        t.equal((await detect(Buffer.alloc(200_000, unit), name))?.kind, 'code')
      })
      t.ok(cpuMs < 5_000, `${JSON.stringify(unit)} as ${name} took ${cpuMs} ms of work`)
    }
  }
})

t.test('inspects every byte of a file of the full 50 MiB', async (t) => {
  const text = Buffer.alloc(52_428_800, 'const a = "é€😀"\n')
  const binary = Buffer.from(text)
  binary[52_428_000] = 0

  t.strictSame(await detect(text, 'a.ts'), { type: 'text/typescript', kind: 'code' })
  t.equal(await detect(binary, 'a.ts'), null)
})

t.test('shows raster images, plain text and PDF inline, and nothing else', async (t) => {
  for (const type of [
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/webp',
    'image/avif',
    'text/plain',
    'application/pdf'
  ]) {
    t.equal(isInlineSafe(type), true, type)
  }
  for (const type of [
    'image/svg+xml',
    'text/html',
    'application/xml',
    'text/javascript',
    'application/zip',
    'image/vnd.djvu',
    'image/unknown',
    ''
  ]) {
    t.equal(isInlineSafe(type), false, type)
  }
})
