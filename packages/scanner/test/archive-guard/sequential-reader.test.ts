import { randomBytes } from 'node:crypto'
import t from 'tap'
import { memberOf, readerOf, type SequentialReader } from '../../src/archive-guard/sequential-reader.js'

const MIB = 1024 * 1024

async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

const readerOver = (bytes: Buffer): SequentialReader => readerOf(inPieces(bytes, 16_000), () => {})

for (const sizeBytes of [0, 1, 16_000, 100_000, MIB - 1, MIB, MIB + 1, 3 * MIB + 5]) {
  t.test(
    `a member of ${sizeBytes} bytes is read completely, including peeked bytes, but not beyond its end`,
    async (t) => {
      const bytes = randomBytes(sizeBytes + 10)
      const outer = readerOver(bytes)
      const member = memberOf(outer, sizeBytes)
      await member.peek(20_000)

      const read = await member.read(sizeBytes)

      t.ok(read.equals(bytes.subarray(0, sizeBytes)))
      t.ok((await outer.read(100)).equals(bytes.subarray(sizeBytes)))
    }
  )
}

t.test('a read beyond the end returns the remaining bytes', async (t) => {
  const bytes = randomBytes(2 * MIB)

  const read = await readerOver(bytes).read(64 * MIB)

  t.ok(read.equals(bytes))
})

t.test('a large read keeps only one copy of its bytes', async (t) => {
  const sizeBytes = 48 * MIB
  async function* zeros(): AsyncGenerator<Buffer, void, undefined> {
    for (let left = sizeBytes; left > 0; left -= MIB) yield Buffer.alloc(MIB)
  }
  const member = memberOf(
    readerOf(zeros(), () => {}),
    sizeBytes
  )
  await member.peek(10)
  const whole = Buffer.concat
  const joined: number[] = []
  t.teardown(() => {
    Buffer.concat = whole
  })
  Buffer.concat = (parts, ...rest) => {
    const bytes = whole(parts, ...rest)
    joined.push(bytes.length)
    return bytes
  }

  const read = await member.read(sizeBytes)

  t.equal(read.length, sizeBytes)
  t.ok(Math.max(...joined) <= 2 * MIB, 'only its start is copied a second time')
})
