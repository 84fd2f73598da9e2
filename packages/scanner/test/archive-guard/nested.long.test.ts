import { randomBytes } from 'node:crypto'
import { deflateRawSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { descriptor, paxRecord, rawAr, rawBzip2, rawCpio, rawTar, rawXz, rawZip } from '@filewright/testing'
import { guard, handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText, sourceOf } from '../helpers/samples.js'

const data = cleanText()
const zip = rawZip([{ data }])

const file = (bytes: Buffer): Buffer => rawTar([{ data }, { name: 'inner', data: bytes }, { data }])
const wraps: Record<string, (bytes: Buffer) => Buffer> = {
  'a tar': file,
  'a gzip file': gzipSync,
  'a tar.gz': (bytes) => gzipSync(file(bytes)),
  'a tar in a tar': (bytes) => file(file(bytes)),
  'a gzip file in a tar.gz': (bytes) => gzipSync(file(gzipSync(bytes))),
  'a cpio': (bytes) => rawCpio([{ data }, { name: 'inner', data: bytes }, { data }]),
  'a cpio.gz': (bytes) => gzipSync(rawCpio([{ name: 'inner', data: bytes }], { form: 'odc' })),
  'a tar.xz': (bytes) => rawXz(file(bytes)),
  'a tar.bz2': (bytes) => rawBzip2(file(bytes)),
  'an xz file in a bzip2 file in an xz file': (bytes) => rawXz(rawBzip2(rawXz(bytes))),
  'a ZIP, deflated': (bytes) => rawZip([{ data }, { name: 'inner', data: bytes }]),
  'a ZIP, stored': (bytes) => rawZip([{ data }, { name: 'inner', data: bytes, method: 0 }]),
  'a tar.gz in a ZIP': (bytes) => rawZip([{ name: 'inner', data: gzipSync(file(bytes)) }]),
  'a ZIP in a tar.gz': (bytes) => gzipSync(file(rawZip([{ name: 'inner', data: bytes }])))
}

const crooked: Record<string, [string, Buffer]> = {
  'two ZIPs in a row': ['ZipDirectoryMisplaced', Buffer.concat([zip, zip])],
  'a ZIP of two minds about a size': [
    'ZipMismatch',
    rawZip([{ data, local: { compressedBytes: 1, sizeBytes: 1 } }])
  ],
  "a tar whose pax size is not the header's": [
    'TarMismatch',
    Buffer.concat([
      rawTar([{ data: paxRecord('size', String(zip.length)), type: 'x' }]).subarray(0, -1024),
      rawTar([{ data: zip, sizeField: Buffer.from('00000000000\0') }])
    ])
  ],
  'a cpio with bytes between its members': [
    'CpioBroken',
    rawCpio([{ data, after: Buffer.from('JUNKJUNK') }, { data: zip }])
  ]
}

const hidden = cleanText()

/** Files that clamd does not find by itself, all with the same content. */
const unseen: Record<string, Buffer> = {
  'the second of two tars in a row': rawTar([{ data }], { after: rawTar([{ data: hidden }]) }),
  'the second stream of a bzip2 file': Buffer.concat([rawBzip2(data), rawBzip2(hidden)]),
  'the second stream of an xz file': Buffer.concat([rawXz(data), rawXz(hidden)]),
  'a file of an ar archive': rawAr([
    { name: 'a.txt', data },
    { name: 'b.txt', data: hidden }
  ])
}

for (const [where, wrap] of Object.entries(wraps)) {
  t.test(`scans the files in ${where} that clamd does not find there`, async (t) => {
    for (const [what, bytes] of Object.entries(unseen)) t.ok(await handsOver(wrap(bytes), hidden), what)
  })

  t.test(`refuses the same archives in ${where} as at the top level`, async (t) => {
    for (const [what, [reason, bytes]] of Object.entries(crooked)) {
      t.equal(await reasonFor(wrap(bytes)), reason, what)
    }
  })

  t.test(`accepts valid archives in ${where}`, async (t) => {
    for (const sound of [
      zip,
      rawTar([{ data }]),
      gzipSync(data),
      gzipSync(file(zip)),
      rawZip([]),
      randomBytes(2_000),
      Buffer.alloc(0)
    ]) {
      t.equal(await reasonFor(wrap(sound)), null)
    }
  })
}

t.test('follows a tar in a tar, and a tar in a ZIP, that exceed the memory limit', async (t) => {
  // A single repeated letter would be a bomb.
  const large = Buffer.concat([randomBytes(1024 * 1024), Buffer.alloc(70 * 1024 * 1024, 'x')])
  const inner = rawTar([{ data: large }, { data: Buffer.concat([zip, zip]) }])

  t.equal(await reasonFor(gzipSync(file(inner), { level: 1 })), 'ZipDirectoryMisplaced')
  t.equal(await reasonFor(rawZip([{ data: inner }])), 'ZipDirectoryMisplaced')
})

t.test('refuses a ZIP that exceeds the memory limit and cannot be read in place', async (t) => {
  const large = rawZip([{ data: Buffer.alloc(70 * 1024 * 1024), method: 0 }])

  t.equal(await reasonFor(gzipSync(large, { level: 1 })), 'NestedTooLarge')
  t.equal(await reasonFor(gzipSync(file(large), { level: 1 })), 'NestedTooLarge')
})

/** How many of these scans unpack a nested archive into memory at the same time. */
async function heldTogether(innerBytes: number, scans: number): Promise<number> {
  const outer = rawZip([{ name: 'in.zip', data: rawZip([{ data: Buffer.alloc(innerBytes), method: 0 }]) }])
  let now = 0
  let most = 0
  const scanOne = async (): Promise<void> => {
    const source = sourceOf(outer)
    let opened = 0
    const { result } = await guard({
      ...source,
      open: async (range) => {
        const stream = await source.open(range)
        // The third read is for the nested archive, after those of the end record and the entry.
        if (range === undefined || range.end === outer.length - 1) return stream
        opened++
        most = Math.max(most, ++now)
        await new Promise((resolve) => setTimeout(resolve, 20))
        stream.once('close', () => {
          now--
        })
        return stream
      }
    })
    if (!result.ok || opened === 0) throw new Error(`${JSON.stringify(result)} after ${opened} looks inside`)
  }
  await Promise.all(Array.from({ length: scans }, scanOne))
  return most
}

t.test(
  'all scans of a process hold large nested archives one at a time, small ones concurrently',
  async (t) => {
    t.equal(await heldTogether(2 * 1024 * 1024, 6), 1)
    t.equal(await heldTogether(10_000, 6), 6)
  }
)

t.test('a waiting scan can be cancelled without affecting later scans', async (t) => {
  const outer = rawZip([
    { name: 'in.zip', data: rawZip([{ data: Buffer.alloc(2 * 1024 * 1024), method: 0 }]) }
  ])
  let goOn = (): void => {}
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const slow = sourceOf(outer)
  const first = guard({
    ...slow,
    open: async (range) => {
      if (range?.end !== outer.length - 1) await gate
      return await slow.open(range)
    }
  })
  const cancelling = new AbortController()
  const second = guard(sourceOf(outer), { signal: cancelling.signal })
  const third = guard(sourceOf(outer))

  setTimeout(() => cancelling.abort(), 50)
  await t.rejects(second, { code: 'CANCELLED' })
  goOn()

  t.match(await Promise.all([first, third]), [{ result: { ok: true } }, { result: { ok: true } }])
})

t.test('refuses many tar.gz bombs in a tar', async (t) => {
  const bomb = gzipSync(rawTar([{ data: Buffer.alloc(100 * 1024 * 1024) }, { data }]), { level: 1 })

  t.equal(await reasonFor(rawTar([...Array(50)].map(() => ({ data: bomb })))), 'TooLarge')
  t.equal(await reasonFor(rawTar([{ data: gzipSync(Buffer.alloc(40 * 1024 * 1024)) }])), 'Bomb')
})

t.test('refuses a ZIP member whose content is hidden after thousands of empty blocks', async (t) => {
  const inner = Buffer.concat([zip, zip])
  const body = Buffer.concat([
    ...[...Array(1_000)].map(() => Buffer.from('000000ffff', 'hex')),
    deflateRawSync(inner)
  ])
  const claim = { method: 8, sizeBytes: inner.length }

  t.equal(await reasonFor(rawZip([{ data: body, method: 0, local: claim, central: claim }])), 'ZipMismatch')
})

const heads: Record<string, Buffer> = {
  PNG: Buffer.from('89504e470d0a1a0a', 'hex'),
  JPEG: Buffer.from('ffd8ffe000104a464946', 'hex'),
  GIF: Buffer.from('GIF89a')
}
const pdf = Buffer.from('%PDF-1.7\n')
const streamed = rawZip([
  { data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: descriptor(data) }
])
const encrypted = rawZip([{ data, flags: 1 }])

for (const [kind, head] of Object.entries(heads)) {
  t.test(`refuses a ${kind} followed by a ZIP, with and without further bytes`, async (t) => {
    for (const appended of [zip, streamed, encrypted]) {
      const more = Buffer.from('\n%%EOF\n')
      t.equal(await reasonFor(Buffer.concat([head, randomBytes(1_000), appended])), 'ZipAppended')
      t.equal(await reasonFor(Buffer.concat([head, randomBytes(100_000), appended, more])), 'ZipAppended')
    }
  })
}

t.test(
  'refuses a PDF with a ZIP that is not an embedded file, exactly at its end or before other bytes',
  async (t) => {
    for (const appended of [zip, streamed, encrypted]) {
      t.equal(await reasonFor(Buffer.concat([pdf, randomBytes(1_000), appended])), 'ZipAppended')
      t.equal(
        await reasonFor(
          Buffer.concat([pdf, randomBytes(1_000), appended, Buffer.from('\nendstream\n%%EOF\n')])
        ),
        'ZipAppended'
      )
    }
  }
)

for (const [kind, head] of Object.entries({ ...heads, PDF: pdf })) {
  t.test(`accepts a ${kind} that merely contains the signature of a ZIP's end`, async (t) => {
    t.equal(await reasonFor(Buffer.concat([head, randomBytes(1_000)])), null)
    t.equal(await reasonFor(Buffer.concat([head, Buffer.from('504b0506', 'hex'), randomBytes(1_000)])), null)
  })
}

t.test('refuses a PNG with thousands of ZIP end records at its end', async (t) => {
  t.equal(
    await reasonFor(Buffer.concat([heads['PNG'] ?? data, ...[...Array(200)].map(() => zip.subarray(-22))])),
    'ZipAppended'
  )
})

t.test('accepts an OLE file that contains a valid uncompressed ZIP', async (t) => {
  t.equal(
    await reasonFor(Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), zip, Buffer.alloc(300)])),
    null
  )
})

t.test(
  'scans a ZIP at the end of an archive of another format, whether appended or its last file',
  async (t) => {
    const appended = rawZip([{ data: hidden, method: 0 }])

    t.ok(await handsOver(Buffer.concat([rawAr([{ name: 'a.txt', data }]), appended]), hidden))
    t.ok(
      await handsOver(
        rawAr([
          { name: 'a.txt', data },
          { name: 'a.zip', data: appended }
        ]),
        hidden
      )
    )
  }
)

t.test('refuses an xz or bzip2 file with a ZIP after it', async (t) => {
  t.equal(await reasonFor(Buffer.concat([rawXz(data), zip])), 'ArchiveDamaged')
  t.equal(await reasonFor(Buffer.concat([rawBzip2(data), zip])), 'ArchiveDamaged')
})

t.test(
  'refuses an inconsistent ZIP after another archive, or one with offsets from the start of the file',
  async (t) => {
    const head = rawXz(data)
    const end = { directoryOffset: head.length + zip.length - 22 - 51 }
    const adjusted = Buffer.concat([head, rawZip([{ data, central: { offset: head.length } }], { end })])

    t.equal(await reasonFor(Buffer.concat([head, rawZip([{ data, local: { method: 99 } }])])), 'ZipMismatch')
    t.equal(await reasonFor(Buffer.concat([head, encrypted])), 'ZipEncrypted')
    t.equal(await reasonFor(adjusted), 'ZipAppended')
  }
)
