import { gunzipSync } from 'node:zlib'
import JSZip from 'jszip'
import t from 'tap'
import { eicar } from '@filewright/acceptance'
import { containers } from '../../src/containers/containers.js'

const QUICK_BYTES = 1024 * 1024
const named = async (name: string): Promise<Buffer> => {
  const found = containers.find((container) => container.name === name)
  if (found === undefined) throw new Error(`no container is called ${name}`)
  return await found.make()
}

t.test('there are at least 150 containers and each has its own name', async (t) => {
  t.ok(containers.length >= 150)
  t.equal(new Set(containers.map(({ name }) => name)).size, containers.length)
})

t.test('every text type with markup contains the test file byte for byte', async (t) => {
  const texts = containers.filter(({ name }) => /^\.\w+(?: with markup)?, /.test(name))

  t.ok(texts.length > 150)
  for (const { name, make } of texts) t.ok((await make()).includes(eicar), name)
})

t.test('a ZIP by an npm library hides the test file by compression and returns it', async (t) => {
  for (const name of [
    'npm: archiver, zip',
    'npm: jszip, streamed',
    'npm: yazl, Zip64 forced',
    'npm: fflate'
  ]) {
    const bytes = await named(name)

    t.notOk(bytes.includes(eicar), name)
    const entry = (await JSZip.loadAsync(bytes)).file('notes.txt')
    t.match(await entry?.async('string'), eicar, name)
  }
})

t.test('a tar by an npm library contains the test file', async (t) => {
  t.ok((await named('npm: tar-stream')).includes(eicar))
  t.ok(gunzipSync(await named('npm: tar, portable, gzip')).includes(eicar))
})

t.test('an OLE file contains the test file, and a PDF by pdf-lib hides it in a stream', async (t) => {
  const [doc, pdf] = await Promise.all([named('npm: cfb, .doc'), named('pdf-lib, application/octet-stream')])

  t.ok(doc.includes(eicar))
  t.ok(pdf.includes('application#2Foctet-stream'))
  t.notOk(pdf.includes(eicar))
})

t.test('no container made without a program exceeds the upload limit', async (t) => {
  const sizes = await Promise.all(
    containers
      .filter(({ name, needs }) => needs.length === 0 && !name.includes(' MB'))
      .map(async ({ make }) => (await make()).length)
  )

  t.ok(Math.max(...sizes) < QUICK_BYTES)
})
