import { randomBytes } from 'node:crypto'
import { constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { eicar, tarGz, zip } from '@filewright/acceptance'
import { limits, sentences } from '@filewright/contracts'
import { paxRecord, rawBzip2, rawCpio, rawTar, rawXz, rawZip } from '@filewright/testing'
import type { Random } from '../harness/random.js'

export interface HostileFile {
  what: string
  name: string
  content: () => Promise<Buffer>
  /** The message of its refusal; default: the scan's message. */
  sentence?: string
}

export const FILLS_MEMORY = 'a ZIP inside that fills what memory a scan may use'

const MIB = 1024 * 1024
const DEEP = 12
const CONTENT_TYPES =
  '<?xml version="1.0"?><Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'

/** Words that no scanner has seen, so that no verdict comes from a cache. */
function words(random: Random, sizeBytes: number): Buffer {
  const unit = Array.from({ length: 64 }, () => random.below(1e9).toString(36)).join(' ')
  return Buffer.alloc(sizeBytes, `${unit}\n`)
}

async function nested(
  inner: Buffer,
  depth: number,
  wrap: (bytes: Buffer, level: number) => Promise<Buffer> | Buffer
): Promise<Buffer> {
  let bytes = inner
  for (let level = 0; level < depth; level++) bytes = await wrap(bytes, level)
  return bytes
}

/**
 * More than clamd scans. Made of pieces that are compressed once, so that the bomb is expensive for the
 * service but not for us.
 */
const BOMB_PIECES = 15
const PIECE_BYTES = 30 * MIB
const BOMB_BYTES = BOMB_PIECES * PIECE_BYTES
const repeated = (piece: Buffer): Buffer[] => Array.from({ length: BOMB_PIECES }, () => piece)

function gzipBomb(piece: Buffer): Buffer {
  return Buffer.concat(repeated(gzipSync(piece)))
}

function zipBomb(): Buffer {
  const unfinished = deflateRawSync(Buffer.alloc(PIECE_BYTES), { finishFlush: constants.Z_FULL_FLUSH })
  const claims = { method: 8, sizeBytes: BOMB_BYTES }
  return rawZip([
    {
      name: 'a',
      data: Buffer.concat([...repeated(unfinished), Buffer.from([3, 0])]),
      method: 0,
      local: claims,
      central: claims
    }
  ])
}

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(64)])

/** A file inside bytes that one reader treats as the content of another file. */
function twoSizes(hidden: Buffer): Buffer {
  const inner = Buffer.concat([
    Buffer.alloc(512, 'x'),
    rawTar([{ name: 'hidden.gz', data: hidden }]).subarray(0, -1024)
  ])
  return rawTar([
    { data: Buffer.concat([paxRecord('size', String(inner.length)), paxRecord('size', '512')]), type: 'x' },
    { data: inner }
  ])
}

/** One file of each kind, with unique bytes. */
export function hostileFiles(random: Random): HostileFile[] {
  const text = (sizeBytes = 400): Buffer => words(random, sizeBytes)
  const infected = (): Buffer => Buffer.concat([text(), Buffer.from(eicar), text()])
  const zeros = (mib: number): Buffer => Buffer.alloc(mib * MIB)
  const docx = async (): Promise<Buffer> =>
    await zip({
      '[Content_Types].xml': CONTENT_TYPES,
      'word/document.xml': text(),
      'word/media/image1.bin': infected()
    })
  return [
    { what: 'EICAR raw', name: 'a.txt', content: async () => Buffer.from(eicar) },
    { what: 'EICAR in text', name: 'a.ts', content: async () => infected() },
    {
      what: 'EICAR as UTF-16',
      name: 'a.txt',
      content: async () => Buffer.from(`\ufeff${infected().toString()}`, 'utf16le')
    },
    { what: 'EICAR zipped', name: 'a.zip', content: async () => await zip({ 'a.txt': infected() }) },
    {
      what: 'EICAR in tar.gz',
      name: 'a.tar.gz',
      content: async () => await tarGz({ 'a.txt': text(), 'b.txt': infected() })
    },
    { what: 'EICAR in gzip', name: 'a.txt.gz', content: async () => gzipSync(infected()) },
    {
      what: `EICAR ${DEEP} ZIPs deep`,
      name: 'a.zip',
      content: async () => await nested(infected(), DEEP, async (bytes) => await zip({ 'in.zip': bytes }))
    },
    {
      what: `EICAR ${DEEP} containers deep`,
      name: 'a.gz',
      content: async () =>
        await nested(infected(), DEEP, async (bytes, level) =>
          level % 3 === 2
            ? gzipSync(bytes)
            : level % 3 === 1
              ? await zip({ 'in.tar': bytes })
              : rawTar([{ data: bytes }])
        )
    },
    { what: 'EICAR in docx', name: 'a.docx', content: docx },
    {
      what: 'EICAR in docx in zip in tar.gz',
      name: 'a.tgz',
      content: async () => await tarGz({ 'a.zip': await zip({ 'a.docx': await docx() }) })
    },
    {
      what: 'EICAR up to the last byte of 50 MB',
      name: 'a.txt',
      content: async () => Buffer.concat([text(limits.fileSizeBytes - eicar.length), Buffer.from(eicar)])
    },
    {
      what: 'EICAR behind 49 MB in a ZIP',
      name: 'a.zip',
      content: async () => await zip({ 'a.txt': Buffer.concat([text(49 * MIB), Buffer.from(eicar)]) })
    },
    { what: 'gzip bomb', name: 'a.gz', content: async () => gzipBomb(zeros(30)) },
    { what: 'ZIP bomb', name: 'a.zip', content: async () => zipBomb() },
    {
      what: 'ZIP bomb in many members',
      name: 'a.zip',
      content: async () => {
        const data = deflateRawSync(zeros(30))
        const claims = { method: 8, sizeBytes: PIECE_BYTES }
        return rawZip(
          Array.from({ length: BOMB_PIECES }, (_, i) => ({
            name: `${i}.bin`,
            data,
            method: 0,
            local: claims,
            central: claims
          }))
        )
      }
    },
    {
      what: 'ZIP bomb whose members overlap',
      name: 'a.zip',
      content: async () =>
        rawZip([
          { data: text(), name: 'a' },
          { data: text(), name: 'b', central: { offset: 0, name: 'a' } }
        ])
    },
    {
      what: 'ZIP bomb in a ZIP',
      name: 'a.zip',
      content: async () => rawZip([{ name: 'in.zip', data: zipBomb() }])
    },
    {
      what: 'tar.gz bomb',
      name: 'a.tgz',
      content: async () => gzipBomb(rawTar([{ data: zeros(30) }]).subarray(0, -1024))
    },
    {
      what: FILLS_MEMORY,
      name: 'a.zip',
      content: async () => {
        // Zeros alone would be a bomb, which the guard never holds in memory.
        const filling = Buffer.concat([randomBytes(MIB), zeros(59)])
        const inner = rawZip([
          { name: 'b', data: filling, method: 0 },
          { name: 'c', data: text(), flags: 1 }
        ])
        return rawZip([{ name: 'in.zip', data: inner }])
      }
    },
    {
      what: '20 ZIPs deep',
      name: 'a.zip',
      content: async () => await nested(text(), 20, async (bytes) => await zip({ 'in.zip': bytes }))
    },
    {
      what: '20 gzips deep',
      name: 'a.gz',
      content: async () => await nested(text(), 20, (bytes) => gzipSync(bytes))
    },
    {
      what: '120,000 members',
      name: 'a.tgz',
      content: async () =>
        gzipSync(rawTar(Array.from({ length: 120_000 }, (_, i) => ({ name: `${i}`, data: Buffer.alloc(0) }))))
    },
    {
      what: 'encrypted ZIP',
      name: 'a.zip',
      content: async () => rawZip([{ data: text(), flags: 1, method: 0 }])
    },
    {
      what: 'ZIP encrypted with AES',
      name: 'a.zip',
      content: async () => rawZip([{ data: text(), flags: 1, method: 99 }])
    },
    {
      what: 'encrypted ZIP in tar.gz',
      name: 'a.tgz',
      content: async () => await tarGz({ 'a.zip': rawZip([{ data: text(), flags: 1, method: 0 }]) })
    },
    {
      what: 'ZIP that hides a member',
      name: 'a.zip',
      content: async () =>
        rawZip([{ data: text() }], { beforeDirectory: rawZip([{ data: infected() }]).subarray(0, -70) })
    },
    {
      what: 'ZIP behind a picture',
      name: 'a.png',
      content: async () => Buffer.concat([png, await zip({ 'a.txt': infected() })])
    },
    {
      what: 'gzip behind a picture',
      name: 'a.png',
      content: async () => Buffer.concat([png, gzipSync(infected())])
    },
    {
      what: 'gzip behind a picture in a ZIP',
      name: 'a.zip',
      content: async () => await zip({ 'a.png': Buffer.concat([png, gzipSync(infected())]) })
    },
    { what: 'tar with two pax sizes', name: 'a.tar', content: async () => twoSizes(gzipSync(infected())) },
    { what: 'the same in xz', name: 'a.tar.xz', content: async () => rawXz(twoSizes(gzipSync(infected()))) },
    {
      what: 'the same in bzip2',
      name: 'a.tar.bz2',
      content: async () => rawBzip2(twoSizes(gzipSync(infected())))
    },
    {
      what: 'gzip, zeros, gzip',
      name: 'a.gz',
      content: async () => Buffer.concat([gzipSync(text()), Buffer.alloc(16), gzipSync(infected())])
    },
    {
      what: 'bare zlib in a tar',
      name: 'a.tar',
      content: async () => rawTar([{ name: 'a', data: deflateSync(infected()) }])
    },
    {
      what: 'a tar behind the end of a tar',
      name: 'a.tar',
      content: async () =>
        Buffer.concat([rawTar([{ data: text() }]), rawTar([{ data: gzipSync(infected()) }])])
    },
    {
      what: 'cpio with bytes between its members',
      name: 'a.cpio',
      content: async () =>
        rawCpio([{ data: text(), after: Buffer.from('junk') }, { data: gzipSync(infected()) }])
    },
    {
      what: 'cpio of a ZIP that hides its sizes',
      name: 'a.cpio',
      content: async () =>
        rawCpio([
          { data: text() },
          { data: rawZip([{ data: infected(), local: { compressedBytes: 0, sizeBytes: 0 } }]) }
        ])
    },
    {
      what: 'a broken 7z',
      name: 'a.7z',
      content: async () => Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), zeros(1)])
    },
    {
      what: 'a broken RAR',
      name: 'a.rar',
      content: async () => Buffer.concat([Buffer.from('526172211a0700', 'hex'), zeros(1)])
    },
    {
      what: 'a program in a ZIP with EICAR',
      name: 'a.zip',
      content: async () =>
        await zip({ 'a.exe': Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), infected()]) })
    },
    {
      what: 'a byte more than 50 MB',
      name: 'a.txt',
      content: async () => text(limits.fileSizeBytes + 1),
      sentence: sentences.invalidUpload
    }
  ]
}
