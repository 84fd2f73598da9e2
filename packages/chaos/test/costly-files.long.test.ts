import { execFileSync } from 'node:child_process'
import t from 'tap'
import { bzip2Bombs, manyMembers } from '../src/hostile/costly-files.js'

/** More than one block of bzip2 holds. */
const MEGABYTES = 50
const ZEROS = Buffer.alloc(MEGABYTES * 1_000_000)

t.test(
  'creates bzip2 files that the real tool unpacks to zeros and a few letters, each different',
  async (t) => {
    const bomb = await bzip2Bombs(MEGABYTES)

    const files = [bomb(), bomb()]
    const unpacked = files.map((file) =>
      execFileSync('bzip2', ['-dc'], { input: file, maxBuffer: MEGABYTES * 2_000_000 })
    )

    for (const [at, bytes] of unpacked.entries()) {
      t.ok((files[at]?.length ?? Infinity) < 400, 'a few hundred bytes')
      t.equal(bytes.length, ZEROS.length + 16)
      t.ok(bytes.subarray(0, -16).equals(ZEROS), 'zeros')
    }
    t.notSame(unpacked[0]?.subarray(-16), unpacked[1]?.subarray(-16))
  }
)

t.test('creates archives with the requested number of members, with different texts each time', async (t) => {
  const [first, second] = [manyMembers(300), manyMembers(300)]

  t.equal(first.readUInt16LE(first.length - 12), 300)
  t.notSame(first, second)
})
