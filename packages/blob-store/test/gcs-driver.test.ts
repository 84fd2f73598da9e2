import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CRC32C } from '@google-cloud/storage'
import t from 'tap'
import { freePort, poll } from '@filewright/testing'
import { createGcsBlobStore, type BlobStore } from '../src/index.js'
import { createCrc32c } from '../src/remote/crc32c.js'
import { build, LARGE, QUICK, SMALL } from './gcs-build.js'
import { chunks, codeOf, hangingSource, keysOf, newKey, pattern } from './helpers.js'

t.setTimeout(600_000)

for (const status of [429, 500, 503]) {
  t.test(`retries an insert after ${status}`, async (t) => {
    const { server, store } = await build(t)
    const key = newKey()
    const fault = server.fail({ on: 'insert', kind: 'status', status, times: 2 })

    t.strictSame(await store.write(key, chunks(SMALL)), { sizeBytes: SMALL.length })

    t.equal(fault.hits(), 2)
    t.ok(server.objects.get(key)?.bytes.equals(SMALL))
  })
}

for (const operation of ['start', 'part'] as const) {
  t.test(`retries the ${operation} of a large upload after 503`, async (t) => {
    const { server, store } = await build(t)
    const key = newKey()
    const fault = server.fail({ on: operation, kind: 'status', status: 503, times: 2 })

    await store.write(key, chunks(LARGE))

    t.equal(fault.hits(), 2)
    t.ok(server.objects.get(key)?.bytes.equals(LARGE))
    t.equal(server.openSessions(), 0)
  })
}

t.test(
  'gives up with a retryable STORAGE_UNAVAILABLE and destroys the source when 503 continues',
  async (t) => {
    const { server, store } = await build(t)
    const fault = server.fail({ on: 'insert', kind: 'status', status: 503, times: 100 })
    const source = hangingSource(SMALL)
    source.push(null)

    await t.rejects(store.write(newKey(), source), { code: 'STORAGE_UNAVAILABLE', retryable: true })

    t.equal(fault.hits(), 3)
    t.ok(source.destroyed)
    t.equal(server.objects.size, 0)
  }
)

t.test('waits as long as the server requests before the next attempt', async (t) => {
  const { server, store } = await build(t, { retry: { attempts: 2, baseDelayMs: 1, maxDelayMs: 300 } })
  server.fail({ on: 'insert', kind: 'status', status: 429, retryAfterSeconds: 60 })
  const startedAt = Date.now()

  await store.write(newKey(), chunks(SMALL))

  t.ok(Date.now() - startedAt >= 290, 'the longest wait allowed, since more was asked for')
})

t.test('does not retry a permanent refusal', async (t) => {
  const { server, store } = await build(t)
  const fault = server.fail({ on: 'insert', kind: 'status', status: 403, times: 5 })

  t.equal(await codeOf(store.write(newKey(), chunks(SMALL))), 'STORAGE_UNAVAILABLE')

  t.equal(fault.hits(), 1)
})

t.test('recognizes its own object when the reply to the insert was lost', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  const fault = server.fail({ on: 'insert', kind: 'drop-reply' })

  t.strictSame(await store.write(key, chunks(SMALL)), { sizeBytes: SMALL.length })

  t.equal(fault.hits(), 1)
  t.ok(server.objects.get(key)?.bytes.equals(SMALL))
})

t.test('does not mistake identical bytes of another writer for its own', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(SMALL))
  const fault = server.fail({ on: 'insert', kind: 'status', status: 503 })

  t.equal(await codeOf(store.write(key, chunks(SMALL))), 'BLOB_EXISTS')

  t.equal(fault.hits(), 1)
  t.ok(server.objects.has(key), "the other writer's object stays")
})

t.test('removes its own object when every reply was lost', async (t) => {
  const { server, store } = await build(t, { retry: { attempts: 1 } })
  const fault = server.fail({ on: 'insert', kind: 'drop-reply' })

  t.equal(await codeOf(store.write(newKey(), chunks(SMALL))), 'STORAGE_UNAVAILABLE')

  t.equal(fault.hits(), 1)
  t.equal(server.objects.size, 0)
})

for (const [which, after] of [
  ['first', 0],
  ['last', 3]
] as const) {
  t.test(`continues after the reply to the ${which} part was lost`, async (t) => {
    const { server, store } = await build(t)
    const key = newKey()
    const fault = server.fail({ on: 'part', kind: 'drop-reply', after })

    t.strictSame(await store.write(key, chunks(LARGE)), { sizeBytes: LARGE.length })

    t.equal(fault.hits(), 1)
    t.ok(server.objects.get(key)?.bytes.equals(LARGE))
  })

  t.test(`sends the rest when the connection was cut in the ${which} part`, async (t) => {
    const { server, store } = await build(t)
    const key = newKey()
    const fault = server.fail({ on: 'part', kind: 'cut', afterBytes: 50_000, after, times: 2 })

    await store.write(key, chunks(LARGE))

    t.equal(fault.hits(), 2)
    t.ok(server.objects.get(key)?.bytes.equals(LARGE))
  })

  t.test(`sends the rest when the server kept only some of the ${which} part`, async (t) => {
    const { server, store } = await build(t)
    const key = newKey()
    const fault = server.fail({ on: 'part', kind: 'keep-only', bytes: 1_000, after })

    await store.write(key, chunks(LARGE))

    t.equal(fault.hits(), 1)
    t.ok(server.objects.get(key)?.bytes.equals(LARGE))
  })
}

for (const operation of ['insert', 'part'] as const) {
  t.test(
    `gives up within its deadlines when every ${operation} stalls, and leaves no object, session or request`,
    async (t) => {
      const { server, store } = await build(t, { partTimeoutMs: 150 })
      const fault = server.fail({ on: operation, kind: 'stall', afterBytes: 10, times: 100 })

      t.equal(
        await codeOf(store.write(newKey(), chunks(operation === 'insert' ? SMALL : LARGE))),
        'STORAGE_UNAVAILABLE'
      )

      t.equal(fault.hits(), 3)
      t.equal(server.objects.size, 0)
      t.equal(server.openSessions(), 0)
      await poll(() => server.activeRequests() === 0, { what: 'the stalled connections to close' })
    }
  )

  t.test(
    `removes the object and fails with STORAGE_UNAVAILABLE when its crc32c is wrong after ${operation}`,
    async (t) => {
      const { server, store } = await build(t)
      const fault = server.fail({ on: operation, kind: 'wrong-crc32c', after: operation === 'part' ? 3 : 0 })

      await t.rejects(store.write(newKey(), chunks(operation === 'insert' ? SMALL : LARGE)), {
        code: 'STORAGE_UNAVAILABLE',
        retryable: true
      })

      t.equal(fault.hits(), 1)
      t.equal(server.objects.size, 0)
    }
  )
}

t.test('gives up when the server stores no byte of a part', async (t) => {
  const { server, store } = await build(t)
  server.fail({ on: 'part', kind: 'keep-only', bytes: 0, times: 100 })

  t.equal(await codeOf(store.write(newKey(), chunks(LARGE))), 'STORAGE_UNAVAILABLE')

  t.equal(server.openSessions(), 0)
})

t.test('cancels the session and closes the connection when aborted during a part', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  const fault = server.fail({ on: 'part', kind: 'stall', afterBytes: 10 })
  const controller = new AbortController()
  const writing = codeOf(store.write(key, chunks(LARGE), { signal: controller.signal }))
  await poll(() => fault.hits() === 1, { what: 'the part to stall' })

  controller.abort()

  t.equal(await writing, 'CANCELLED')
  t.equal(server.objects.size, 0)
  t.equal(server.openSessions(), 0)
  await poll(() => server.activeRequests() === 0, { what: 'the request to end' })
})

t.test('removes a committed object when aborted before the reply', async (t) => {
  const { server, store } = await build(t, {
    retry: { attempts: 5, baseDelayMs: 60_000, maxDelayMs: 60_000 }
  })
  const fault = server.fail({ on: 'insert', kind: 'drop-reply' })
  const controller = new AbortController()
  const writing = codeOf(store.write(newKey(), chunks(SMALL), { signal: controller.signal }))
  await poll(() => fault.hits() === 1 && server.activeRequests() === 0, { what: 'the reply to be lost' })
  t.equal(server.objects.size, 1)

  controller.abort()

  t.equal(await writing, 'CANCELLED')
  t.equal(server.objects.size, 0)
})

t.test('a delete succeeds if only its reply was lost', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(SMALL))
  const fault = server.fail({ on: 'delete', kind: 'drop-reply' })

  t.equal(await store.remove(key), true)

  t.equal(fault.hits(), 1)
  t.equal(server.objects.size, 0)
})

for (const operation of ['metadata', 'delete', 'list'] as const) {
  const callOf = (store: BlobStore, key: string, signal?: AbortSignal): Promise<unknown> => {
    if (operation === 'metadata') return store.stat(key, { signal })
    return operation === 'delete'
      ? store.remove(key, { signal })
      : (async () => {
          for await (const entry of store.list({ signal })) t.comment(entry.key)
        })()
  }

  t.test(
    `retries ${operation} after 503, a broken connection and a 429, and gives up when they continue`,
    async (t) => {
      const { server, store } = await build(t, { retry: { attempts: 4, baseDelayMs: 1 } })
      const key = newKey()
      const faults = [
        server.fail({ on: operation, kind: 'status', status: 503 }),
        server.fail({ on: operation, kind: 'cut', afterBytes: 0 }),
        server.fail({ on: operation, kind: 'status', status: 429 })
      ]

      t.equal(await codeOf(callOf(store, key)), 'resolved')
      t.strictSame(
        faults.map((fault) => fault.hits()),
        [1, 1, 1]
      )

      server.fail({ on: operation, kind: 'status', status: 503, times: 4 })
      t.equal(await codeOf(callOf(store, key)), 'STORAGE_UNAVAILABLE')
    }
  )

  t.test(
    `ends ${operation} within its deadline when the server does not respond, and at once when aborted`,
    async (t) => {
      const { server, store } = await build(t, { requestTimeoutMs: 200, retry: { attempts: 1 } })
      server.fail({ on: operation, kind: 'stall', afterBytes: 0, times: 2 })

      t.equal(await codeOf(callOf(store, newKey())), 'STORAGE_UNAVAILABLE')
      const controller = new AbortController()
      const place = { bucket: server.bucket, apiEndpoint: server.endpoint }
      const patient = createGcsBlobStore({ ...place, anonymous: true })
      const calling = codeOf(callOf(patient, newKey(), controller.signal))
      await poll(() => server.activeRequests() === 1, { what: 'the request to arrive' })
      controller.abort()
      t.equal(await calling, 'CANCELLED')
    }
  )
}

t.test('lists page by page and leaves out objects that are not ours', async (t) => {
  const { server, store } = await build(t, { listPageSize: 3 })
  const keys = Array.from({ length: 8 }, newKey).sort()
  for (const key of keys) await store.write(key, chunks(SMALL))
  await fetch(
    `${server.endpoint}/upload/storage/v1/b/${server.bucket}/o?uploadType=media&name=reports/2026.csv`,
    { method: 'POST', body: 'x' }
  )
  t.equal(server.objects.size, 9)

  t.strictSame(await keysOf(store), keys)

  t.equal(server.requests.filter((request) => request === `GET /storage/v1/b/${server.bucket}/o`).length, 3)
})

t.test('fails every call with STORAGE_UNAVAILABLE when nothing listens', async (t) => {
  const store = createGcsBlobStore({
    bucket: 'nowhere',
    apiEndpoint: `http://127.0.0.1:${await freePort()}`,
    ...QUICK
  })

  t.equal(await codeOf(store.write(newKey(), chunks(SMALL))), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.write(newKey(), chunks(LARGE))), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.read(newKey())), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.stat(newKey())), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.remove(newKey())), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(keysOf(store)), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.probe()), 'STORAGE_UNAVAILABLE')
})

t.test('fails with STORAGE_UNAVAILABLE when the server is not a storage server', async (t) => {
  const other = createServer((_request, response) => {
    response.end('<html>hello</html>')
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => {
    other.close()
  })
  const store = createGcsBlobStore({
    bucket: 'x',
    apiEndpoint: `http://127.0.0.1:${(other.address() as AddressInfo).port}`,
    ...QUICK
  })

  t.equal(await codeOf(store.write(newKey(), chunks(SMALL))), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.write(newKey(), chunks(LARGE))), 'STORAGE_UNAVAILABLE')
})

t.test('has no temporary files to sweep', async (t) => {
  const { store } = await build(t)

  t.equal(await store.sweepTemporary({ olderThan: new Date() }), 0)
  await store.close()
})

t.test('leaves no connection open after readers stopped and uploads were aborted', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))

  for (let round = 0; round < 10; round++) {
    ;(await store.read(key)).destroy()
    const controller = new AbortController()
    const source = hangingSource(LARGE)
    const writing = codeOf(store.write(newKey(), source, { signal: controller.signal }))
    // Three full parts of the 900,000 bytes are sent; the rest waits for more of the source.
    await poll(
      () => server.requests.filter((request) => request.startsWith('PUT ')).length === 4 + 3 * (round + 1),
      { what: 'the parts to be sent' }
    )
    await poll(() => server.activeRequests() === 0, { what: 'the parts to be answered' })
    controller.abort()
    t.equal(await writing, 'CANCELLED')
  }

  await poll(() => server.openConnections() === 0, { what: 'every connection to close' })
  t.equal(server.activeRequests(), 0)
  t.equal(server.openSessions(), 0)
})

t.test('computes the same crc32c as the client library for every length and split', (t) => {
  const bytes = pattern(1_000)
  for (let length = 0; length < 70; length++) {
    const ours = createCrc32c()
    ours.update(bytes.subarray(0, length))
    ours.update(bytes.subarray(length, length * 3))
    const theirs = new CRC32C()
    theirs.update(bytes.subarray(0, length * 3))
    if (ours.toString() !== theirs.toString()) t.fail(`differs at length ${length}`)
  }
  const known = createCrc32c()
  known.update(Buffer.from('123456789'))
  t.equal(known.toString(), '4waSgw==')
  t.end()
})

t.test('finds its own marker after the reply to its write was lost', async (t) => {
  const { server, store } = await build(t)
  server.fail({ on: 'insert', kind: 'drop-reply', times: 1 })

  t.equal(await store.marker.create('ours'), false)
  t.equal(await store.marker.read(), 'ours')
})

t.test('returns the secret that it created after the reply to its write was lost', async (t) => {
  const { server, store } = await build(t)
  server.fail({ on: 'insert', kind: 'drop-reply', times: 1 })

  const secret = await store.secret.ensure()

  t.equal(secret.length, 32)
  t.strictSame(await store.secret.read(), secret)
})

t.test('reports a marker that Google refuses as STORAGE_UNAVAILABLE, not as absent', async (t) => {
  const { server, store } = await build(t)
  server.fail({ on: 'download', kind: 'status', status: 403, times: 1 })
  server.fail({ on: 'insert', kind: 'status', status: 403, times: 2 })

  t.equal(await codeOf(store.marker.read()), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.marker.create('owner')), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.marker.replace('owner')), 'STORAGE_UNAVAILABLE')
  t.equal(await store.marker.read(), null)
})
