import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { descriptor, paxRecord, rawAr, rawBzip2, rawCpio, rawTar, rawXz, rawZip } from '@filewright/testing'
import type { ByteRange } from '../../src/index.js'
import { startScanner } from '../helpers/clamd.js'
import { until } from '../helpers/until.js'
import { cleanText, eicar, infectedText, sourceOf } from '../helpers/samples.js'
import { encrypted, seenByClamd, unseenByClamd } from '../helpers/tool-made.js'

const { scanner, clamd } = await startScanner(t)

const zipped = (data: Buffer, name = 'inner'): Buffer => rawZip([{ name, data }])
const inTarGz = (data: Buffer): Buffer => gzipSync(rawTar([{ data }]))
const alternating = (data: Buffer, levels: number): Buffer =>
  [...Array(levels).keys()].reduce((inner, i) => (i % 2 === 0 ? gzipSync(inner) : zipped(inner)), data)

function docx(document: Buffer): Buffer {
  return rawZip([
    {
      name: '[Content_Types].xml',
      data: Buffer.from(
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
      )
    },
    {
      name: 'word/document.xml',
      data: Buffer.from(
        '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>'
      )
    },
    { name: 'word/embeddings/oleObject1.bin', data: document }
  ])
}

function pdf(content: Buffer): Buffer {
  const stream = deflateSync(content)
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n2 0 obj\n<</Length ${stream.length}/Filter/FlateDecode>>\nstream\n`
    ),
    stream,
    Buffer.from('\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n')
  ])
}

const infected: Record<string, () => Buffer> = {
  raw: () => eicar,
  'in text': infectedText,
  'in UTF-16': () => Buffer.from(eicar.toString('latin1'), 'utf16le'),
  'in UTF-16 of the other byte order': () =>
    Buffer.from(`\ufeff${eicar.toString('latin1')}`, 'utf16le').swap16(),
  'in a ZIP': () => zipped(infectedText()),
  'in a ZIP whose sizes follow the data': () => {
    const data = infectedText()
    return rawZip([{ data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: descriptor(data) }])
  },
  'in the last of three files of a ZIP': () =>
    rawZip([{ data: cleanText() }, { data: cleanText() }, { data: infectedText() }]),
  'in a tar': () => rawTar([{ data: cleanText() }, { data: gzipSync(infectedText()) }]),
  'in a tar.gz': () => inTarGz(infectedText()),
  'in a tar.gz in a ZIP': () => zipped(inTarGz(infectedText())),
  'in the second member of a gzip file': () =>
    Buffer.concat([gzipSync(cleanText()), gzipSync(infectedText())]),
  'in a cpio': () => rawCpio([{ data: cleanText() }, { data: gzipSync(infectedText()) }]),
  'in a tar.xz': () => rawXz(rawTar([{ data: cleanText() }, { data: gzipSync(infectedText()) }])),
  'in a tar.bz2': () => rawBzip2(rawTar([{ data: cleanText() }, { data: gzipSync(infectedText()) }])),
  'in a docx': () => docx(infectedText()),
  'in a compressed stream of a PDF': () => pdf(infectedText()),
  '12 levels deep': () => alternating(infectedText(), 12),
  'in the last bytes of 50 MiB': () => Buffer.concat([randomBytes(52_428_800 - eicar.length), eicar])
}

for (const [where, build] of Object.entries(infected)) {
  t.test(`finds the test virus ${where}`, async (t) => {
    t.match(await scanner.scan(sourceOf(build())), {
      verdict: 'infected',
      signature: /EICAR/,
      engine: /^ClamAV \d/
    })
  })
}

const clean: Record<string, () => Buffer> = {
  nothing: () => Buffer.alloc(0),
  text: cleanText,
  'random bytes': () => randomBytes(300_000),
  'a ZIP of a tar.gz of text': () => zipped(inTarGz(cleanText())),
  'a cpio': () => rawCpio([{ data: cleanText() }, { data: gzipSync(cleanText()) }]),
  'a tar.xz': () => rawXz(rawTar([{ data: cleanText() }, { data: zipped(cleanText()) }])),
  'a tar.bz2': () => rawBzip2(rawTar([{ data: cleanText() }, { data: zipped(cleanText()) }])),
  'a docx': () => docx(randomBytes(2_000)),
  'a PDF': () => pdf(cleanText())
}

for (const [what, build] of Object.entries(clean)) {
  t.test(`reports ${what} as clean`, async (t) => {
    t.match(await scanner.scan(sourceOf(build())), { verdict: 'clean' })
  })
}

const containers: Array<[string, (data: Buffer) => Buffer]> = [
  ['alone', (data) => data],
  ['in a ZIP', zipped],
  ['in a tar.gz', inTarGz],
  ['in a tar.gz in a ZIP in a gzip', (data) => gzipSync(zipped(inTarGz(data)))]
]
const packedVirus = (): Buffer => gzipSync(infectedText())
const inTwo = (tar: Buffer, pack: (data: Buffer) => Buffer): Buffer =>
  Buffer.concat([pack(tar.subarray(0, 1024)), pack(tar.subarray(1024))])
const sparse = (data: Buffer): Buffer => {
  const half = data.length >> 1
  return rawTar([
    { data: paxRecord('GNU.sparse.map', `0,${half},${half},${data.length - half}`), type: 'x' },
    { data }
  ])
}
function wideSizes(data: Buffer): Buffer {
  const field = Buffer.alloc(12)
  field[0] = 0x80
  field.writeUInt32BE(data.length, 8)
  return field
}

/** Formats that clamd does not open, or not completely. */
const handedOver: Record<string, () => Buffer> = {
  'in the second stream of a tar.bz2': () =>
    inTwo(rawTar([{ data: cleanText() }, { data: packedVirus() }]), rawBzip2),
  'in the second stream of a tar.xz': () =>
    inTwo(rawTar([{ data: cleanText() }, { data: packedVirus() }]), rawXz),
  'in an ar archive': () =>
    rawAr([
      { name: 'a.txt', data: cleanText() },
      { name: 'b.gz', data: packedVirus() }
    ]),
  'in a file with holes in a tar': () => sparse(packedVirus()),
  'in the second of two tars in a row': () =>
    rawTar([{ data: cleanText() }], { after: rawTar([{ data: packedVirus() }]) }),
  'behind a broken header of a tar': () =>
    rawTar([{ data: cleanText() }, { data: cleanText(), checksum: 1 }, { data: packedVirus() }]),
  "in a tar's file with its size in base 256": () => {
    const data = packedVirus()
    return rawTar([{ data: cleanText() }, { data, sizeField: wideSizes(data) }])
  },
  "in a tar's file of a kind that clamd skips": () =>
    rawTar([{ data: cleanText() }, { data: packedVirus(), type: 'A' }])
}

for (const [where, build] of Object.entries(handedOver)) {
  t.test(`finds the test virus ${where}, on its own and deep inside others`, async (t) => {
    for (const [container, wrap] of containers) {
      t.match(
        await scanner.scan(sourceOf(wrap(build()))),
        { verdict: 'infected', signature: /EICAR/ },
        container
      )
    }
  })
}

const encryptedInAnyWay: Record<string, Buffer> = {
  'a ZIP by its flags': rawZip([{ data: cleanText(), flags: 1 }]),
  ...encrypted
}

for (const [how, bytes] of Object.entries(encryptedInAnyWay)) {
  t.test(`refuses encrypted files, alone and deep inside others: ${how}`, async (t) => {
    for (const [container, wrap] of containers) {
      t.match(
        await scanner.scan(sourceOf(wrap(bytes))),
        { verdict: 'unscannable', signature: /Encrypted/, reason: /password/ },
        container
      )
    }
  })
}

const markup: Record<string, (data: string) => string> = {
  'a web page': (data) =>
    `<!DOCTYPE html><html><head><title>a</title></head><body><p>${data}</p></body></html>`,
  'a script in a web page': (data) =>
    `<html><script>var a = ${JSON.stringify(data)}</script></html>`.replaceAll('\\\\', '\\'),
  Markdown: (data) => `# Title\n\n<b>bold</b>\n\n    ${data}\n`,
  PHP: (data) => `<html><?php echo '${data}'; ?></html>`
}

for (const [what, write] of Object.entries(markup)) {
  t.test(
    `finds the test virus in ${what}, alone and in a ZIP, and reports one without it as clean`,
    async (t) => {
      const bytes = Buffer.from(write(eicar.toString('latin1')), 'latin1')

      t.match(await scanner.scan(sourceOf(bytes)), { verdict: 'infected', signature: /EICAR/ })
      t.match(await scanner.scan(sourceOf(zipped(bytes))), { verdict: 'infected', signature: /EICAR/ })
      t.match(await scanner.scan(sourceOf(Buffer.from(write(cleanText().toString())))), { verdict: 'clean' })
    }
  )
}

// As bzip2 writes it.
t.test("refuses a tar in bzip2 whose pax size differs from the header's", async (t) => {
  const base64 = [
    'QlpoOTFBWSZTWVfkyxcAAJD/8f+QVARAQf+CQEhQGmZn3nBBACAQAQAEAAgIMADYkNJqnqfok0yA0AADQAHpNPJDAaAAAaAAAAAAJJCmagnomaDTU9Q000Zp',
    'GRtBMSRzrpL33brLMhGQcNPgchJ8FbBihknMhJF5gKaanzLDAYU5SyjdJUJHJj2YhBJ88bR6DELUzIfNf6j40UdSBJocVaMW04aTSYBBFMJKuuuCSquKkYJZ',
    'zVUmtZqaYxK0jKVucIGAeBNv6k6X72iJYUQaskyUfvLoUNFSPje89p1qQcleUkgU0RKTGKYExtoo0dAZeJ3HAg/xdyRThQkFfkyxcA=='
  ].join('')

  t.match(await scanner.scan(sourceOf(Buffer.from(base64, 'base64'))), {
    verdict: 'unscannable',
    signature: 'Filewright.Archive.TarMismatch'
  })
})

for (const [command, bytes] of Object.entries({ ...seenByClamd, ...unseenByClamd })) {
  t.test(`finds the output of "${command}" clean`, async (t) => {
    t.match(await scanner.scan(sourceOf(bytes)), { verdict: 'clean' })
  })
}

t.test("reports a tar in bzip2 as clean if its pax size equals the header's", async (t) => {
  const base64 = [
    'QlpoOTFBWSZTWarl1xIAAJD/8f+QVARAQf+CQEhQGmZn3nBBACAQAQAEAAgIMADYkNIJiaTTQNDI0ANAAZNPJDAaAAAaAAAAAAJJCmnqNJ6JmobTU9TE0wmC',
    'MACRzpSv427eHD3IyDhp7jkJPgrAMUMk5kJItMBTTU+ZPuswp6RlGUroSOTH2xCCT54vrGEYrPmYHzW+w+NFHYgSY3FWO9qN+QyFwQRTCS/dOmCSqbGsIySU',
    'pNavWmVB2nExtIaIr9IgWGAeBj39Sqvfe0JJBiDEkrNX+81PrYLVOic4+46LAeOC6SnlLCRlTix5LZIUsnHufHE8DgQeRdyRThQkKrl1xIA='
  ].join('')

  t.match(await scanner.scan(sourceOf(Buffer.from(base64, 'base64'))), { verdict: 'clean' })
})

t.test('refuses archives nested deeper than clamd follows', async (t) => {
  t.match(await scanner.scan(sourceOf(alternating(infectedText(), 20))), {
    verdict: 'unscannable',
    signature: /MaxRecursion|NestedTooDeep/
  })
})

t.test('refuses a gzip bomb without using much memory', async (t) => {
  const part = gzipSync(Buffer.alloc(80 * 1024 * 1024))
  const bomb = Buffer.concat([...Array(6)].map(() => part))
  const before = process.memoryUsage().rss

  t.match(await scanner.scan(sourceOf(bomb)), { verdict: 'unscannable', signature: /Archive\.Bomb/ })

  t.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024)
})

t.test('gives no verdict when clamd is killed during a scan, and recovers once it is back', async (t) => {
  const bytes = randomBytes(20_000_000)
  async function* killing(): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, 10_000_000)
    await clamd.kill()
    yield bytes.subarray(10_000_000)
  }
  const whole = sourceOf(bytes)
  const source = {
    ...whole,
    open: async (range?: ByteRange) =>
      range === undefined ? Readable.from(killing()) : await whole.open(range)
  }

  await t.rejects(scanner.scan(source), { code: 'SCAN_UNAVAILABLE', retryable: true })
  await until(() => !scanner.health().ok)
  await t.rejects(scanner.scan(sourceOf(cleanText())), { code: 'SCAN_UNAVAILABLE' })

  await clamd.restart()
  t.match(await scanner.scan(sourceOf(cleanText())), { verdict: 'clean' })
  t.equal(scanner.health().ok, true)
})

t.test('leaves no temporary file of a finished scan', async (t) => {
  await scanner.scan(sourceOf(zipped(cleanText())))

  const left = await readdir(clamd.tempDir)
  // The operator must remove the files of a killed clamd; nothing else may remain.
  t.strictSame(
    left.filter((name) => !name.includes('scantemp') && !name.startsWith('clamav-')),
    []
  )
})

// Explicit, because the running clamd keeps the process alive.
t.end()
