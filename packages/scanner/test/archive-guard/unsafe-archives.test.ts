import t from 'tap'
import { rawRar5, rawTar } from '@filewright/testing'
import { handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText } from '../helpers/samples.js'
import { packedText, squashfsImages } from '../helpers/tool-made.js'

const inTar = (data: Buffer): Buffer => rawTar([{ data: cleanText() }, { data }])

t.test('scans the files of a valid RAR archive', async (t) => {
  const archive = rawRar5([{ data: cleanText() }, { name: 'b.txt', data: packedText }])

  t.ok(await handsOver(archive, packedText))
  t.ok(await handsOver(inTar(archive), packedText))
})

t.test('refuses a RAR archive with a damaged file, alone and inside another archive', async (t) => {
  // 7-Zip 24.09 may write outside its buffer when it continues after the damaged file (CVE-2025-53816).
  const damaged = rawRar5([
    { data: cleanText(), crc: 1 },
    { name: 'b.txt', data: packedText }
  ])

  t.equal(await reasonFor(damaged), 'RarDamaged')
  t.equal(await reasonFor(inTar(damaged)), 'RarDamaged')
})

t.test('opens SquashFS images, but refuses those packed with xz at any depth', async (t) => {
  for (const image of [squashfsImages.gzip, squashfsImages.zstd]) {
    t.ok(await handsOver(inTar(image), packedText))
  }
  t.equal(await reasonFor(squashfsImages.xz), 'SquashfsXz')
  t.equal(await reasonFor(inTar(squashfsImages.xz)), 'SquashfsXz')
})
