import t from 'tap'
import { rawTar, rawXz } from '@filewright/testing'
import { handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText } from '../helpers/samples.js'
import { packedText, unseenByClamd } from '../helpers/tool-made.js'

const member = unseenByClamd['lzip a.txt'] ?? Buffer.alloc(0)
const inTar = (data: Buffer): Buffer => rawTar([{ data }])

/** The format of lzip before 2009, which xz still reads, has no member size. */
const oldMember = Buffer.from(member.subarray(0, -8))
oldMember[4] = 0

const withByte = (bytes: Buffer, at: number, value: number): Buffer => {
  const changed = Buffer.from(bytes)
  changed[at < 0 ? changed.length + at : at] = value
  return changed
}

t.test('scans all members of an lzip file as one file, of both versions in any order', async (t) => {
  const twice = Buffer.concat([packedText, packedText])
  const files = {
    'version 1': [member, member],
    'version 0': [oldMember, oldMember],
    'version 0, then 1': [oldMember, member],
    'version 1, then 0': [member, oldMember]
  }

  for (const [what, members] of Object.entries(files)) {
    t.ok(await handsOver(Buffer.concat(members), twice), what)
    t.ok(await handsOver(inTar(Buffer.concat(members)), twice), `${what}, in a tar`)
  }
})

t.test('accepts and scans bytes after an lzip file, which lzip ignores', async (t) => {
  const note = cleanText()

  for (const trailing of [Buffer.alloc(4), Buffer.from('LZIP'), note]) {
    const bytes = Buffer.concat([member, trailing])
    t.ok(await handsOver(bytes, packedText))
    t.ok(await handsOver(bytes, trailing))
  }
})

t.test('refuses an lzip file with an archive after it', async (t) => {
  t.equal(await reasonFor(Buffer.concat([member, rawXz(packedText)])), 'ArchiveEmbedded')
  t.equal(await reasonFor(Buffer.concat([member, cleanText(), rawXz(packedText)])), 'ArchiveEmbedded')
})

t.test('refuses members whose end cannot be found, alone and inside an archive', async (t) => {
  const wrongSize = withByte(member, -8, 1)
  // The first member seems to end at byte 40: its trailer is false.
  const falseSize = Buffer.from('2800000000000000', 'hex')
  const falseEnd = Buffer.concat([member.subarray(0, 32), falseSize, member.subarray(40)])

  for (const bytes of [Buffer.concat([wrongSize, member]), Buffer.concat([falseEnd, member]), falseEnd]) {
    t.equal(await reasonFor(bytes), 'LzipMembers')
    t.equal(await reasonFor(inTar(bytes)), 'LzipMembers')
  }
})

t.test('scans the unpacked part of a damaged lzip file inside an archive', async (t) => {
  const damaged = {
    'a wrong size of the member': withByte(member, -8, 1),
    'a dictionary larger than lzip has': withByte(member, 5, 0x1e),
    'a dictionary smaller than lzip has': withByte(member, 5, 0x0b)
  }

  for (const [what, bytes] of Object.entries(damaged)) t.ok(await handsOver(inTar(bytes), packedText), what)
  t.equal(await reasonFor(damaged['a wrong size of the member']), 'ArchiveDamaged')
})
