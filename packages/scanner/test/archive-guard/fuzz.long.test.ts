import type { Readable } from 'node:stream'
import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import {
  descriptor,
  fuzzParameters,
  paxRecord,
  rawAr,
  rawBzip2,
  rawCpio,
  rawTar,
  rawXz,
  rawZip,
  type RawEntry
} from '@filewright/testing'
import type { GuardResult } from '../../src/index.js'
import { guard } from '../helpers/guard.js'
import { cleanText, watchedSourceOf } from '../helpers/samples.js'
import { encrypted, unseenByClamd } from '../helpers/tool-made.js'

const data = cleanText()

/**
 * The guard's result. An error if it left a stream open, or if its reason cannot be part of a signature's
 * name.
 */
async function answerFor(bytes: Buffer): Promise<GuardResult> {
  const streams: Readable[] = []
  const { result } = await guard(watchedSourceOf(bytes, streams))
  await new Promise((resolve) => setImmediate(resolve))
  if (!streams.every((stream) => stream.destroyed || stream.readableEnded)) {
    throw new Error('a stream is still open')
  }
  if (!result.ok && !/^[A-Za-z0-9]+$/.test(result.reason)) throw new Error(`not a reason: ${result.reason}`)
  return result
}

const seeds = [
  rawZip([{ data }, { name: 'in.zip', data: rawZip([{ data }]) }], { comment: Buffer.from('comment') }),
  rawZip([{ data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: descriptor(data) }]),
  rawTar([{ data: paxRecord('size', String(data.length)), type: 'x' }, { data }, { data, type: 'L' }]),
  rawTar([{ data: paxRecord('GNU.sparse.map', `0,10,100,${data.length - 10}`), type: 'x' }, { data }]),
  gzipSync(rawTar([{ data }, { name: 'in.zip', data: rawZip([{ data }]) }])),
  Buffer.concat([gzipSync(data), gzipSync(data)]),
  rawCpio([{ data }, { name: 'in.gz', data: gzipSync(data) }]),
  deflateRawSync(data)
]
/** Each costs a thread. */
const packedSeeds = [
  rawBzip2(data),
  rawXz(rawTar([{ data }])),
  rawAr([{ name: 'a.txt', data }]),
  ...Object.values(unseenByClamd),
  ...Object.values(encrypted)
]

const change = fc.record({
  at: fc.nat(),
  byte: fc.oneof(fc.constantFrom(0, 1, 0x50, 0x7f, 0x80, 0xff), fc.nat(255))
})

function changed(seed: Buffer, changes: Array<{ at: number; byte: number }>, cut: number): Buffer {
  const bytes = Buffer.from(seed)
  for (const { at, byte } of changes) bytes[at % bytes.length] = byte
  return cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes
}

for (const [kind, from, runs, least] of [
  ['read by the guard', seeds, 2_000, 100],
  ['unpacked by 7-Zip', packedSeeds, 60, 5]
] as const) {
  t.test(
    `returns a result and never throws, whatever bytes are changed in archives that are ${kind}`,
    async (t) => {
      const answers = { passed: 0, refused: 0 }

      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...from),
          fc.array(change, { maxLength: 8 }),
          fc.nat(),
          async (seed, changes, cut) => {
            const { ok } = await answerFor(changed(seed, changes, cut))
            answers[ok ? 'passed' : 'refused']++
          }
        ),
        fuzzParameters(t, runs)
      )

      t.ok(
        answers.passed + answers.refused >= Math.min(least, runs / 2) && answers.refused > 0,
        JSON.stringify(answers)
      )
    }
  )
}

type Wrap = (bytes: Buffer) => Buffer
const wraps: Record<string, Wrap> = {
  'a stored ZIP': (bytes) => rawZip([{ name: 'in.bin', data: bytes, method: 0 }]),
  'a deflated ZIP': (bytes) => rawZip([{ data }, { name: 'in.bin', data: bytes }]),
  'a tar': (bytes) => rawTar([{ name: 'in.bin', data: bytes }, { data }]),
  'a gzip': (bytes) => gzipSync(bytes)
}

t.test(
  'passes valid nested archives in any order, and refuses deeper nesting than clamd follows',
  async (t) => {
    const layers = fc.array(fc.constantFrom(...Object.keys(wraps)), {
      minLength: 1,
      maxLength: 24,
      size: 'max'
    })

    await fc.assert(
      fc.asyncProperty(layers, async (names) => {
        const bytes = names.reduce((inner, name) => (wraps[name] as Wrap)(inner), data)
        const result = await answerFor(bytes)
        // The outermost is the file itself. The text in a gzip is not a level, because nothing is unpacked
        // from it.
        const levels = names.length - 1 + (names[0] === 'a gzip' ? 1 : 0)
        if (result.ok !== levels <= 16) throw new Error(`${JSON.stringify(result)} at ${levels} levels`)
        if (!result.ok && result.reason !== 'NestedTooDeep') throw new Error(result.reason)
      }),
      fuzzParameters(t, 300)
    )
    t.pass('all were judged by their depth')
  }
)

interface Member {
  name: string
  method: number
  compressedBytes: number
}

/** The members as seen by an unpacker that uses the directory, and by one that reads from the front. */
function membersByDirectory(zip: Buffer): Member[] {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  let at = zip.readUInt32LE(end + 16)
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const name = zip.toString('latin1', at + 46, at + 46 + zip.readUInt16LE(at + 28))
    const member = { name, method: zip.readUInt16LE(at + 10), compressedBytes: zip.readUInt32LE(at + 20) }
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    return member
  })
}

function membersFromTheFront(zip: Buffer): Member[] {
  const members: Member[] = []
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const name = zip.toString('latin1', at + 30, at + 30 + zip.readUInt16LE(at + 26))
    const compressedBytes = zip.readUInt32LE(at + 18)
    members.push({ name, method: zip.readUInt16LE(at + 8), compressedBytes })
    at += 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28) + compressedBytes
  }
  return members
}

t.test(
  'refuses every ZIP whose members differ between the directory and a scan from the front',
  async (t) => {
    const lie = fc.record(
      {
        name: fc.constantFrom('a.txt', 'b.txt', 'bb.txt', ''),
        method: fc.constantFrom(0, 8, 12, 93),
        compressedBytes: fc.nat(600),
        sizeBytes: fc.nat(600),
        offset: fc.nat(900)
      },
      { requiredKeys: [] }
    )
    const entry: fc.Arbitrary<RawEntry> = fc.record({
      data: fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      name: fc.constantFrom('a.txt', 'b.txt'),
      method: fc.constantFrom(0, 8),
      local: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: lie }),
      central: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: lie })
    })
    const gap = fc.oneof(
      { weight: 6, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(Buffer.from('x'), rawZip([{ data }]).subarray(0, -60)) }
    )
    let passed = 0
    let refused = 0

    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 4 }),
        gap,
        gap,
        async (entries, before, after) => {
          const zip = rawZip(entries, {
            ...(before === undefined ? {} : { beforeDirectory: before }),
            ...(after === undefined ? {} : { afterDirectory: after })
          })
          if (!(await answerFor(zip)).ok) {
            refused++
            return
          }
          passed++
          const [listed, found] = [membersByDirectory(zip), membersFromTheFront(zip)].map((members) =>
            members
              .map((member) => JSON.stringify(member))
              .sort()
              .join()
          )
          if (listed !== found) throw new Error(`the directory says ${listed}, the front ${found}`)
        }
      ),
      fuzzParameters(t, 2_000)
    )
    t.ok(passed > 100 && refused > 100, `${passed} passed, ${refused} refused`)
  }
)
