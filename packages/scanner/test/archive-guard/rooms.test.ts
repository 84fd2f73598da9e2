import { randomBytes } from 'node:crypto'
import t from 'tap'
import { rawTar, rawXz, rawZip } from '@filewright/testing'
import { largeRoom, smallRoom } from '../../src/archive-guard/rooms.js'
import { guard, reasonFor } from '../helpers/guard.js'
import { cleanText, sourceOf } from '../helpers/samples.js'
import { packedText, unseenByClamd } from '../helpers/tool-made.js'

const MIB = 1024 * 1024
const nestedZip = (sizeBytes: number): Buffer => {
  return rawTar([{ data: rawZip([{ data: randomBytes(sizeBytes), method: 0 }]) }])
}

t.test('a small archive does not wait for a large one of another lane', async (t) => {
  const leave = await largeRoom.semaphore.acquire({ lane: 'a' })
  const large = guard(sourceOf(nestedZip(9 * MIB)), { lane: 'a' })

  t.match(await guard(sourceOf(rawXz(cleanText())), { lane: 'b' }), { result: { ok: true } })
  leave()

  t.match(await large, { result: { ok: true } })
})

t.test('an archive waits for at most one archive of another lane, in both rooms', async (t) => {
  for (const [room, archive] of [
    [smallRoom, rawXz(cleanText())],
    [largeRoom, nestedZip(9 * MIB)]
  ] as const) {
    const done: string[] = []
    const scan = async (lane: string): Promise<void> => {
      await guard(sourceOf(archive), { lane })
      done.push(lane)
    }
    const leave = await room.semaphore.acquire({ lane: 'a' })
    const scans = ['a', 'a', 'a', 'b'].map(scan)
    await new Promise((resolve) => setTimeout(resolve, 100))
    leave()
    await Promise.all(scans)

    t.ok(done.indexOf('b') <= 1, done.join())
  }
})

t.test(
  'the files of an archive that is too large for the small room are scanned once, in the large one',
  async (t) => {
    // Its header asks for a dictionary of 64 MiB.
    const archive = rawXz(packedText, { dictionary: 28, filter: 0x21 })
    const filtered = unseenByClamd['xz -k --x86 --lzma2 a.txt'] ?? archive

    t.equal(await reasonFor(archive), null)
    t.equal((await guard(sourceOf(filtered))).handedOver.length, 1)
  }
)
