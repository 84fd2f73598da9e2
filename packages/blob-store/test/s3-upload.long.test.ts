import { Readable } from 'node:stream'
import t from 'tap'
import { poll } from '@filewright/testing'
import { bytesOf, chunks, codeOf, keysOf, newKey, pattern, textOf } from './helpers.js'
import { createBuilder, LARGE, leftovers, QUICK, SMALL } from './s3-build.js'
import { createS3BlobStore, type BlobStore } from '../src/index.js'
import type { Reply } from './fault-proxy.js'
import { errorReply, type Operation } from './s3-fault-proxy.js'

t.setTimeout(600_000)
const build = createBuilder(t)

/** The bytes whose upload uses this operation. */
const bytesFor = (operation: Operation): Buffer => (operation === 'put' ? SMALL : LARGE)

t.test('stores blobs whose size is at, just below and just above a part boundary', async (t) => {
  const { store } = await build(t)

  for (const sizeBytes of [-1, 0, 1, 256 * 1024].map((more) => 256 * 1024 + more)) {
    const key = newKey()
    t.strictSame(await store.write(key, chunks(pattern(sizeBytes))), { sizeBytes })
    t.ok((await bytesOf(await store.read(key))).equals(pattern(sizeBytes)), `${sizeBytes} bytes`)
  }
})

for (const operation of ['put', 'part'] as const) {
  t.test(`sends a stalled ${operation} again on another connection`, async (t) => {
    const { proxy, store, other } = await build(t, { partTimeoutMs: 2_000 })
    const key = newKey()
    await warmUp(store)
    const fault = proxy.fail({ on: operation, instead: 'stall' })

    await store.write(key, chunks(bytesFor(operation)))

    t.equal(fault.hits(), 1)
    t.ok((await bytesOf(await other.read(key))).equals(bytesFor(operation)))
  })

  t.test(`gives up when every ${operation} stalls, and leaves no object, upload or request`, async (t) => {
    const { proxy, store, other } = await build(t, { partTimeoutMs: 500 })
    await warmUp(store)
    const source = Readable.from([bytesFor(operation)])
    const fault = proxy.fail({ on: operation, instead: 'stall', times: 100 })

    await t.rejects(store.write(newKey(), source), { code: 'STORAGE_UNAVAILABLE', retryable: true })

    t.equal(fault.hits(), 3)
    t.ok(source.destroyed)
    t.strictSame(await keysOf(other), [])
    t.equal(await leftovers(other), 0)
    await poll(() => proxy.activeRequests() === 0, { what: 'the stalled connections to close' })
  })

  t.test(`sends a ${operation} again whose connection was reset on its last byte`, async (t) => {
    const { proxy, store, other } = await build(t)
    const key = newKey()
    await warmUp(store)
    const fault = proxy.fail({ on: operation, instead: 'reset', times: 2 })

    await store.write(key, chunks(bytesFor(operation)))

    t.equal(fault.hits(), 2)
    t.ok((await bytesOf(await other.read(key))).equals(bytesFor(operation)))
  })

  t.test(`sends a ${operation} again when the server finds its bytes damaged`, async (t) => {
    const { proxy, store, other } = await build(t)
    const key = newKey()
    await warmUp(store)
    const damage = (body: Buffer): Buffer => {
      const copy = Buffer.from(body)
      copy[7]! ^= 1
      return copy
    }
    const fault = proxy.fail({ on: operation, send: damage })

    await store.write(key, chunks(bytesFor(operation)))

    t.equal(fault.hits(), 1)
    t.ok((await bytesOf(await other.read(key))).equals(bytesFor(operation)))
  })
}

/** The first writes of a process also detect the server's features. The test ignores those requests. */
async function warmUp(store: BlobStore): Promise<void> {
  const key = newKey()
  await store.write(key, chunks(LARGE))
  await store.remove(key)
  await store.probe()
}

const LOST = (reply: Reply): Reply => ({ ...reply, resetAt: -1 })

for (const conditions of ['honour', 'ignore'] as const) {
  for (const operation of ['put', 'complete'] as const) {
    for (const [what, change] of [
      ['500 after the write', () => errorReply(500, 'InternalError')],
      ['a reset instead of the reply', LOST],
      ...(operation === 'put'
        ? []
        : ([
            [
              '200 with an XML error inside, although it was done',
              () => ({ ...errorReply(500, 'InternalError'), status: 200 })
            ],
            ['200 with a truncated body', (reply: Reply) => ({ ...reply, body: reply.body.subarray(0, -9) })],
            ['200 with an empty body', (reply: Reply) => ({ ...reply, body: Buffer.alloc(0) })]
          ] as const))
    ] as const) {
      t.test(
        `recognizes its own object after ${what} to ${operation}, conditions: ${conditions}`,
        async (t) => {
          const { proxy, store, other } = await build(t)
          proxy.conditions = conditions
          const key = newKey()
          await warmUp(store)
          const fault = proxy.fail({ on: operation, change })

          await store.write(key, chunks(bytesFor(operation)))

          t.equal(fault.hits(), 1)
          t.ok((await bytesOf(await other.read(key))).equals(bytesFor(operation)))
          t.equal(await leftovers(other), 0)
        }
      )
    }
  }

  t.test(`keeps the first bytes when a second writer follows, conditions: ${conditions}`, async (t) => {
    const { proxy, store, other } = await build(t)
    proxy.conditions = conditions
    const [small, large] = [newKey(), newKey()]
    await other.write(small, chunks('first'))
    await other.write(large, chunks('first'))

    t.equal(await codeOf(store.write(small, chunks('second'))), 'BLOB_EXISTS')
    t.equal(await codeOf(store.write(large, chunks(LARGE))), 'BLOB_EXISTS')

    t.equal(await textOf(await other.read(small)), 'first')
    t.equal(await textOf(await other.read(large)), 'first')
    t.equal(await leftovers(other), 0)
  })

  t.test(`lets one of many writers win, conditions: ${conditions}`, async (t) => {
    const { proxy, store, other } = await build(t)
    proxy.conditions = conditions
    const key = newKey()
    const sizes = [10, 20, 30, LARGE.length, LARGE.length + 1]

    const codes = await Promise.all(
      sizes.map(async (size) => await codeOf(store.write(key, chunks(pattern(size)))))
    )

    t.equal(codes.filter((code) => code === 'resolved').length, 1, codes.join())
    t.equal(codes.filter((code) => code === 'BLOB_EXISTS').length, sizes.length - 1)
    t.ok((await bytesOf(await other.read(key))).equals(pattern(sizes[codes.indexOf('resolved')]!)))
  })

  t.test(`keeps the first marker and one secret, conditions: ${conditions}`, async (t) => {
    const { proxy, store } = await build(t)
    proxy.conditions = conditions

    t.equal(await store.marker.create('ours'), true)
    t.equal(await store.marker.create('late'), false)

    t.equal(await store.marker.read(), 'ours')
    const secrets = await Promise.all([store.secret.ensure(), store.secret.ensure()])
    t.strictSame(secrets[0], secrets[1])
  })
}

t.test('does not mistake the same bytes of another writer for its own', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await warmUp(store)
  await other.write(key, chunks(SMALL))
  proxy.fail({ on: 'put', instead: errorReply(503, 'SlowDown') })

  t.equal(await codeOf(store.write(key, chunks(SMALL))), 'BLOB_EXISTS')

  t.strictSame(await keysOf(other), [key], "the other writer's object stays")
})

t.test('completes again after 200 with an XML error inside when nothing was done', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await store.write(newKey(), chunks(LARGE))
  const failed = { ...errorReply(500, 'InternalError'), status: 200 }
  const fault = proxy.fail({ on: 'complete', instead: failed })

  await store.write(key, chunks(LARGE))

  t.equal(fault.hits(), 1)
  t.ok((await bytesOf(await other.read(key))).equals(LARGE))
})

t.test('fails and leaves nothing when every completion is 200 with an XML error inside', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))
  await store.remove(key)
  proxy.fail({ on: 'complete', instead: { ...errorReply(500, 'InternalError'), status: 200 }, times: 100 })

  t.equal(await codeOf(store.write(key, chunks(LARGE))), 'STORAGE_UNAVAILABLE')

  t.strictSame(await keysOf(other), [])
  t.equal(await leftovers(other), 0)
})

t.test('removes its own object when every reply was lost', async (t) => {
  const { proxy, store, other } = await build(t, { retry: { attempts: 1 } })
  await warmUp(store)
  const fault = proxy.fail({ on: 'put', change: LOST })

  t.equal(await codeOf(store.write(newKey(), chunks(SMALL))), 'STORAGE_UNAVAILABLE')

  t.equal(fault.hits(), 1)
  t.strictSame(await keysOf(other), [])
})

t.test('fails and cleans up when the completed object has another size', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await store.write(newKey(), chunks(LARGE))
  const shorten = (reply: Reply): Reply =>
    reply.status === 200
      ? { ...reply, headers: { ...reply.headers, 'content-length': String(LARGE.length - 1) } }
      : reply
  const fault = proxy.fail({ on: 'head', change: shorten, after: 1, times: 1 })

  t.equal(await codeOf(store.write(key, chunks(LARGE))), 'STORAGE_UNAVAILABLE')

  t.equal(fault.hits(), 1)
  t.equal(await other.stat(key), null)
})

t.test('stores and reads where the ETag is not an MD5', async (t) => {
  const { proxy, store } = await build(t)
  const change = (reply: Reply): Reply => ({
    ...reply,
    headers: { ...reply.headers, etag: '"00000000000000000000000000000000"' }
  })
  for (const on of ['put', 'head', 'get'] as const) proxy.fail({ on, change, times: 100 })
  const [small, large] = [newKey(), newKey()]

  await store.write(small, chunks(SMALL))
  await store.write(large, chunks(LARGE))

  t.ok((await bytesOf(await store.read(small))).equals(SMALL))
  t.ok((await bytesOf(await store.read(large))).equals(LARGE))
})

t.test('stores a large blob where the reply to its completion has an empty ETag, as in Ceph', async (t) => {
  const { proxy, store } = await build(t)
  await store.write(newKey(), chunks(SMALL))
  const change = (reply: Reply): Reply => ({
    ...reply,
    body: Buffer.from(reply.body.toString().replace(/<ETag>.*<\/ETag>/s, '<ETag></ETag>'))
  })
  const fault = proxy.fail({ on: 'complete', change, times: 100 })
  const key = newKey()

  await store.write(key, chunks(LARGE))

  t.ok(fault.hits() > 0)
  t.ok((await bytesOf(await store.read(key))).equals(LARGE))
})

t.test(
  'a large blob whose ETag is not made of its parts fails once, because readers would reject it',
  async (t) => {
    const { proxy, store, other } = await build(t)
    await store.write(newKey(), chunks(LARGE))
    const change = (reply: Reply): Reply =>
      reply.status === 200 ? { ...reply, headers: { ...reply.headers, etag: '"0-2"' } } : reply
    proxy.fail({ on: 'head', change, times: 100 })
    const [first, second] = [newKey(), newKey()]

    t.equal(await codeOf(store.write(first, chunks(LARGE))), 'STORAGE_UNAVAILABLE')
    t.equal(await other.stat(first), null)
    await store.write(second, chunks(LARGE))
    t.ok((await bytesOf(await other.read(second))).equals(LARGE))
  }
)

t.test('fails when a server that is not a storage server responds with 200', async (t) => {
  const { proxy, store } = await build(t)
  await store.write(newKey(), chunks(LARGE))
  const page = {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<html>hello</html>')
  }
  for (const on of ['put', 'start', 'part', 'complete', 'list'] as const) {
    proxy.fail({ on, instead: page, times: 100 })
  }

  t.equal(await codeOf(store.write(newKey(), chunks(SMALL))), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.write(newKey(), chunks(LARGE))), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(keysOf(store)), 'STORAGE_UNAVAILABLE')
})

t.test('aborts the upload and closes the connection when aborted during a part', async (t) => {
  const { proxy, store, other } = await build(t)
  const fault = proxy.fail({ on: 'part', instead: 'stall' })
  const controller = new AbortController()
  const writing = codeOf(store.write(newKey(), chunks(LARGE), { signal: controller.signal }))
  await poll(() => fault.hits() === 1, { what: 'the part to stall' })

  controller.abort()

  t.equal(await writing, 'CANCELLED')
  t.strictSame(await keysOf(other), [])
  t.equal(await leftovers(other), 0)
  await poll(() => proxy.activeRequests() === 0, { what: 'the request to end' })
})

t.test('sweeps uploads of crashed writers, and leaves young ones and those of other programs', async (t) => {
  const { proxy, store, other, place } = await build(t, { retry: { attempts: 1 } })
  const [crashed, foreign] = [newKey(), 'reports/2026.csv']
  await warmUp(store)
  proxy.fail({ on: 'abort', instead: errorReply(503, 'SlowDown'), times: 100 })
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield LARGE
    throw new Error('crashed')
  }
  await t.rejects(store.write(crashed, source()))
  const { CreateMultipartUploadCommand, ListMultipartUploadsCommand, S3Client } = await import(
    '@aws-sdk/client-s3'
  )
  const client = new S3Client({ ...place, forcePathStyle: true })
  await client.send(new CreateMultipartUploadCommand({ Bucket: place.bucket, Key: foreign }))

  t.equal(await other.sweepTemporary({ olderThan: new Date(Date.now() - 3_600_000) }), 0)
  t.equal(await leftovers(createS3BlobStore({ ...place, ...QUICK, listPageSize: 1 })), 1)

  const { Uploads: left = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: place.bucket }))
  t.strictSame(
    left.map(({ Key: key }) => key),
    [foreign]
  )
  client.destroy()
})
