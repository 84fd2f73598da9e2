import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { poll } from '@filewright/testing'
import { createAzureBlobStore, type BlobStore } from '../src/index.js'
import { createBuilder, QUICK, type AzureOperation } from './azure-build.js'
import type { Reply } from './fault-proxy.js'
import { bytesOf, chunks, codeOf, hangingSource, keysOf, newKey, pattern, textOf } from './helpers.js'

t.setTimeout(600_000)

const build = createBuilder(t)
const SMALL = Buffer.from('a small blob')
/** Two parts. */
const LARGE = pattern(500_000)
const bytesFor = (operation: AzureOperation): Buffer => (operation === 'put' ? SMALL : LARGE)
const errorReply = (status: number, code: string): Reply => ({
  status,
  headers: { 'x-ms-error-code': code, 'content-type': 'application/xml' },
  body: Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)
})
const lost = (reply: Reply): Reply => ({ ...reply, resetAt: -1 })

for (const operation of ['put', 'block', 'commit'] as const) {
  for (const [status, code] of [
    [500, 'InternalError'],
    [503, 'ServerBusy'],
    [429, 'TooManyRequests']
  ] as const) {
    t.test(`retries the write after ${status} to ${operation}`, async (t) => {
      const { proxy, store, other } = await build(t)
      const key = newKey()
      const fault = proxy.fail({ on: operation, times: 2, instead: errorReply(status, code) })

      t.strictSame(await store.write(key, chunks(bytesFor(operation))), {
        sizeBytes: bytesFor(operation).length
      })

      t.equal(fault.hits(), 2, 'the SDK itself tries once')
      t.ok((await bytesOf(await other.read(key))).equals(bytesFor(operation)))
    })
  }

  t.test(`recognizes its own blob after the reply to ${operation} was lost`, async (t) => {
    const { proxy, store, other } = await build(t)
    const key = newKey()
    const fault = proxy.fail({ on: operation, change: lost })

    await store.write(key, chunks(bytesFor(operation)))

    t.equal(fault.hits(), 1)
    t.ok((await bytesOf(await other.read(key))).equals(bytesFor(operation)))
  })

  t.test(`retries the write when the connection is reset at the last byte of ${operation}`, async (t) => {
    const { proxy, store, other } = await build(t)
    const key = newKey()
    const fault = proxy.fail({ on: operation, instead: 'reset' })

    await store.write(key, chunks(bytesFor(operation)))

    t.equal(fault.hits(), 1)
    t.ok((await bytesOf(await other.read(key))).equals(bytesFor(operation)))
  })

  t.test(`gives up and leaves no blob when ${operation} never ends`, async (t) => {
    const { proxy, store, other } = await build(t, { partTimeoutMs: 100, retry: { attempts: 2 } })
    proxy.fail({ on: operation, times: 100, instead: 'stall' })

    await t.rejects(store.write(newKey(), chunks(bytesFor(operation))), {
      code: 'STORAGE_UNAVAILABLE',
      retryable: true
    })

    t.strictSame(await keysOf(other), [])
    await poll(() => proxy.activeRequests() === 0, { what: 'the stalled requests to end' })
  })

  t.test(`does not repeat a refusal of ${operation}, and names the reason`, async (t) => {
    const { proxy, store, other } = await build(t)
    const fault = proxy.fail({
      on: operation,
      times: 9,
      instead: errorReply(403, 'AuthorizationPermissionMismatch')
    })

    await t.rejects(store.write(newKey(), chunks(bytesFor(operation))), {
      code: 'STORAGE_UNAVAILABLE',
      message: /403 AuthorizationPermissionMismatch.*lack a permission/
    })

    t.equal(fault.hits(), 1)
    t.strictSame(await keysOf(other), [])
  })
}

for (const operation of ['put', 'commit'] as const) {
  t.test(`removes its own blob when every reply to ${operation} was lost`, async (t) => {
    const { proxy, store, other } = await build(t, { retry: { attempts: 1 } })
    const fault = proxy.fail({ on: operation, change: lost })

    t.equal(await codeOf(store.write(newKey(), chunks(bytesFor(operation)))), 'STORAGE_UNAVAILABLE')

    t.equal(fault.hits(), 1)
    t.strictSame(await keysOf(other), [])
  })

  t.test(`does not mistake another writer's identical bytes for its own after ${operation}`, async (t) => {
    const { proxy, store, other } = await build(t)
    const key = newKey()
    // Between the first check of the key and the write.
    proxy.fail({
      on: operation,
      instead: errorReply(500, 'InternalError')
    })
    const writing = codeOf(store.write(key, lateSource(other, key, bytesFor(operation))))

    t.equal(await writing, 'BLOB_EXISTS')
    t.ok((await bytesOf(await other.read(key))).equals(bytesFor(operation)))
  })
}

/** Before its last byte, another writer creates the blob. */
async function* lateSource(other: BlobStore, key: string, bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, -1)
  await other.write(key, chunks(bytes))
  yield bytes.subarray(-1)
}

t.test('sends a block again when its bytes were damaged in transit', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  const fault = proxy.fail({ on: 'block', send: flipped })

  await store.write(key, chunks(LARGE))

  t.equal(fault.hits(), 1)
  t.ok((await bytesOf(await other.read(key))).equals(LARGE))
})

t.test('never reports success for a small blob whose bytes were damaged in transit', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  const fault = proxy.fail({ on: 'put', times: 9, send: flipped })

  t.equal(await codeOf(store.write(key, chunks(SMALL))), 'STORAGE_UNAVAILABLE')

  t.ok(fault.hits() > 0)
  t.strictSame(await keysOf(other), [])
})

function flipped(body: Buffer): Buffer {
  const copy = Buffer.from(body)
  copy[5] = (copy[5] ?? 0) ^ 1
  return copy
}

for (const [what, change] of [
  ['cut', (reply: Reply) => ({ ...reply, resetAt: 100_000 })],
  ['stalled', (reply: Reply) => ({ ...reply, stallAt: 100_000 })]
] as const) {
  t.test(`continues a download that was ${what} at the same byte of the same version`, async (t) => {
    const { proxy, store, other } = await build(t, { idleTimeoutMs: 300 })
    const key = newKey()
    await other.write(key, chunks(LARGE))
    const fault = proxy.fail({ on: 'get', change })

    t.ok((await bytesOf(await store.read(key))).equals(LARGE))

    t.equal(fault.hits(), 1)
    t.equal(proxy.requests.filter((each) => each === 'get').length, 2)
    t.ok(proxy.headersOf('get')?.['if-match'], 'the second one names the version')
  })
}

t.test('ends a download with an error when its bytes differ from the stored ones', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await other.write(key, chunks(LARGE))
  proxy.fail({ on: 'get', change: (reply) => ({ ...reply, body: flipped(reply.body) }) })

  t.equal(await codeOf(store.read(key).then(bytesOf)), 'BLOB_CORRUPT')
})

t.test('ends a download with an error when the reply is shorter than the blob', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await other.write(key, chunks(LARGE))
  proxy.fail({
    on: 'get',
    times: 9,
    change: (reply) => ({ ...reply, body: reply.body.subarray(0, 1_000) })
  })

  t.equal(await codeOf(store.read(key).then(bytesOf)), 'BLOB_CORRUPT')
})

t.test('refuses another part of a blob than was requested', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await other.write(key, chunks(LARGE))
  proxy.fail({
    on: 'get',
    times: 9,
    change: (reply) => ({ ...reply, headers: { ...reply.headers, 'content-range': 'bytes 5-9/500000' } })
  })

  t.equal(await codeOf(store.read(key, { range: { start: 0, end: 4 } }).then(bytesOf)), 'STORAGE_UNAVAILABLE')
})

for (const operation of ['head', 'delete', 'list'] as const) {
  const call = async (store: BlobStore, key: string): Promise<unknown> => {
    if (operation === 'head') return await store.stat(key)
    return operation === 'delete' ? await store.remove(key) : await keysOf(store)
  }

  t.test(`retries ${operation} after an error and a reset, and gives up when they continue`, async (t) => {
    const { proxy, store, other } = await build(t)
    const key = newKey()
    await other.write(key, chunks(SMALL))
    proxy.fail({ on: operation, instead: errorReply(500, 'InternalError') })
    proxy.fail({ on: operation, change: lost })

    t.ok(await call(store, key))

    proxy.fail({ on: operation, times: 9, instead: errorReply(503, 'ServerBusy') })
    t.equal(await codeOf(call(store, key)), 'STORAGE_UNAVAILABLE')
  })
}

for (const [what, reply] of [
  ['a missing container', errorReply(404, 'ContainerNotFound')],
  ["a proxy's error page", { status: 404, headers: {}, body: Buffer.from('<html>not found</html>') }]
] as const) {
  t.test(`reports ${what} as a failure, and never as a missing blob`, async (t) => {
    const { proxy, store } = await build(t)
    for (const on of ['head', 'get', 'delete'] as const) proxy.fail({ on, times: 9, instead: reply })

    t.equal(await codeOf(store.stat(newKey())), 'STORAGE_UNAVAILABLE')
    t.equal(await codeOf(store.read(newKey())), 'STORAGE_UNAVAILABLE')
    t.equal(await codeOf(store.remove(newKey())), 'STORAGE_UNAVAILABLE')
    t.equal(await codeOf(store.marker.read()), 'STORAGE_UNAVAILABLE')
  })
}

t.test('never ends a listing early without an error', async (t) => {
  const { proxy, store, other } = await build(t, { listPageSize: 2 })
  const keys = Array.from({ length: 5 }, newKey).sort()
  for (const key of keys) await other.write(key, chunks(SMALL))
  t.strictSame(await keysOf(store), keys)

  for (const body of ['', '<html>hello</html>', '<?xml version="1.0"?><EnumerationResults><Blobs>']) {
    proxy.fail({ on: 'list', after: 1, times: 9, change: (reply) => ({ ...reply, body: Buffer.from(body) }) })
    t.equal(await codeOf(keysOf(store)), 'STORAGE_UNAVAILABLE', JSON.stringify(body))
    // Consumes the remaining hits of the fault.
    for (let left = 0; left < 9; left++) await codeOf(keysOf(store))
  }
})

t.test('returns the secret that it created after the reply to its write was lost', async (t) => {
  const { proxy, store } = await build(t)
  proxy.fail({ on: 'put', change: lost })

  t.strictSame(await store.secret.ensure(), await store.secret.read())
})

t.test('closes the connection of a write that is aborted, and leaves nothing', async (t) => {
  const { proxy, store, other } = await build(t)
  const fault = proxy.fail({ on: 'block', instead: 'stall' })
  const controller = new AbortController()
  const source = hangingSource(LARGE)
  const writing = codeOf(store.write(newKey(), source, { signal: controller.signal }))
  await poll(() => fault.hits() === 1, { what: 'a block to be sent' })

  controller.abort()

  t.equal(await writing, 'CANCELLED')
  t.ok(source.destroyed)
  t.strictSame(await keysOf(other), [])
  await poll(() => proxy.activeRequests() === 0, { what: 'the request to end' })
})

t.test('fails every call with STORAGE_UNAVAILABLE when the server is not Azure', async (t) => {
  const server = createServer((_request, response) => {
    response.end('<html>hello</html>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { accountKey: Buffer.from('key').toString('base64') }
  const store = createAzureBlobStore({ ...QUICK, endpoint, account: 'a', container: 'files', credentials })

  t.equal(await codeOf(store.write(newKey(), chunks(SMALL))), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.write(newKey(), chunks(LARGE))), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.stat(newKey())), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.remove(newKey())), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(keysOf(store)), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.probe()), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.read(newKey()).then(textOf)), 'STORAGE_UNAVAILABLE')
})
