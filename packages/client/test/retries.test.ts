import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import {
  ConnectionError,
  Filewright,
  NotFoundError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError
} from '../src/index.js'
import { hangUp, json, scripted, storedFile } from './server.js'

const stored = json(201, { file: storedFile })
const analysis = { analysis: [], score: 100, suggestions: [] }

t.test('a POST is retried after connection loss, 408, 409, 429 and 5xx, always with one key', async (t) => {
  const { client, seen } = await scripted(
    t,
    [
      hangUp,
      json(408, { error: 'late' }),
      json(409, { error: 'busy' }),
      json(429, { error: 'slow down' }),
      json(503, { error: 'down' }),
      json(200, analysis)
    ],
    { retries: 5 }
  )

  t.strictSame(await client.ai.analyze({ code: 'x', language: 'js' }), analysis)

  t.equal(seen.length, 6)
  const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']))
  t.equal(keys.size, 1)
  t.match([...keys][0], /^[0-9a-f-]{36}$/)
  t.strictSame(new Set(seen.map(({ body }) => body)), new Set(['{"code":"x","language":"js"}']))
})

t.test('every call has its own key, and a GET has none', async (t) => {
  const { client, seen } = await scripted(t, [
    json(200, analysis),
    json(200, analysis),
    json(200, { projects: [] })
  ])

  await client.ai.analyze({ code: 'x', language: 'js' })
  await client.ai.analyze({ code: 'x', language: 'js' })
  await client.projects()

  const [one, other, get] = seen.map(({ headers }) => headers['idempotency-key'])
  t.not(one, other)
  t.equal(get, undefined)
})

t.test('an upload from disk is resent completely, and its progress never decreases', async (t) => {
  const path = join(t.testdir({}), 'a.txt')
  await writeFile(path, 'hello'.repeat(100_000))
  const { client, seen } = await scripted(t, [json(503, { error: 'down' }), stored])
  const progress: number[] = []

  await client.files.upload(path, {
    projectId: 'p',
    folder: 'f',
    onProgress: ({ bytes }) => {
      progress.push(bytes)
    }
  })

  t.equal(seen.length, 2)
  for (const { body, headers } of seen) {
    t.ok(body.includes('hello'.repeat(100_000)))
    t.match(body, /name="project_id"\r\n\r\np\r\n/)
    t.equal(headers['content-length'], String(body.length), 'announced exactly')
  }
  t.strictSame(
    progress,
    progress.toSorted((a, b) => a - b)
  )
  t.equal(progress.at(-1), 500_000)
})

t.test('a stream is sent once, without a key, whatever the response', async (t) => {
  const { client, seen } = await scripted(t, [json(503, { error: 'down' }), stored])
  const stream = new Response('streamed').body!

  await t.rejects(client.files.upload(stream, { projectId: 'p', name: 's.txt' }), ServiceError)

  t.equal(seen.length, 1)
  t.equal(seen[0]?.headers['idempotency-key'], undefined)
})

t.test('Retry-After is respected, and one that is too long is an error at once', async (t) => {
  const { client } = await scripted(t, [
    json(429, { error: 'wait' }, { 'retry-after': '1' }),
    json(200, { projects: [] })
  ])
  const began = performance.now()
  await client.projects()
  t.ok(performance.now() - began >= 1_000)

  const { client: other, seen } = await scripted(t, [json(429, { error: 'wait' }, { 'retry-after': '3600' })])
  const error = await other.projects().catch((error: unknown) => error)
  t.ok(error instanceof TooManyRequestsError)
  t.match(error, { retryAfterMs: 3_600_000 })
  t.equal(seen.length, 1)
})

t.test('refusals are not retried', async (t) => {
  for (const status of [400, 401, 403, 404, 422]) {
    const { client, seen } = await scripted(t, [json(status, { error: 'no' })])
    await t.rejects(client.projects(), { status, message: 'no' })
    t.equal(seen.length, 1)
  }
})

t.test('a delete whose response was lost counts as done when the file is gone', async (t) => {
  const { client } = await scripted(t, [hangUp, json(404, { error: 'File not found' })])
  await t.resolves(client.files.delete('a'))

  const { client: other } = await scripted(t, [json(404, { error: 'File not found' })])
  await t.rejects(other.files.delete('a'), NotFoundError)
})

t.test('an unreachable service is a ConnectionError after the last attempt', async (t) => {
  const { client, seen } = await scripted(t, [hangUp], { retries: 2 })
  await t.rejects(client.projects(), ConnectionError)
  t.equal(seen.length, 3)
})

t.test('a service that never answered is given up early, one that did is retried longer', async (t) => {
  const { client, server, port } = await scripted(t, [json(200, { projects: [] })], {
    retries: 1_000,
    retryDelayMs: 20,
    connectWithinMs: 300
  })
  await client.projects()
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed

  const restarted = client.projects()
  const fresh = new Filewright({
    baseUrl: `http://127.0.0.1:${port}/`,
    token: 'secret',
    retries: 1_000,
    retryDelayMs: 20,
    connectWithinMs: 300
  })
  const began = performance.now()
  await t.rejects(fresh.projects(), {
    name: 'ConnectionError',
    code: 'unreachable',
    message: `Nothing listens at http://127.0.0.1:${port}`
  })
  t.ok(performance.now() - began >= 300)

  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  t.strictSame(await restarted, [], 'after more than the time for a first contact')
})

t.test('a connection that breaks before any response is not a wrong address', async (t) => {
  const { client, seen } = await scripted(t, [hangUp, hangUp, hangUp, json(200, { projects: [] })], {
    retries: 5,
    retryDelayMs: 50,
    connectWithinMs: 1
  })

  t.strictSame(await client.projects(), [])
  t.equal(seen.length, 4)
})

t.test('a missing response ends with a TimeoutError, an abort with its reason', async (t) => {
  const { client } = await scripted(t, [() => {}])
  await t.rejects(client.projects({ timeoutMs: 50, retries: 0 }), TimeoutError)

  const leaving = new AbortController()
  setTimeout(() => leaving.abort(new Error('enough')), 50)
  await t.rejects(client.projects({ signal: leaving.signal }), { message: 'enough' })
  await t.rejects(client.projects({ signal: AbortSignal.abort(new Error('before')) }), { message: 'before' })
})
