import t from 'tap'
import { createScanMeter } from '../src/scan-meter.js'

t.test('sums unpacked bytes, and the duration of waits that succeed or fail', async (t) => {
  const seen: boolean[] = []
  const meter = createScanMeter({
    onWaiting: (isWaiting) => {
      seen.push(isWaiting)
    }
  })
  const wait = async (): Promise<string> => await new Promise((resolve) => setTimeout(resolve, 15, 'done'))

  meter.addUnpacked(10)
  meter.addUnpacked(32)
  t.equal(await meter.wait(wait), 'done')
  await t.rejects(
    meter.wait(async () => {
      await wait()
      throw new Error('cancelled')
    }),
    /cancelled/
  )

  t.equal(meter.costs().unpackedBytes, 42)
  t.ok(meter.costs().waitedMs >= 25)
  t.strictSame(seen, [true, false, true, false])
})
