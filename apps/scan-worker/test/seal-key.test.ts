import t from 'tap'
import { createSealKey } from '../src/index.js'

t.test('reads the secret at each scan until there is one, and then every ten seconds', async (t) => {
  let now = 0
  let reads = 0
  let stored: Buffer | null = null
  const read = async () => {
    reads++
    return stored
  }
  const sealKey = createSealKey({ secret: { read }, clock: { now: () => new Date(now) } })
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

  t.equal(await sealKey(), null)
  stored = first
  t.equal(await sealKey(), first)
  t.equal(reads, 2)

  stored = second
  now = 9_999
  t.equal(await sealKey(), first)
  t.equal(reads, 2)
  now = 10_000
  t.equal(await sealKey(), second)

  stored = null
  now = 20_000
  t.equal(await sealKey(), null)
})
