import t from 'tap'
import type { InferenceOutcome } from '@filewright/queue'
import { AppError, hashToken } from '@filewright/runtime'
import { poll, type MultipartPart } from '@filewright/testing'
import { clean, startTestGateway, type InjectResponse } from '../../helpers/test-gateway.js'

const form = (content = 'hello\n', name = 'notes.txt'): MultipartPart[] => [
  { name: 'project_id', value: 'acme' },
  { name: 'folder', value: 'a' },
  { name: 'file', filename: name, content }
]
const reused = { error: 'This Idempotency-Key was used for a different request' }
const running = { error: 'A request with this Idempotency-Key is still running, try again later' }
let number = 0
const newKey = (): { 'idempotency-key': string } => ({ 'idempotency-key': `key-${++number}` })

t.test('an upload with an Idempotency-Key', async (t) => {
  const gateway = await startTestGateway(t)
  const token = await gateway.token('*')
  const upload = async (parts: MultipartPart[], headers: Record<string, string>): Promise<InjectResponse> =>
    await gateway.upload(parts, token, headers)

  t.test('that is repeated gets the same response, and nothing is stored or scanned again', async (t) => {
    const key = newKey()
    const first = await upload(form(), key)
    const [scans, blobs] = [gateway.scanned.length, (await gateway.filesOnDisk()).length]

    // The order of fields and slashes around the folder do not make it a different request.
    const second = await upload(
      [
        ...form()
          .toReversed()
          .map((part) => (part.name === 'folder' ? { name: 'folder', value: '/a/' } : part))
      ],
      key
    )

    t.equal(first.statusCode, 201)
    t.notOk(first.headers['idempotent-replayed'])
    t.equal(second.statusCode, 201)
    t.strictSame(second.json(), first.json())
    t.equal(second.headers['idempotent-replayed'], 'true')
    t.equal(gateway.scanned.length, scans)
    t.equal((await gateway.filesOnDisk()).length, blobs)
  })

  t.test('that is repeated with other bytes, name, fields or endpoint is 422', async (t) => {
    const key = newKey()
    await upload(form(), key)

    for (const parts of [
      form('other\n'),
      form('hello\n', 'other.txt'),
      form().toSpliced(1, 1),
      form().toSpliced(0, 1, { name: 'project_id', value: 'other' })
    ]) {
      const response = await upload(parts, key)
      t.equal(response.statusCode, 422)
      t.strictSame(response.json(), reused)
    }
    const elsewhere = await gateway.app.inject({
      method: 'POST',
      url: '/api/ai/generate',
      headers: { authorization: `Bearer ${token}`, ...key },
      payload: { prompt: 'p', type: 'code' }
    })
    t.equal(elsewhere.statusCode, 422)
  })

  t.test('that is still running is 409 with Retry-After, before the body is read', async (t) => {
    const key = newKey()
    let release = (): void => {}
    const scanning = new Promise<void>((resolve) =>
      gateway.onScan(async () => {
        resolve()
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return clean
      })
    )
    const first = upload(form(), key)
    await scanning

    const second = await gateway.app.inject({
      method: 'POST',
      url: '/api/files/upload',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain', ...key },
      payload: 'no form at all'
    })
    release()

    t.equal(second.statusCode, 409)
    t.strictSame(second.json(), running)
    t.ok(second.headers['retry-after'])
    t.equal((await first).statusCode, 201)
    gateway.onScan(async () => clean)
    t.strictSame((await upload(form(), key)).json(), (await first).json())
  })

  t.test('sent fifty times concurrently creates one file', async (t) => {
    const key = newKey()
    const parts = form('fifty\n').toSpliced(0, 1, { name: 'project_id', value: 'fifty' })

    const answers = await Promise.all(Array.from({ length: 50 }, async () => await upload(parts, key)))

    const created = answers.filter(({ statusCode }) => statusCode === 201)
    t.ok(created.length >= 1)
    t.equal(new Set(created.map(({ body }) => body)).size, 1, 'one answer')
    t.strictSame(
      [...new Set(answers.map(({ statusCode }) => statusCode))].filter(
        (status) => status !== 201 && status !== 409
      ),
      []
    )
    t.equal((await gateway.get('/api/files?project_id=fifty')).json().pagination.total, 1)
  })

  t.test('sent to two gateways concurrently creates one file', async (t) => {
    const other = await startTestGateway(t)
    const parts = form('two\n').toSpliced(0, 1, { name: 'project_id', value: 'two' })

    for (let i = 0; i < 10; i++) {
      const key = newKey()
      const answers = await Promise.all([upload(parts, key), other.upload(parts, token, key)])
      t.equal(new Set(answers.filter(({ statusCode }) => statusCode === 201).map(({ body }) => body)).size, 1)
    }

    t.equal((await gateway.get('/api/files?project_id=two')).json().pagination.total, 10)
  })

  t.test('that failed releases the key: a retry can succeed', async (t) => {
    const key = newKey()
    gateway.onScan(async () => {
      throw new AppError('QUEUE_UNAVAILABLE', 'down')
    })
    t.equal((await upload(form(), key)).statusCode, 503)
    t.equal(
      (await upload([{ name: 'folder', value: '..' }], key)).statusCode,
      400,
      'before anything was stored'
    )
    gateway.onScan(async () => clean)

    const retry = await upload(form(), key)

    t.equal(retry.statusCode, 201)
    t.notOk(retry.headers['idempotent-replayed'])
  })

  t.test('whose file was deleted meanwhile still gets the same response, and no second file', async (t) => {
    const key = newKey()
    const first = await upload(form(), key)
    const { id } = first.json().file
    await gateway.app.inject({
      method: 'DELETE',
      url: `/api/files/${id}`,
      headers: { authorization: `Bearer ${token}` }
    })

    const again = await upload(form(), key)

    t.strictSame([again.statusCode, again.json()], [201, first.json()])
    t.equal((await gateway.get(`/api/files/${id}`)).statusCode, 404)
  })

  t.test('is independent of the same key of another token', async (t) => {
    const key = newKey()

    const [mine, theirs] = [
      await upload(form(), key),
      await gateway.upload(form(), await gateway.token('*'), key)
    ]

    t.not(mine.json().file.id, theirs.json().file.id)
  })

  t.test('is refused when the key is empty, too long, not visible ASCII, or given twice', async (t) => {
    for (const bad of ['', 'x'.repeat(256), 'a b', 'é', 'a, b']) {
      const response = await upload(form(), { 'idempotency-key': bad })
      t.equal(response.statusCode, 400, bad)
      t.strictSame(response.json(), { error: 'Idempotency-Key must be 1 to 255 visible ASCII characters' })
    }
    t.equal((await upload(form(), { 'idempotency-key': `${'x'.repeat(250)}-${++number}` })).statusCode, 201)
  })
})

t.test('after a crash', async (t) => {
  const gateway = await startTestGateway(t, { leaseMs: 150 })
  const token = await gateway.token('*')
  const { tokenId } = await ownerOf(token)

  async function ownerOf(secret: string): Promise<{ tokenId: string }> {
    return { tokenId: (await gateway.database.tokens.findByHash(hashToken(secret)))?.id ?? '' }
  }
  const left = async (key: string, attemptId: string): Promise<boolean> =>
    await gateway.database.idempotency.claim({
      tokenId,
      key,
      attemptId,
      route: 'POST /api/files/upload',
      fingerprint: null,
      now: new Date(),
      leaseExpiresAt: new Date(Date.now() + 150),
      expiresAt: new Date(Date.now() + 60_000)
    })

  t.test('a retry takes over the key once its lease has expired', async (t) => {
    await left('crashed', 'gone')

    const statuses = new Set<number>()
    await poll(
      async () => {
        const { statusCode } = await gateway.upload(form(), token, { 'idempotency-key': 'crashed' })
        statuses.add(statusCode)
        return statusCode === 201
      },
      { what: 'the retry to take over', timeoutMs: 30_000 }
    )

    t.strictSame(
      [...statuses].filter((status) => status !== 409),
      [201]
    )
  })

  t.test('a running request keeps its key, however long it takes', async (t) => {
    let renewals = 0
    const { renew } = gateway.database.idempotency
    gateway.database.idempotency.renew = async (...args) => {
      renewals++
      return await renew(...args)
    }
    let release = (): void => {}
    gateway.onScan(async () => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return clean
    })
    const first = gateway.upload(form(), token, { 'idempotency-key': 'long' })
    await poll(async () => renewals >= 6, { what: 'two leases worth of renewals', timeoutMs: 30_000 })

    t.equal((await gateway.upload(form(), token, { 'idempotency-key': 'long' })).statusCode, 409)
    release()
    t.equal((await first).statusCode, 201)
    gateway.onScan(async () => clean)
  })

  t.test('an attempt that lost its key publishes nothing', async (t) => {
    let taken = false
    gateway.onScan(async () => {
      // Simulates a gateway that was suspended for longer than the lease.
      if (!taken) {
        await poll(async () => await left('lost', 'thief'), { what: 'the lease to pass', timeoutMs: 30_000 })
        taken = true
      }
      return clean
    })
    const { renew } = gateway.database.idempotency
    gateway.database.idempotency.renew = async () => false
    const response = await gateway.upload(
      form().toSpliced(0, 1, { name: 'project_id', value: 'lost' }),
      token,
      { 'idempotency-key': 'lost' }
    )
    gateway.database.idempotency.renew = renew

    t.equal(response.statusCode, 503)
    t.equal((await gateway.get('/api/files?project_id=lost')).json().pagination.total, 0)
  })
})

t.test('a database that loses its last reply', async (t) => {
  let lose = false
  const gateway = await startTestGateway(t, {
    wrapFiles: (files) => ({
      ...files,
      publish: async (...args) => {
        const outcome = await files.publish(...args)
        if (lose) throw new AppError('DATABASE_UNAVAILABLE', 'connection reset after commit')
        return outcome
      }
    })
  })

  const parts = form().toSpliced(0, 1, { name: 'project_id', value: 'ambiguous' })

  t.test('gives the client a 503 and leaves no file; the retry stores the one file', async (t) => {
    lose = true
    t.equal((await gateway.upload(parts, undefined, { 'idempotency-key': 'ambiguous' })).statusCode, 503)
    t.equal((await gateway.get('/api/files?project_id=ambiguous')).json().pagination.total, 0)
    lose = false

    t.equal((await gateway.upload(parts, undefined, { 'idempotency-key': 'ambiguous' })).statusCode, 201)
    t.equal((await gateway.get('/api/files?project_id=ambiguous')).json().pagination.total, 1)
  })
})

t.test('an AI request with an Idempotency-Key', async (t) => {
  const gateway = await startTestGateway(t)
  const authorization = `Bearer ${await gateway.token('none')}`
  const generated: InferenceOutcome = {
    kind: 'generate',
    content: 'a\u0000b',
    finish: 'length',
    engine: 'model',
    modelUsed: 'm',
    tokensUsed: 3
  }
  const outcomes: Record<string, InferenceOutcome> = {
    generate: generated,
    analyze: {
      kind: 'analyze',
      engine: 'static',
      tokensUsed: 0,
      body: { analysis: [], score: 100, suggestions: [] }
    },
    optimize: {
      kind: 'optimize',
      engine: 'model+static',
      tokensUsed: 1,
      body: { optimized_code: 'c', changes: [], improvements: [] }
    }
  }
  const bodies: Record<string, object> = {
    generate: { prompt: 'p', type: 'code' },
    analyze: { code: 'c', language: 'go' },
    optimize: { code: 'c', language: 'go' }
  }
  let runs = 0
  const succeed = (): void =>
    gateway.onInference(async ({ kind }) => {
      runs++
      return outcomes[kind]!
    })
  const post = async (
    path: string,
    payload: object,
    headers: Record<string, string>
  ): Promise<InjectResponse> =>
    await gateway.app.inject({
      method: 'POST',
      url: `/api/ai/${path}`,
      headers: { authorization, ...headers },
      payload
    })

  t.test(
    'that is repeated gets the same response with its headers, and no model is called again',
    async (t) => {
      succeed()
      for (const [path, body] of Object.entries(bodies)) {
        const key = newKey()
        const first = await post(path, body, key)
        const before = runs
        const second = await post(path, Object.fromEntries(Object.entries(body).toReversed()), key)

        t.equal(first.statusCode, 200, path)
        t.strictSame(second.json(), first.json())
        t.equal(second.headers['x-engine'], first.headers['x-engine'])
        t.equal(second.headers['x-finish-reason'], first.headers['x-finish-reason'])
        t.equal(second.headers['idempotent-replayed'], 'true')
        t.equal(runs, before)
      }
    }
  )

  t.test('with different content is 422, even while the first still runs', async (t) => {
    const key = newKey()
    let release = (): void => {}
    const started = new Promise<void>((resolve) =>
      gateway.onInference(async () => {
        resolve()
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return generated
      })
    )
    const first = post('generate', { prompt: 'p', type: 'code' }, key)
    await started

    t.equal((await post('generate', { prompt: 'other', type: 'code' }, key)).statusCode, 422)
    const same = await post('generate', { prompt: 'p', type: 'code' }, key)
    t.strictSame([same.statusCode, same.json()], [409, running])
    release()
    t.equal((await first).statusCode, 200)
  })

  t.test('that failed or was invalid releases the key', async (t) => {
    const key = newKey()
    gateway.onInference(async () => {
      throw new AppError('MODEL_UNAVAILABLE', 'down')
    })
    t.equal((await post('generate', { prompt: 'p', type: 'nonsense' }, key)).statusCode, 400)
    t.equal((await post('generate', { prompt: 'p', type: 'code' }, key)).statusCode, 503)
    succeed()

    t.equal((await post('generate', { prompt: 'p', type: 'code' }, key)).statusCode, 200)
  })

  t.test('whose response cannot be stored is not answered', async (t) => {
    succeed()
    const { complete } = gateway.database.idempotency
    gateway.database.idempotency.complete = async () => {
      throw new AppError('DATABASE_UNAVAILABLE', 'down')
    }
    const response = await post('generate', { prompt: 'p', type: 'code' }, newKey())
    gateway.database.idempotency.complete = complete

    t.equal(response.statusCode, 503)
  })

  t.test(
    'that was streamed is replayed as its result event only, or as plain JSON if accepted',
    async (t) => {
      gateway.onInference(async (_payload, { onProgress }) => {
        onProgress?.({ text: 'a', at: 0, tokensUsed: 1 })
        return generated
      })
      const key = newKey()
      const body = { prompt: 'p', type: 'code' }
      const live = await post('generate', body, { ...key, accept: 'text/event-stream' })
      const again = await post('generate', body, { ...key, accept: 'text/event-stream' })
      const plain = await post('generate', body, key)

      t.match(live.body, /^event: token\n.*\n\nevent: result\n/)
      t.match(again.body, /^event: result\n/)
      t.equal(again.headers['idempotent-replayed'], 'true')
      t.equal(live.body.slice(live.body.indexOf('event: result')), again.body)
      t.strictSame(JSON.parse(/^data: (.*)$/m.exec(again.body)![1]!), plain.json())
    }
  )

  t.test('with an invalid key is 400 with its own message', async (t) => {
    const response = await post('generate', bodies['generate']!, { 'idempotency-key': 'a b' })

    t.strictSame(
      [response.statusCode, response.json()],
      [400, { error: 'Idempotency-Key must be 1 to 255 visible ASCII characters' }]
    )
  })
})
