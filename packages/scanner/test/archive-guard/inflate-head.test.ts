import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { deflateRawSync } from 'node:zlib'
import t from 'tap'
import { inflateHead, inflateSome } from '../../src/archive-guard/inflate-head.js'

const HEAD_BYTES = 1024
const PEEK_BYTES = 2048
const contents: Record<string, Buffer> = {
  zeros: Buffer.alloc(1_000_000),
  'random bytes': randomBytes(10_000),
  text: Buffer.from('the quick brown fox jumps over the lazy dog '.repeat(500)),
  'a few bytes': Buffer.from('hello'),
  'random bytes, then zeros': Buffer.concat([randomBytes(400), Buffer.alloc(2_000_000)])
}

t.test('returns the first bytes of any content', async (t) => {
  for (const [what, content] of Object.entries(contents)) {
    const packed = deflateRawSync(content).subarray(0, PEEK_BYTES)
    const head = await inflateHead(packed, { headBytes: HEAD_BYTES, sizeBytes: content.length })

    t.ok(head?.equals(content.subarray(0, HEAD_BYTES)), what)
  }
})

t.test(
  'returns fewer bytes if the input ends early, and null if it is damaged or longer than declared',
  async (t) => {
    const packed = deflateRawSync(randomBytes(10_000))
    const options = { headBytes: HEAD_BYTES, sizeBytes: 10_000 }

    t.equal(
      (await inflateHead(packed.subarray(0, 600), options))?.length,
      595,
      'all but the header of a stored block'
    )
    t.equal(await inflateHead(Buffer.alloc(300, 0xff), options), null)
    t.equal(await inflateHead(deflateRawSync(Buffer.alloc(50_000)), { ...options, sizeBytes: 900 }), null)
  }
)

t.test('inflates only the requested length, and returns the end of the packed data', async (t) => {
  const packed = deflateRawSync(Buffer.alloc(50_000))
  const followed = Buffer.concat([packed, Buffer.from('behind')])

  t.match(await inflateSome(followed, 60_000), { content: Buffer.alloc(50_000), packedBytes: packed.length })
  t.equal(await inflateSome(followed, 40_000), 'too-large')
  t.equal(await inflateSome(Buffer.alloc(300, 0xff), 40_000), 'broken')
})

t.test('large output does not block the event loop', async (t) => {
  const packed = deflateRawSync(Buffer.alloc(200_000_000))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  t.teardown(() => {
    delay.disable()
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  const since = performance.now()

  await inflateSome(packed, 200_000_000)

  const tookMs = performance.now() - since
  await new Promise((resolve) => setTimeout(resolve, 20))
  t.ok(delay.max / 1e6 < tookMs / 2, `${delay.max / 1e6} of ${tookMs} ms`)
})
