import t from 'tap'
import { poll } from '@filewright/testing'
import { createGcsBlobStore } from '../src/index.js'
import { build, LARGE, QUICK, SMALL } from './gcs-build.js'
import { bytesOf, chunks, codeOf, newKey, pattern, textOf } from './helpers.js'

t.setTimeout(600_000)

for (const afterBytes of [0, 100_000]) {
  t.test(`resumes a read that was cut after ${afterBytes} bytes, from the same generation`, async (t) => {
    const { server, store } = await build(t)
    const key = newKey()
    await store.write(key, chunks(LARGE))
    const fault = server.fail({ on: 'download', kind: 'cut', afterBytes, times: 2 })

    t.ok((await bytesOf(await store.read(key))).equals(LARGE))

    t.equal(fault.hits(), 2)
  })

  t.test(`resumes a read that stalled after ${afterBytes} bytes and closes its connection`, async (t) => {
    const { server, store } = await build(t)
    const key = newKey()
    await store.write(key, chunks(LARGE))
    const fault = server.fail({ on: 'download', kind: 'stall', afterBytes, times: 2 })

    t.ok((await bytesOf(await store.read(key))).equals(LARGE))

    t.equal(fault.hits(), 2)
    await poll(() => server.activeRequests() === 0, { what: 'the stalled connections to close' })
  })

  const perTry = Math.min(afterBytes, 1)

  t.test(`gives up a read whose requests each stall after ${perTry} bytes`, async (t) => {
    const { server, store } = await build(t, { idleTimeoutMs: 100 })
    const key = newKey()
    await store.write(key, chunks(LARGE))
    const fault = server.fail({ on: 'download', kind: 'stall', afterBytes: perTry, times: 1_000 })

    t.equal(await codeOf(store.read(key).then(bytesOf)), 'STORAGE_UNAVAILABLE')

    t.equal(fault.hits(), perTry === 0 ? 3 : 17, 'the first request and as many resumes as are allowed')
    await poll(() => server.activeRequests() === 0, { what: 'the stalled connections to close' })
  })
}

t.test('resumes a ranged read within its range', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))
  const fault = server.fail({ on: 'download', kind: 'cut', afterBytes: 70_000 })

  const part = await bytesOf(await store.read(key, { range: { start: 100_000, end: 499_999 } }))

  t.equal(fault.hits(), 1)
  t.ok(part.equals(LARGE.subarray(100_000, 500_000)))
})

t.test('rejects a read that is repeatedly cut before its first byte', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))
  const fault = server.fail({ on: 'download', kind: 'cut', afterBytes: 0, times: 100 })

  t.equal(await codeOf(store.read(key)), 'STORAGE_UNAVAILABLE')

  t.equal(fault.hits(), 3)
})

t.test('fails a cut read rather than continue with another object under its key', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))
  server.fail({ on: 'download', kind: 'stall', afterBytes: 100_000 })
  const patient = createGcsBlobStore({
    bucket: server.bucket,
    apiEndpoint: server.endpoint,
    ...QUICK,
    idleTimeoutMs: 30_000
  })
  const stream = await patient.read(key)
  await store.remove(key)
  await store.write(key, chunks(pattern(900_001)))
  const reading = codeOf(bytesOf(stream))

  server.cutActive()

  t.equal(await reading, 'BLOB_NOT_FOUND')
})

t.test('retries a read after 503, and gives up when the errors continue', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(SMALL))
  const fault = server.fail({ on: 'download', kind: 'status', status: 503, times: 5 })

  t.equal(await codeOf(store.read(key)), 'STORAGE_UNAVAILABLE')
  t.equal(await textOf(await store.read(key)), SMALL.toString())

  t.equal(fault.hits(), 5)
})

t.test('never returns all of an object whose bytes do not match its crc32c', async (t) => {
  const { server, store } = await build(t)
  const [small, large] = [newKey(), newKey()]
  await store.write(small, chunks(SMALL))
  await store.write(large, chunks(LARGE))
  server.objects.get(small)!.bytes[3]! ^= 1
  server.objects.get(large)!.bytes[3]! ^= 1
  let given = 0

  t.equal(await codeOf(store.read(small)), 'BLOB_CORRUPT')
  const reading = (async () => {
    for await (const chunk of await store.read(large)) given += (chunk as Buffer).length
  })()
  t.equal(await codeOf(reading), 'BLOB_CORRUPT')

  t.ok(given < LARGE.length)
})

t.test('fails a stalled read rather than continue with another object under its key', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))
  server.fail({ on: 'download', kind: 'stall', afterBytes: 100_000 })
  const stream = await store.read(key)
  await store.remove(key)
  await store.write(key, chunks(pattern(900_001)))

  t.equal(await codeOf(bytesOf(stream)), 'BLOB_NOT_FOUND')
})

t.test('does not resume a read whose object cannot be identified', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))
  const fault = server.fail({ on: 'download', kind: 'cut', afterBytes: 9, withoutGeneration: true, times: 2 })

  t.equal(await codeOf(store.read(key).then(bytesOf)), 'STORAGE_UNAVAILABLE')

  t.equal(fault.hits(), 1)
})

t.test('ends a stalled read at once when it is aborted', async (t) => {
  const { server, store } = await build(t, { idleTimeoutMs: 60_000 })
  const key = newKey()
  await store.write(key, chunks(LARGE))
  server.fail({ on: 'download', kind: 'stall', afterBytes: 100_000 })
  const controller = new AbortController()
  const stream = await store.read(key, { signal: controller.signal })
  const reading = codeOf(bytesOf(stream))

  controller.abort()

  t.equal(await reading, 'CANCELLED')
  await poll(() => server.activeRequests() === 0, { what: 'the stalled connection to close' })
})

t.test('ends at once when it is aborted while it waits to resume', async (t) => {
  const { server, store } = await build(t, { retry: { baseDelayMs: 60_000, maxDelayMs: 60_000 } })
  const key = newKey()
  await store.write(key, chunks(LARGE))
  const fault = server.fail({ on: 'download', kind: 'cut', afterBytes: 0 })
  const controller = new AbortController()
  const reading = codeOf(store.read(key, { signal: controller.signal }))
  await poll(() => fault.hits() === 1 && server.activeRequests() === 0, { what: 'the read to be cut' })

  controller.abort()

  t.equal(await reading, 'CANCELLED')
})

for (const [start, end] of [
  [0, 99],
  [100, 199],
  [300_001, 899_999],
  [899_990, 2_000_000]
] as const) {
  t.test(`returns only bytes ${start} to ${end} when the server ignores the range`, async (t) => {
    const { server, store } = await build(t)
    const key = newKey()
    await store.write(key, chunks(LARGE))
    const fault = server.fail({ on: 'download', kind: 'ignore-range' })

    const part = await bytesOf(await store.read(key, { range: { start, end } }))

    t.equal(fault.hits(), 1)
    t.ok(part.equals(LARGE.subarray(start, end + 1)))
    await poll(() => server.activeRequests() === 0, { what: 'the connection to close' })
  })
}

t.test('does not guess the offset of bytes that could be a whole object or a range', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))
  const fault = server.fail({ on: 'download', kind: 'bare-range', times: 5 })
  const range = { start: 1_000, end: 1_999 }

  t.equal(await codeOf(store.read(key, { range }).then(bytesOf)), 'STORAGE_UNAVAILABLE')
  t.ok((await bytesOf(await store.read(key, { range }))).equals(LARGE.subarray(1_000, 2_000)))

  t.equal(fault.hits(), 5)
})

t.test('refuses a range past the end even when the server ignores it and sends everything', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(SMALL))
  server.fail({ on: 'download', kind: 'ignore-range' })

  t.equal(await codeOf(store.read(key, { range: { start: SMALL.length, end: 100 } })), 'INVALID_FIELD')
})

t.test('finds its offset again when the server ignores the range of a resumed read', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))
  server.fail({ on: 'download', kind: 'cut', afterBytes: 100_000 })
  const fault = server.fail({ on: 'download', kind: 'ignore-range' })

  t.ok((await bytesOf(await store.read(key))).equals(LARGE))

  t.equal(fault.hits(), 1)
})

t.test('asks again when the server sends another range than requested', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))
  const fault = server.fail({ on: 'download', kind: 'shift-range', bytes: 7, times: 2 })

  const part = await bytesOf(await store.read(key, { range: { start: 1_000, end: 1_999 } }))

  t.equal(fault.hits(), 2)
  t.ok(part.equals(LARGE.subarray(1_000, 2_000)))
})

t.test('asks for the rest when the server sends only the first bytes of a range', async (t) => {
  const { server, store } = await build(t)
  const key = newKey()
  await store.write(key, chunks(LARGE))
  const fault = server.fail({ on: 'download', kind: 'shorten-range', bytes: 10 })

  const part = await bytesOf(await store.read(key, { range: { start: 1_000, end: 1_999 } }))

  t.equal(fault.hits(), 1)
  t.ok(part.equals(LARGE.subarray(1_000, 2_000)))
})
