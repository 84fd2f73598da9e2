import t from 'tap'
import { poll } from '@filewright/testing'
import { defaultRetryPolicy } from '../src/remote/retry.js'
import { DEFAULT_PART_BUDGET_MS, DEFAULT_PART_TIMEOUT_MS } from '../src/gcs/gcs-upload.js'
import { build, LARGE, SMALL } from './gcs-build.js'
import { chunks, codeOf, newKey } from './helpers.js'

t.setTimeout(600_000)

t.test('leaves time for at least three attempts of a part that stalls', (t) => {
  const threeTriesMs = DEFAULT_PART_TIMEOUT_MS * (1 + 2) + 2 * defaultRetryPolicy.maxDelayMs

  t.ok(threeTriesMs < DEFAULT_PART_BUDGET_MS)
  t.end()
})

for (const [operation, bytes] of [
  ['insert', SMALL],
  ['part', LARGE]
] as const) {
  t.test(`retries an ${operation} that stalled`, async (t) => {
    const { server, store } = await build(t, { partTimeoutMs: 300 })
    const key = newKey()
    const fault = server.fail({ on: operation, kind: 'stall', afterBytes: 10 })

    t.strictSame(await store.write(key, chunks(bytes)), { sizeBytes: bytes.length })

    t.equal(fault.hits(), 1)
    t.ok(server.objects.get(key)?.bytes.equals(bytes))
    await poll(() => server.activeRequests() === 0, { what: 'the stalled connection to close' })
  })

  t.test(`recognizes its own object when a stalled ${operation} completes later`, async (t) => {
    const { server, store } = await build(t, { partTimeoutMs: 300, retry: { attempts: 3, baseDelayMs: 200 } })
    const key = newKey()
    const fault = server.fail({ on: operation, kind: 'late', after: operation === 'part' ? 3 : 0 })

    t.strictSame(await store.write(key, chunks(bytes)), { sizeBytes: bytes.length })

    t.equal(fault.hits(), 1)
    t.ok(server.objects.get(key)?.bytes.equals(bytes))
    t.equal(server.objects.size, 1)
  })

  t.test(`limits the total time of every ${operation}`, async (t) => {
    const { server, store } = await build(t, {
      partTimeoutMs: 100,
      partBudgetMs: 500,
      retry: { attempts: 1_000, baseDelayMs: 1, maxDelayMs: 1 }
    })
    const fault = server.fail({ on: operation, kind: 'stall', afterBytes: 10, times: 1_000 })

    t.equal(await codeOf(store.write(newKey(), chunks(bytes))), 'STORAGE_UNAVAILABLE')

    // 100, 200 and the rest of 500 ms.
    t.ok(fault.hits() >= 2 && fault.hits() <= 4, `${fault.hits()} tries`)
    t.equal(server.objects.size, 0)
  })
}

t.test('gives a slow server more time with each attempt', async (t) => {
  const { server, store } = await build(t, { partTimeoutMs: 100, retry: { attempts: 2, baseDelayMs: 1 } })
  server.fail({ on: 'insert', kind: 'stall', afterBytes: 0, times: 2 })
  const startedAt = Date.now()

  t.equal(await codeOf(store.write(newKey(), chunks(SMALL))), 'STORAGE_UNAVAILABLE')

  t.ok(Date.now() - startedAt >= 295, 'once 100 ms, once 200 ms')
})
