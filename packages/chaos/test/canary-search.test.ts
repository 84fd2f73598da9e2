import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { formsOf, searchFolders } from '../src/harness/canary-search.js'

const STEM = 'Qk7vTzB2mXw9'
const MEGABYTES_8 = 8 * 1024 * 1024

/** Written by real programs, not by the code under test. */
const written: Record<string, Buffer> = {
  raw: Buffer.from(`prompt: a ${STEM}-17 b`),
  'JSON escapes': Buffer.from(
    `{"code":"${[...STEM].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('')}"}`
  ),
  'base64 at 0': Buffer.from(Buffer.from(`${STEM}-17`).toString('base64')),
  'base64 at 1': Buffer.from(Buffer.from(`x${STEM}-17`).toString('base64')),
  'base64 at 2': Buffer.from(Buffer.from(`xy${STEM}-17`).toString('base64')),
  hexadecimal: Buffer.from(Buffer.from(`x${STEM}`).toString('hex')),
  'hexadecimal in capitals': Buffer.from(Buffer.from(`x${STEM}`).toString('hex').toUpperCase()),
  'UTF-16': Buffer.from(`x${STEM}`, 'utf16le')
}

t.test('finds a canary in every encoding in a file, and says where', async (t) => {
  const folder = t.testdir({})
  for (const [form, bytes] of Object.entries(written)) {
    await mkdir(join(folder, form))
    writeFileSync(join(folder, form, 'file'), Buffer.concat([Buffer.alloc(100), bytes, Buffer.alloc(100)]))
  }

  const { findings, files } = await searchFolders([folder], formsOf(STEM))

  t.equal(files, Object.keys(written).length)
  for (const form of Object.keys(written)) {
    t.ok(
      findings.some(
        (each) => each.form === form && each.file === join(folder, form, 'file') && each.offset >= 100
      ),
      form
    )
  }
})

t.test('finds a canary that spans two reads of a large file', async (t) => {
  const bytes = Buffer.alloc(MEGABYTES_8 * 2 + 1_000)
  bytes.write(STEM, MEGABYTES_8 - 5)
  const folder = t.testdir({})
  writeFileSync(join(folder, 'large'), bytes)

  const { findings } = await searchFolders([folder], formsOf(STEM))

  t.strictSame(findings, [{ file: join(folder, 'large'), form: 'raw', offset: MEGABYTES_8 - 5 }])
})

t.test('finds nothing in files without a canary, and does not fail if the folder is missing', async (t) => {
  const folder = t.testdir({ log: 'nothing of Qk7vTzB2mXw8', packed: gzipSync('nothing') })

  const { findings, files } = await searchFolders([folder, join(folder, 'none')], formsOf(STEM))

  t.equal(files, 2)
  t.strictSame(findings, [])
})
