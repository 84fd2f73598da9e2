import t from 'tap'
import { poll } from '@filewright/testing'
import { createS3BlobStore, type BlobStore } from '../src/index.js'
import { bytesOf, chunks, codeOf, keysOf, newKey, pattern, textOf } from './helpers.js'
import { createBuilder, LARGE, QUICK, SMALL } from './s3-build.js'
import type { Reply } from './fault-proxy.js'
import { errorReply } from './s3-fault-proxy.js'

t.setTimeout(600_000)
const build = createBuilder(t)

const withHeaders = (reply: Reply, headers: Record<string, string>): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers }
})

for (const [what, change] of [
  ['was cut before its first byte', (reply: Reply) => ({ ...reply, resetAt: 0 })],
  ['was cut after 100,000 bytes', (reply: Reply) => ({ ...reply, resetAt: 100_000 })],
  ['was reset on its last byte', (reply: Reply) => ({ ...reply, resetAt: reply.body.length - 1 })],
  ['stalled', (reply: Reply) => ({ ...reply, stallAt: 100_000 })],
  [
    'has fewer bytes than its Content-Length',
    (reply: Reply) => ({ ...reply, body: reply.body.subarray(0, -500), resetAt: reply.body.length - 500 })
  ]
] as const) {
  t.test(`resumes a read that ${what}, and returns every byte once`, async (t) => {
    const { proxy, store, other } = await build(t)
    const key = newKey()
    await other.write(key, chunks(LARGE))
    const fault = proxy.fail({
      on: 'get',
      change: (reply) => change(withHeaders(reply, { 'content-length': String(reply.body.length) })),
      times: 2
    })

    t.ok((await bytesOf(await store.read(key))).equals(LARGE))

    t.equal(fault.hits(), 2)
    await poll(() => proxy.activeRequests() === 0, { what: 'the connections to close' })
  })
}

for (const [what, bytes] of [
  ['a blob of one part', SMALL],
  ['a blob of several parts', LARGE]
] as const) {
  t.test(`never mistakes a truncated 200 for ${what}`, async (t) => {
    const { proxy, store, other } = await build(t)
    const key = newKey()
    await other.write(key, chunks(bytes))
    const shorten = (reply: Reply): Reply => {
      const body = reply.body.subarray(0, -3)
      return withHeaders({ ...reply, body }, { 'content-length': String(body.length) })
    }
    proxy.fail({ on: 'get', change: shorten })
    let given = 0

    const reading = (async () => {
      for await (const chunk of await store.read(key)) given += (chunk as Buffer).length
    })()

    t.equal(await codeOf(reading), 'STORAGE_UNAVAILABLE', 'the bytes in the store are not damaged')
    t.ok(given < bytes.length - 3, 'the reader did not get all that came')
    t.ok((await bytesOf(await store.read(key))).equals(bytes))
  })
}

t.test('never returns all of an object whose bytes do not match its checksum', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await other.write(key, chunks(pattern(900_000)))
  const damage = (reply: Reply): Reply => {
    reply.body[3]! ^= 1
    return reply
  }
  proxy.fail({ on: 'get', change: damage })
  let given = 0

  const reading = (async () => {
    for await (const chunk of await store.read(key)) given += (chunk as Buffer).length
  })()

  t.equal(await codeOf(reading), 'BLOB_CORRUPT')
  t.ok(given < 900_000)
})

for (const [start, end] of [
  [0, 99],
  [100, 199],
  [300_001, 899_999],
  [899_990, 2_000_000]
] as const) {
  t.test(
    `returns only bytes ${start} to ${end} when the response to a range is 200 with the whole body`,
    async (t) => {
      const { proxy, store, other } = await build(t)
      const key = newKey()
      const bytes = pattern(900_000)
      await other.write(key, chunks(bytes))
      const whole = (reply: Reply): Reply => {
        const { 'content-range': _range, ...headers } = reply.headers
        return { status: 200, body: bytes, headers: { ...headers, 'content-length': String(bytes.length) } }
      }
      const fault = proxy.fail({ on: 'get', change: whole })

      const part = await bytesOf(await store.read(key, { range: { start, end } }))

      t.equal(fault.hits(), 1)
      t.ok(part.equals(bytes.subarray(start, end + 1)))
    }
  )
}

t.test('does not guess the offset of a range that is not marked as one', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await other.write(key, chunks(pattern(5_000)))
  const bare = (reply: Reply): Reply => {
    const { 'content-range': _range, ...headers } = reply.headers
    return { ...reply, status: 200, headers }
  }
  proxy.fail({ on: 'get', change: bare, times: 3 })
  const range = { start: 1_000, end: 1_999 }

  t.equal(await codeOf(store.read(key, { range })), 'STORAGE_UNAVAILABLE')
  t.ok((await bytesOf(await store.read(key, { range }))).equals(pattern(5_000).subarray(1_000, 2_000)))
})

t.test('retries when the response has another range, or a length that contradicts it', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await other.write(key, chunks(pattern(5_000)))
  const wrong = (contentRange: string) => (reply: Reply) =>
    withHeaders(reply, { 'content-range': contentRange })
  const faults = ['bytes 1007-2006/5000', 'bytes 1000-1500/5000'].map((text) =>
    proxy.fail({ on: 'get', change: wrong(text) })
  )

  const part = await bytesOf(await store.read(key, { range: { start: 1_000, end: 1_999 } }))

  t.strictSame(
    faults.map((fault) => fault.hits()),
    [1, 1]
  )
  t.ok(part.equals(pattern(5_000).subarray(1_000, 2_000)))
})

t.test('fails a stalled read rather than continue with another object under its key', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await other.write(key, chunks(pattern(900_000)))
  proxy.fail({ on: 'get', change: (reply) => ({ ...reply, stallAt: 300_000 }) })
  const stream = await store.read(key)
  await other.remove(key)
  await other.write(key, chunks(pattern(900_001)))

  t.equal(await codeOf(bytesOf(stream)), 'BLOB_NOT_FOUND')
})

t.test('ends a stalled read at once when it is aborted', async (t) => {
  const { proxy, store, other } = await build(t, { idleTimeoutMs: 60_000 })
  const key = newKey()
  await other.write(key, chunks(LARGE))
  proxy.fail({ on: 'get', change: (reply) => ({ ...reply, stallAt: 100_000 }) })
  const controller = new AbortController()
  const stream = await store.read(key, { signal: controller.signal })
  const reading = codeOf(bytesOf(stream))

  controller.abort()

  t.equal(await reading, 'CANCELLED')
  await poll(() => proxy.activeRequests() === 0, { what: 'the stalled connection to close' })
})

t.test("does not mistake a missing bucket or a proxy's 404 page for a missing blob", async (t) => {
  const { proxy, store, place } = await build(t)
  const nowhere = createS3BlobStore({ ...place, ...QUICK, bucket: 'filewright-no-such-bucket' })
  t.teardown(async () => await nowhere.close())
  const page = { status: 404, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>no</html>') }

  const calls: Array<() => Promise<unknown>> = [
    async () => await nowhere.read(newKey()),
    async () => await nowhere.stat(newKey()),
    async () => await nowhere.remove(newKey()),
    async () => await nowhere.marker.read()
  ]
  for (const call of calls) {
    await t.rejects(call(), { code: 'STORAGE_UNAVAILABLE', message: /NoSuchBucket.*Check S3_BUCKET/ })
  }
  t.equal(await codeOf(keysOf(nowhere)), 'STORAGE_UNAVAILABLE')
  proxy.fail({ on: 'get', instead: page, times: 100 })
  t.equal(await codeOf(store.read(newKey())), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.stat(newKey())), 'STORAGE_UNAVAILABLE')
})

t.test('lists page by page and leaves out objects that are not ours', async (t) => {
  const { proxy, store, other } = await build(t, { listPageSize: 3 })
  const keys = Array.from({ length: 8 }, newKey).sort()
  for (const key of keys) await other.write(key, chunks(SMALL))

  t.strictSame(await keysOf(store), keys)

  t.equal(proxy.requests.filter((operation) => operation === 'list').length, 3)
})

for (const [what, change] of [
  ['repeats its first page', undefined],
  ['is truncated', (reply: Reply) => ({ ...reply, body: reply.body.subarray(0, reply.body.length / 2) })],
  [
    'lacks an entry that it counts',
    (reply: Reply) => ({
      ...reply,
      body: Buffer.from(String(reply.body).replace(/<Contents>.*?<\/Contents>/s, ''))
    })
  ],
  [
    'does not say whether more follows',
    (reply: Reply) => ({
      ...reply,
      body: Buffer.from(String(reply.body).replace(/<IsTruncated>.*?<\/IsTruncated>/, ''))
    })
  ],
  [
    'has more, and does not say where',
    (reply: Reply) => ({
      ...reply,
      body: Buffer.from(String(reply.body).replace(/<NextContinuationToken>.*?<\/NextContinuationToken>/, ''))
    })
  ],
  [
    'has an entry without a date',
    (reply: Reply) => ({
      ...reply,
      body: Buffer.from(String(reply.body).replace(/<LastModified>.*?<\/LastModified>/, ''))
    })
  ]
] as const) {
  t.test(`fails a listing that ${what}, instead of losing blobs`, async (t) => {
    const { proxy, store, other } = await build(t, { listPageSize: 2 })
    for (let count = 0; count < 3; count++) await other.write(newKey(), chunks(SMALL))
    let first: Reply | undefined
    const repeat = (reply: Reply): Reply => {
      first ??= reply
      return first
    }
    proxy.fail({ on: 'list', change: change ?? repeat, times: 100 })

    t.equal(await codeOf(keysOf(store)), 'STORAGE_UNAVAILABLE')
  })
}

for (const operation of ['list', 'head', 'delete'] as const) {
  t.test(
    `ends ${operation} within its deadline when its reply stalls, and retries it after a 503`,
    async (t) => {
      const { proxy, store, other, place } = await build(t)
      const options = { ...place, ...QUICK, endpoint: proxy.endpoint }
      const impatient = createS3BlobStore({ ...options, requestTimeoutMs: 600, retry: { attempts: 1 } })
      const key = newKey()
      await other.write(key, chunks(SMALL))
      const callOf = (from: BlobStore): Promise<unknown> => {
        if (operation === 'list') return keysOf(from)
        return operation === 'head' ? from.stat(key) : from.remove(key)
      }
      proxy.fail({
        on: operation,
        change: (reply) => ({ ...reply, stallAt: operation === 'list' ? 50 : -1 })
      })

      t.equal(await codeOf(callOf(impatient)), 'STORAGE_UNAVAILABLE')
      await poll(() => proxy.activeRequests() === 0, { what: 'the stalled connections to close' })
      await impatient.close()
      if (operation === 'delete') await other.write(key, chunks(SMALL)).catch(() => {})
      const fault = proxy.fail({ on: operation, instead: errorReply(503, 'SlowDown') })
      t.equal(await codeOf(callOf(store)), 'resolved')
      t.equal(fault.hits(), 1)
    }
  )
}

t.test('reads an empty blob and a note through a server without checksums', async (t) => {
  const { store } = await build(t)
  const key = newKey()

  await store.write(key, chunks())
  await store.marker.create('owner')

  t.equal(await textOf(await store.read(key)), '')
  t.equal(await store.marker.read(), 'owner')
})
