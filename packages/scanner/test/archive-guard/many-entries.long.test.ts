import { gzipSync } from 'node:zlib'
import t from 'tap'
import { rawCpio, rawTar, rawZip, type RawTarEntry } from '@filewright/testing'
import { reasonFor } from '../helpers/guard.js'

function repeatedTar(members: RawTarEntry[], copies: number): Buffer {
  return Buffer.alloc(copies * members.length * 512, rawTar(members).subarray(0, -1024))
}

t.test('counts files, but not extended headers', async (t) => {
  const file = { data: Buffer.alloc(0) }

  t.equal(await reasonFor(repeatedTar([file], 100_001)), 'TooManyEntries')
  t.equal(await reasonFor(repeatedTar([{ data: Buffer.alloc(0), type: 'x' }, file], 50_001)), null)
})

t.test('refuses more than 100,000 files on all levels together', async (t) => {
  const half = rawZip([...Array(50_001)].map(() => ({ name: 'a', data: Buffer.alloc(0), method: 0 })))

  t.equal(await reasonFor(rawTar([{ data: half }])), null)
  t.equal(await reasonFor(rawTar([{ data: half }, { data: half }])), 'TooManyEntries')
})

t.test('refuses a cpio with more than 100,000 files', async (t) => {
  const member = rawCpio([{ data: Buffer.alloc(0) }], { trailer: false })
  const many = Buffer.alloc(100_001 * member.length, member)

  t.equal(await reasonFor(Buffer.concat([many, rawCpio([])])), 'TooManyEntries')
})

t.test('accepts a gzip file of 100,000 members, and refuses one with more', async (t) => {
  const member = gzipSync(Buffer.alloc(0))

  t.equal(await reasonFor(Buffer.alloc(100_000 * member.length, member)), null)
  t.equal(await reasonFor(Buffer.alloc(100_001 * member.length, member)), 'TooManyEntries')
})
