import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { poll } from '@filewright/testing'
import { blobKeyOf, type BlobStore, type ReadOptions } from '../src/index.js'
import {
  bytesOf,
  chunks,
  codeOf,
  hangingSource,
  heldBytes,
  keysOf,
  newKey,
  pattern,
  textOf
} from './helpers.js'

/** What every driver guarantees. `createStore` returns an empty store and removes it with the test. */
export function blobStoreContract(t: Test, createStore: (t: Test) => Promise<BlobStore>): void {
  t.test('returns exactly the written bytes, with their size and a time', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    const bytes = pattern(3_000_000)

    const written = await store.write(
      key,
      Readable.from([bytes.subarray(0, 1_000_001), bytes.subarray(1_000_001)]),
      { sizeBytes: bytes.length }
    )
    const stat = await store.stat(key)
    const back = await bytesOf(await store.read(key))

    t.strictSame(written, { sizeBytes: 3_000_000 })
    t.equal(stat?.sizeBytes, 3_000_000)
    t.ok(Math.abs(Date.now() - (stat?.modifiedAt.getTime() ?? 0)) < 60_000)
    t.ok(back.equals(bytes))
  })

  t.test('stores an empty blob', async (t) => {
    const store = await createStore(t)
    const key = newKey()

    const written = await store.write(key, chunks())

    t.strictSame(written, { sizeBytes: 0 })
    t.equal((await store.stat(key))?.sizeBytes, 0)
    t.equal(await textOf(await store.read(key)), '')
    t.equal(await codeOf(store.read(key, { range: { start: 0, end: 0 } })), 'INVALID_FIELD')
  })

  t.test('stores blobs whose size is at, just below and just above a part boundary', async (t) => {
    const store = await createStore(t)
    const mebibyte = 1024 * 1024

    for (const sizeBytes of [mebibyte - 1, mebibyte, mebibyte + 1, 2 * mebibyte]) {
      const key = newKey()
      const bytes = pattern(sizeBytes)
      t.strictSame(await store.write(key, chunks(bytes)), { sizeBytes })
      t.ok((await bytesOf(await store.read(key))).equals(bytes), `${sizeBytes} bytes`)
    }
  })

  t.test('stores the original bytes when the caller overwrites each written chunk', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    const bytes = pattern(3_000_000)
    const given: Buffer[] = []
    for (let at = 0; at < bytes.length; at += 70_001) {
      given.push(Buffer.from(bytes.subarray(at, at + 70_001)))
    }
    const written: Uint8Array[] = []

    await store.write(key, chunks(...given), {
      onWritten: (chunk) => {
        written.push(chunk)
        chunk.fill(0)
      }
    })

    t.ok((await bytesOf(await store.read(key))).equals(bytes))
    t.equal(new Set(written).size, written.length, 'no chunk twice')
    t.ok(written.every((chunk) => given.includes(chunk as Buffer)))
  })

  t.test('reads exactly the requested range, both ends included', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    await store.write(key, chunks('0123456789'))
    const read = async (start: number, end: number): Promise<string> =>
      await textOf(await store.read(key, { range: { start, end } }))

    t.equal(await read(0, 0), '0')
    t.equal(await read(0, 9), '0123456789')
    t.equal(await read(3, 5), '345')
    t.equal(await read(9, 9), '9')
    t.equal(await read(8, 1_000), '89', 'an end past the last byte means the last byte')
  })

  t.test('refuses a range that starts past the end or is invalid', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    await store.write(key, chunks('0123456789'))

    for (const range of [
      { start: 10, end: 10 },
      { start: 5, end: 4 },
      { start: -1, end: 4 },
      { start: 0.5, end: 4 },
      { start: 0, end: Number.NaN }
    ]) {
      t.equal(await codeOf(store.read(key, { range })), 'INVALID_FIELD', JSON.stringify(range))
    }
  })

  t.test('reads a blob or a range of it in chunks, for several readers at once', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    const bytes = pattern(1_500_000)
    await store.write(key, chunks(bytes))
    const collect = async (options?: ReadOptions): Promise<Buffer> => {
      const reader = await store.open(key, options)
      const pieces: Buffer[] = []
      for (let piece = await reader.next(); piece !== null; piece = await reader.next()) {
        pieces.push(Buffer.from(piece))
      }
      await reader.close()
      return Buffer.concat(pieces)
    }

    const [whole, again, part] = await Promise.all([
      collect(),
      collect(),
      collect({ range: { start: 700_001, end: 1_200_000 } })
    ])

    t.ok(whole.equals(bytes) && again.equals(bytes))
    t.ok(part.equals(bytes.subarray(700_001, 1_200_001)))
    t.equal(await codeOf(store.open(newKey())), 'BLOB_NOT_FOUND')
    t.equal(await codeOf(store.open(key, { range: { start: 1_500_000, end: 1_500_001 } })), 'INVALID_FIELD')
    t.equal(await codeOf(store.open(key, { signal: AbortSignal.abort() })), 'CANCELLED')
  })

  t.test('reads a blob or a range of it into memory, and nothing beyond', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    const bytes = pattern(1_500_000)
    await store.write(key, chunks(bytes))
    const collect = async (sizeBytes: number, options?: ReadOptions): Promise<Buffer> => {
      const buffer = Buffer.alloc(sizeBytes + 10, 0x55)
      const length = await store.readInto(key, buffer, options)
      t.ok(
        buffer.subarray(length).every((byte) => byte === 0x55),
        'the rest of the buffer is as it was'
      )
      return buffer.subarray(0, length)
    }

    t.ok((await collect(bytes.length)).equals(bytes))
    t.ok((await collect(bytes.length, { range: { start: 0, end: bytes.length } })).equals(bytes))
    const part = await collect(600_000, { range: { start: 700_001, end: 1_200_000 } })
    t.ok(part.equals(bytes.subarray(700_001, 1_200_001)))
    await t.rejects(store.readInto(key, Buffer.alloc(1_000_000)), RangeError)
    const into = Buffer.alloc(10)
    t.equal(await codeOf(store.readInto(newKey(), into)), 'BLOB_NOT_FOUND')
    const behind = { start: 1_500_000, end: 1_500_001 }
    t.equal(await codeOf(store.readInto(key, into, { range: behind })), 'INVALID_FIELD')
    t.equal(await codeOf(store.readInto(key, into, { signal: AbortSignal.abort() })), 'CANCELLED')
  })

  t.test('reads a range in the middle of a large blob', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    const bytes = pattern(2_500_000)
    await store.write(key, chunks(bytes))

    const part = await bytesOf(await store.read(key, { range: { start: 700_001, end: 2_000_000 } }))

    t.ok(part.equals(bytes.subarray(700_001, 2_000_001)))
  })

  t.test('refuses a second write to a key, keeps the first bytes and destroys the source', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    await store.write(key, chunks('first'))
    const small = Readable.from([Buffer.from('second')])
    const large = Readable.from([pattern(1_500_000), pattern(1_500_000)])

    t.equal(await codeOf(store.write(key, small)), 'BLOB_EXISTS')
    t.equal(await codeOf(store.write(key, large)), 'BLOB_EXISTS')

    t.ok(small.destroyed)
    t.ok(large.destroyed)
    t.equal(await textOf(await store.read(key)), 'first')
  })

  t.test('lets exactly one of many concurrent writes to a key succeed', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    const sizes = [10, 20, 30, 1_100_000, 1_200_000, 1_300_000]

    const codes = await Promise.all(
      sizes.map(async (sizeBytes) => await codeOf(store.write(key, chunks(pattern(sizeBytes)))))
    )

    t.equal(codes.filter((code) => code === 'resolved').length, 1)
    t.equal(codes.filter((code) => code === 'BLOB_EXISTS').length, sizes.length - 1)
    const winner = sizes[codes.indexOf('resolved')]!
    t.ok((await bytesOf(await store.read(key))).equals(pattern(winner)))
  })

  for (const [when, first] of [
    ['before', 10],
    ['after', 2_500_000]
  ] as const) {
    t.test(
      `leaves nothing and throws the source's own error when the source fails ${when} a part was full`,
      async (t) => {
        const store = await createStore(t)
        const key = newKey()
        const failure = new Error('client went away')
        const source = Readable.from(
          (async function* () {
            yield pattern(first)
            throw failure
          })()
        )

        await t.rejects(store.write(key, source), failure)

        t.ok(source.destroyed)
        t.equal(await store.stat(key), null)
        t.strictSame(await keysOf(store), [])
        t.strictSame(await store.write(key, chunks('again')), { sizeBytes: 5 }, 'the key is free')
      }
    )

    t.test(
      `leaves nothing and destroys a source that hangs when aborted ${when} a part was full`,
      async (t) => {
        const store = await createStore(t)
        const key = newKey()
        const source = hangingSource(pattern(first))
        const controller = new AbortController()
        const writing = codeOf(store.write(key, source, { signal: controller.signal }))
        await poll(() => source.readableDidRead && source.readableLength === 0, {
          what: 'the first chunk to be taken'
        })

        controller.abort()

        t.equal(await writing, 'CANCELLED')
        t.ok(source.destroyed)
        t.equal(await store.stat(key), null)
        t.strictSame(await keysOf(store), [])
      }
    )
  }

  t.test('destroys the source without reading it when the signal is already aborted', async (t) => {
    const store = await createStore(t)
    const source = Readable.from([Buffer.from('x')])

    t.equal(await codeOf(store.write(newKey(), source, { signal: AbortSignal.abort() })), 'CANCELLED')

    t.ok(source.destroyed)
    t.strictSame(await keysOf(store), [])
  })

  t.test('survives a source that fails before it is read', async (t) => {
    const store = await createStore(t)
    const source = hangingSource()
    const writing = store.write(newKey(), source)
    source.destroy(new Error('too early'))

    await t.rejects(writing, { message: 'too early' })
  })

  t.test('ends an async iterable that is not a stream when the write fails', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    await store.write(key, chunks('taken'))
    let ended = false
    const source = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield pattern(1_200_000)
        yield pattern(1_200_000)
        yield pattern(1_200_000)
      } finally {
        ended = true
      }
    }

    t.equal(await codeOf(store.write(key, source())), 'BLOB_EXISTS')

    await poll(() => ended, { what: 'the generator to be ended' })
  })

  t.test('refuses a source that is shorter or longer than announced and leaves nothing', async (t) => {
    const store = await createStore(t)

    for (const sizeBytes of [4, 6]) {
      const source = Readable.from([Buffer.from('12345')])
      t.equal(await codeOf(store.write(newKey(), source, { sizeBytes })), 'INVALID_UPLOAD')
      t.ok(source.destroyed)
    }
    t.strictSame(await keysOf(store), [])
  })

  t.test('refuses a source of text', async (t) => {
    const store = await createStore(t)

    await t.rejects(store.write(newKey(), Readable.from(['text'])), TypeError)

    t.strictSame(await keysOf(store), [])
  })

  t.test('reports a missing blob', async (t) => {
    const store = await createStore(t)

    t.equal(await codeOf(store.read(newKey())), 'BLOB_NOT_FOUND')
    t.equal(await store.stat(newKey()), null)
    t.equal(await store.remove(newKey()), false)
    t.strictSame(await keysOf(store), [])
  })

  t.test('removes a blob once and reports it', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    await store.write(key, chunks('x'))

    t.equal(await store.remove(key), true)
    t.equal(await store.remove(key), false)

    t.equal(await codeOf(store.read(key)), 'BLOB_NOT_FOUND')
    t.strictSame(await store.write(key, chunks('new')), { sizeBytes: 3 }, 'a removed key is free again')
  })

  t.test('lists every blob once, with its size and a time', async (t) => {
    const store = await createStore(t)
    const keys = Array.from({ length: 25 }, newKey).sort()
    await Promise.all(keys.map(async (key, index) => await store.write(key, chunks(pattern(index)))))

    const listed: Array<{ key: string; sizeBytes: number; modifiedAt: Date }> = []
    for await (const entry of store.list()) listed.push(entry)

    t.strictSame(listed.map(({ key }) => key).sort(), keys)
    for (const { key, sizeBytes, modifiedAt } of listed) {
      t.equal(sizeBytes, keys.indexOf(key))
      t.ok(modifiedAt instanceof Date && !Number.isNaN(modifiedAt.getTime()))
    }
  })

  t.test('stops listing, reading, removing and checking when the signal is aborted', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    await store.write(key, chunks('x'))
    const signal = AbortSignal.abort()

    t.equal(await codeOf(store.read(key, { signal })), 'CANCELLED')
    t.equal(await codeOf(store.stat(key, { signal })), 'CANCELLED')
    t.equal(await codeOf(store.remove(key, { signal })), 'CANCELLED')
    t.equal(
      await codeOf(
        (async () => {
          for await (const entry of store.list({ signal })) t.comment(entry.key)
        })()
      ),
      'CANCELLED'
    )
    t.equal(await codeOf(store.probe(signal)), 'CANCELLED')
    t.strictSame(await keysOf(store), [key])
  })

  t.test('destroys a stream with CANCELLED when the signal is aborted during a read', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    await store.write(key, chunks(pattern(4_000_000)))
    const controller = new AbortController()
    const stream = await store.read(key, { signal: controller.signal })
    const reading = codeOf(
      (async () => {
        for await (const chunk of stream) if (chunk !== null) controller.abort()
      })()
    )

    t.equal(await reading, 'CANCELLED')
    t.ok(stream.destroyed)
  })

  t.test('lets a reader stop during a read without affecting others', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    const bytes = pattern(4_000_000)
    await store.write(key, chunks(bytes))
    const staying = await store.read(key)

    for (let reader = 0; reader < 20; reader++) {
      const leaving = await store.read(key)
      leaving.once('data', () => leaving.destroy())
      await once(leaving, 'close')
    }

    t.ok((await bytesOf(staying)).equals(bytes))
  })

  t.test('throws for every key that blobKeyOf did not create, and destroys the source', async (t) => {
    const store = await createStore(t)
    const good = newKey()
    const bad = [
      '',
      '/',
      '..',
      `../${good.slice(2)}`,
      `${good}/..`,
      `./${good.slice(2)}`,
      `/${good}`,
      good.slice(2),
      `${good} `,
      `${good}\n`,
      `${good}\0`,
      good.toUpperCase() + 'x',
      `é/${good.slice(2)}`,
      `${good[0] === 'a' ? 'b' : 'a'}${good.slice(1)}`,
      good.replace('/', '\\'),
      'tmp/x'
    ]

    for (const key of bad) {
      const source = Readable.from([Buffer.from('x')])
      t.equal(await codeOf(store.write(key, source)), 'INVALID_FIELD', `write ${JSON.stringify(key)}`)
      t.ok(source.destroyed)
      t.equal(await codeOf(store.read(key)), 'INVALID_FIELD', 'read')
      t.equal(await codeOf(store.stat(key)), 'INVALID_FIELD', 'stat')
      t.equal(await codeOf(store.remove(key)), 'INVALID_FIELD', 'remove')
    }
    t.throws(() => blobKeyOf('../../etc/passwd'), { code: 'INVALID_FIELD' })
    t.strictSame(await keysOf(store), [])
  })

  t.test('probes by writing and reading, and leaves nothing', async (t) => {
    const store = await createStore(t)

    await store.probe()

    t.strictSame(await keysOf(store), [])
  })

  t.test('streams 50 MiB in both directions with only a fraction of it in memory', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    const block = pattern(1024 * 1024)
    const hash = createHash('sha256')
    const held: number[] = []
    const source = async function* (): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 50; index++) {
        if (index % 16 === 15) held.push(await heldBytes())
        hash.update(block)
        // A copy: retained parts of one memory block would not show.
        yield Buffer.from(block)
      }
    }
    const heldBefore = await heldBytes()

    const { sizeBytes } = await store.write(key, source())
    const back = createHash('sha256')
    let readBytes = 0
    for await (const chunk of (await store.read(key)) as AsyncIterable<Buffer>) {
      back.update(chunk)
      readBytes += chunk.length
      if (readBytes > (held.length - 2) * 16 * block.length) held.push(await heldBytes())
    }

    t.equal(sizeBytes, 50 * block.length)
    t.equal(readBytes, sizeBytes)
    t.equal(back.digest('hex'), hash.digest('hex'))
    t.equal(held.length, 6)
    const most = Math.max(...held) - heldBefore
    t.ok(most < 12 * 1024 * 1024, `held ${most} bytes more than before`)
  })

  t.test('keeps the first of many concurrently written markers, until it is replaced', async (t) => {
    const store = await createStore(t)
    const texts = Array.from({ length: 8 }, (_, number) => `owner ${number}`)
    t.equal(await store.marker.read(), null)

    const created = await Promise.all(texts.map(async (text) => await store.marker.create(text)))

    t.equal(created.filter(Boolean).length, 1)
    t.equal(await store.marker.read(), texts[created.indexOf(true)])
    t.equal(await store.marker.create('late'), false)
    t.strictSame(await keysOf(store), [], 'no blob')
    await store.marker.replace('another owner')
    t.equal(await store.marker.read(), 'another owner')
  })

  t.test('stores blobs beside its marker, and a probe does not touch it', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    await store.marker.create('owner')

    await store.write(key, chunks('bytes'))
    await store.probe()
    await store.sweepTemporary({ olderThan: new Date(Date.now() + 60_000) })

    t.strictSame(await keysOf(store), [key])
    t.equal(await store.marker.read(), 'owner')
    t.equal(await codeOf(store.marker.read({ signal: AbortSignal.abort() })), 'CANCELLED')
  })

  t.test('returns the same secret to everyone when many request the first one at once', async (t) => {
    const store = await createStore(t)
    t.equal(await store.secret.read(), null)

    const made = await Promise.all(Array.from({ length: 8 }, async () => await store.secret.ensure()))

    const [first] = made
    t.equal(first?.length, 32)
    for (const secret of made) t.strictSame(secret, first)
    t.strictSame(await store.secret.ensure(), first)
    t.strictSame(await store.secret.read(), first)
    const other = await createStore(t)
    t.notSame(await other.secret.ensure(), first, 'another store has another')
  })

  t.test('keeps its secret beside marker and blobs, and neither lists nor sweeps it', async (t) => {
    const store = await createStore(t)
    const key = newKey()
    await store.marker.create('owner')
    const secret = await store.secret.ensure()

    await store.write(key, chunks('bytes'))
    await store.probe()
    await store.sweepTemporary({ olderThan: new Date(Date.now() + 60_000) })
    await store.marker.replace('another owner')

    t.strictSame(await keysOf(store), [key])
    t.strictSame(await store.secret.read(), secret)
    t.equal(await store.marker.read(), 'another owner')
    t.equal(await codeOf(store.secret.ensure({ signal: AbortSignal.abort() })), 'CANCELLED')
  })
}
