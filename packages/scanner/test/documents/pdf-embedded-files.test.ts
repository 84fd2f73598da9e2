import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { PDFDocument } from '@cantoo/pdf-lib'
import t from 'tap'
import {
  readEmbeddedFiles,
  type PdfContents,
  type PdfOptions
} from '../../src/documents/pdf-embedded-files.js'
import { objectStream, rawPdf, type RawStream } from './raw-pdf.js'

const content = Buffer.from(`a file of its own, ${randomBytes(8).toString('hex')}, `.repeat(20))
const deflated: RawStream = { dict: '/Filter/FlateDecode', data: deflateSync(content) }
const catalog = '<</Type/Catalog>>'
const specification = '<</Type/Filespec/F(report.txt)/EF<</F 5 0 R>>>>'
const simple = rawPdf({ 4: specification, 5: deflated })
const slow = Buffer.from('%PDF-1.7\n' + '1 0 obj <</Type/EmbeddedFile '.repeat(200_000))

async function read(pdf: Buffer, options: Partial<PdfOptions> = {}): Promise<PdfContents> {
  return await readEmbeddedFiles(pdf, { maxBytes: 10_000_000, maxFiles: 100, timeoutMs: 60_000, ...options })
}

async function filesOf(pdf: Buffer): Promise<Buffer[]> {
  const contents = await read(pdf)
  if (!contents.ok) throw new Error(contents.reason)
  return contents.files.map(({ bytes }) => bytes)
}

interface LibraryOptions {
  useObjectStreams?: boolean
  /** The password that readers ask for. */
  userPassword?: string
}

async function madeByLibrary(options: LibraryOptions = {}): Promise<Buffer> {
  const { useObjectStreams = false, userPassword } = options
  const document = await PDFDocument.create()
  document.addPage()
  await document.attach(content, 'räport.bin', { mimeType: 'application/octet-stream' })
  if (userPassword !== undefined) document.encrypt({ userPassword, ownerPassword: 'owner' })
  return Buffer.from(await document.save({ useObjectStreams }))
}

t.test('finds the file that a library attached, and its name, with or without object streams', async (t) => {
  for (const useObjectStreams of [false, true]) {
    const contents = await read(await madeByLibrary({ useObjectStreams }))

    t.match(contents, { ok: true, encrypted: 'no', files: [{ name: 'räport.bin', bytes: content }] })
    t.equal(contents.ok && contents.files.length, 1)
  }
})

t.test('finds nothing in a PDF without embedded files, and reads the next one', async (t) => {
  const nothing = { ok: true, encrypted: 'no', files: [] }
  const document = await PDFDocument.create()
  document.addPage()

  for (const useObjectStreams of [false, true]) {
    t.strictSame(await read(Buffer.from(await document.save({ useObjectStreams }))), nothing)
  }
  t.strictSame(await read(rawPdf({ 1: catalog })), nothing)
})

const packed = deflateSync(content)
const directStream = `<</Length ${packed.length}/Filter/Fl>>stream\n${packed.toString('latin1')}\nendstream`
const direct = `<</EF<</F${directStream}>>>>`
const reachable: Record<string, Buffer> = {
  'by a file specification': rawPdf({ 4: specification, 5: deflated }),
  'by a pointer with an escaped name': rawPdf({ 4: specification.replace('/EF', '/#45#46'), 5: deflated }),
  'by a specification that is cut off': rawPdf({ 4: '<</Type/Filespec/EF<</F 5 0 R', 5: deflated }),
  'by an annotation': rawPdf({ 3: `<</Subtype/FileAttachment/FS ${specification}>>`, 5: deflated }),
  'by an indirect dictionary': rawPdf({ 3: '<</EF 4 0 R>>', 4: '<</F 5 0 R/UF 5 0 R>>', 5: deflated }),
  'by a reference to a reference': rawPdf({ 3: '<</EF<</F 4 0 R>>>>', 4: '5 0 R', 5: deflated }),
  'by related files': rawPdf({ 4: '<</F(a)/RF<</F[(b) 5 0 R]>>>>', 5: deflated }),
  'by an object stream': rawPdf({ 3: objectStream({ 4: specification }), 5: deflated }),
  'by an object stream without a type': rawPdf({ 3: objectStream({ 4: specification }, ''), 5: deflated }),
  'through an object in an object stream': rawPdf({
    3: objectStream({ 4: '<</F 5 0 R>>' }),
    5: deflated,
    6: '<</EF 4 0 R>>'
  }),
  'by the trailer, as LibreOffice does': rawPdf({ 5: deflated }, '/AdditionalStreams[/a#2Fzip 5 0 R]'),
  'by nothing but its type': rawPdf({ 5: { ...deflated, dict: '/Type/EmbeddedFile/Filter/FlateDecode' } }),
  'by nothing but its escaped type': rawPdf({ 5: { ...deflated, dict: '/Type/Embedded#46ile/Filter/Fl' } }),
  'inside its specification, as pypdf does': Buffer.from(`%PDF-1.7\n4 0 obj\n${direct}\nendobj\n`, 'latin1')
}

for (const [way, pdf] of Object.entries(reachable)) {
  t.test(`finds a file that is reachable ${way}`, async (t) => {
    t.strictSame(await filesOf(pdf), [content])
  })
}

const hex = (bytes: Buffer): string => `${bytes.toString('hex')}>`
const keywords = '/Desc(the stream of 5 0 obj\\) endobj)'
const written: Record<string, RawStream> = {
  plainly: { dict: '/Subtype/text#2Fplain', data: content },
  'with a hex string in front of its filter': { dict: '/Params<</CheckSum<00>>>/Filter/Fl', data: packed },
  'with strings that look like keywords': { dict: `${keywords}/Filter/FlateDecode`, data: packed },
  'in hexadecimal digits': { dict: '/Filter/ASCIIHexDecode', data: hex(content) },
  'through two filters': { dict: '/Filter[/AHx/Fl]', data: hex(packed) },
  'with an indirect filter': { dict: '/Filter 7 0 R', data: packed },
  'with an indirect length': { dict: '/Length 8 0 R/Filter/FlateDecode', data: packed },
  'with itself as its length': { dict: '/Length 5 0 R/Filter/FlateDecode', data: packed },
  'with a wrong length': { dict: '/Length 3/Filter/FlateDecode', data: packed },
  'with a PNG predictor': {
    dict: '/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 10>>',
    data: deflateSync(predictedUp(content, 10))
  }
}

/** Encodes each row as its difference from the row above. */
function predictedUp(bytes: Buffer, columns: number): Buffer {
  const rows: Buffer[] = []
  for (let at = 0; at < bytes.length; at += columns) {
    const row = bytes.subarray(at, at + columns)
    const above = at === 0 ? Buffer.alloc(columns) : bytes.subarray(at - columns, at)
    rows.push(Buffer.from([2]), Buffer.from(row.map((byte, i) => byte - (above[i] ?? 0))))
  }
  return Buffer.concat(rows)
}

for (const [way, stream] of Object.entries(written)) {
  t.test(`unpacks a file that is written ${way}`, async (t) => {
    const length = String(Buffer.from(stream.data).length)
    const pdf = rawPdf({ 4: specification, 5: stream, 7: '[/FlateDecode]', 8: length })

    t.strictSame(await filesOf(pdf), [content])
  })
}

const inObjectStream: Record<string, { stream: RawStream; objects: Record<number, string> }> = {
  'a list of filters': {
    stream: { dict: '/Filter 7 0 R', data: hex(packed) },
    objects: { 7: '[/ASCIIHexDecode /FlateDecode]' }
  },
  'one filter of a list': {
    stream: { dict: '/Filter[7 0 R/Fl]', data: hex(packed) },
    objects: { 7: '8 0 R', 8: '/AHx' }
  },
  'the parameters of a predictor': {
    stream: { dict: '/Filter/Fl/DecodeParms 7 0 R', data: deflateSync(predictedUp(content, 10)) },
    objects: { 7: '<</Predictor 8 0 R/Columns 10>>', 8: '12' }
  }
}
for (const [what, { stream, objects }] of Object.entries(inObjectStream)) {
  t.test(`unpacks a file with ${what} in an object stream`, async (t) => {
    t.strictSame(await filesOf(rawPdf({ 3: objectStream(objects), 4: specification, 5: stream })), [content])
  })
}

t.test(
  'decodes a file with every revision of its filter, because a reader may use any of them',
  async (t) => {
    const pdf = rawPdf({
      3: objectStream({ 7: '/ASCIIHexDecode' }),
      4: specification,
      5: { dict: '/Filter 7 0 R', data: packed },
      7: '/FlateDecode'
    })

    const files = await filesOf(Buffer.concat([pdf, rawPdf({ 7: '/RunLengthDecode' })]))

    t.ok(files.some((bytes) => bytes.equals(content)))
  }
)

t.test('refuses a PDF whose filters have too many interpretations', async (t) => {
  const revisions = Array.from({ length: 20 }, (_, i) => rawPdf({ 7: `[/FlateDecode /X${i}]` }))
  const pdf = Buffer.concat([
    rawPdf({ 4: specification, 5: { dict: '/Filter 7 0 R', data: packed } }),
    ...revisions
  ])

  t.match(await read(pdf), { ok: false, reason: 'PdfTooComplex' })
})

t.test('reads PDFs with leading bytes, with comments in headers, and without `endobj`', async (t) => {
  const pdf = rawPdf({ 4: specification, 5: deflated }).toString('latin1')
  const commented = pdf.replace('5 0 obj', '5 %no\n0 %no\nobj')
  const cut = pdf.slice(0, pdf.indexOf('trailer'))

  for (const odd of [`junk\n\n${pdf}`, commented, pdf.replaceAll('endobj', ''), cut]) {
    t.strictSame(await filesOf(Buffer.from(odd, 'latin1')), [content])
  }
})

t.test('finds the files of older revisions as well as those of the newest', async (t) => {
  const newer = Buffer.from('the newer one')
  const pdf = Buffer.concat([simple, rawPdf({ 5: { dict: '', data: newer } })])

  t.strictSame(await filesOf(pdf), [content, newer])
})

t.test('ignores names in the data of a page', async (t) => {
  const data = `${randomBytes(100).toString('latin1')} /Type/EmbeddedFile /3D /EF `

  t.strictSame(await filesOf(rawPdf({ 1: { dict: '', data }, 2: { dict: '', data: 'another' } })), [])
})

t.test('returns the decodable part of a damaged file, and its raw bytes', async (t) => {
  const damaged = deflateSync(randomBytes(100_000), { level: 0 })
  damaged.fill(0xff, 70_000)

  const pdf = rawPdf({ 4: specification, 5: { dict: '/Filter/FlateDecode', data: damaged } })
  const [salvaged = Buffer.alloc(0), ...others] = await filesOf(pdf)

  t.ok(salvaged.length >= 60_000, `${salvaged.length} bytes of 70,000`)
  t.ok(damaged.includes(salvaged.subarray(0, 1_000)))
  t.strictSame(others, [damaged])
})

t.test('returns the bytes of a file whose filter or dictionary it does not understand', async (t) => {
  const unknown = { dict: '/Type/EmbeddedFile/Filter/Unheard#20Of', data: content }
  const broken = { dict: '/Type/EmbeddedFile ]] /Filter', data: content }

  for (const stream of [unknown, broken]) t.match(await filesOf(rawPdf({ 5: stream })), [content])
})

t.test('returns the range of a file only if the file fills it', async (t) => {
  const rangeOf = async (data: Buffer, dict: string): Promise<unknown> => {
    const contents = await read(rawPdf({ 4: specification, 5: { dict, data } }))
    return contents.ok ? contents.files[0]?.range : null
  }
  const start = rawPdf({ 4: specification, 5: { dict: '', data: content } }).indexOf(content)

  t.strictSame(await rangeOf(content, ''), { start, end: start + content.length - 1 })
  t.match(await rangeOf(packed, '/Filter/FlateDecode'), { start: Number, end: Number })
  const withMore = Buffer.concat([packed, Buffer.from('something behind it')])
  t.equal(await rangeOf(withMore, '/Filter/FlateDecode'), undefined)
})

t.test('decrypts the files of a PDF that opens without a password', async (t) => {
  for (const useObjectStreams of [false, true]) {
    const contents = await read(await madeByLibrary({ useObjectStreams, userPassword: '' }))

    t.match(contents, { ok: true, encrypted: 'empty-password', files: [{ bytes: content }] })
  }
})

t.test('refuses a PDF that needs a password, or is encrypted in an unknown way', async (t) => {
  const locked = await madeByLibrary({ userPassword: 'secret' })
  const unknown = rawPdf({ 2: '<</Filter/Adobe.PubSec/V 4>>' }, '/Encrypt 2 0 R')

  t.strictSame(await read(locked), { ok: false, reason: 'PdfPassword' })
  t.strictSame(await read(unknown), { ok: false, reason: 'PdfEncryption' })
})

t.test('accepts a PDF with a password-protected PDF attached', async (t) => {
  const locked = await madeByLibrary({ userPassword: 'secret' })
  const outer = rawPdf({ 4: specification, 5: { dict: '/Type/EmbeddedFile', data: locked } })

  const contents = await read(outer)

  t.match(contents, { ok: true, encrypted: 'no' })
  t.ok(contents.ok && contents.files.some(({ bytes }) => bytes.equals(locked)))
})

t.test('refuses a PDF that unpacks to too much or has too many files', async (t) => {
  const bomb = deflateSync(Buffer.alloc(2_000_000))
  const bombed = rawPdf({ 4: specification, 5: { dict: '/Filter/FlateDecode', data: bomb } })
  const file = { dict: '/Type/EmbeddedFile', data: content }
  const many = rawPdf(Object.fromEntries([...Array(11).keys()].map((number) => [number, file])))

  t.strictSame(await read(bombed, { maxBytes: 1_000_000 }), { ok: false, reason: 'PdfTooLarge' })
  t.strictSame(await read(many, { maxFiles: 10 }), { ok: false, reason: 'PdfTooManyFiles' })
})

t.test('a PDF that takes too long gets no verdict, and the next one is read', async (t) => {
  await t.rejects(read(slow, { timeoutMs: 5 }), { code: 'SCAN_UNAVAILABLE', retryable: false })
  t.strictSame(await filesOf(simple), [content])
})

t.test('stops on abort, while it runs and while it waits', async (t) => {
  const cancelled = { status: 'rejected', reason: { code: 'CANCELLED' } }
  const leaving = new AbortController()
  const reads = [...Array(4).keys()].map(async () => await read(slow, { signal: leaving.signal }))

  setImmediate(() => leaving.abort())

  for (const outcome of await Promise.allSettled(reads)) t.match(outcome, cancelled)
  await t.rejects(read(slow, { signal: leaving.signal }), { code: 'CANCELLED' })
  t.strictSame(await filesOf(simple), [content], 'the next one is read')
})
