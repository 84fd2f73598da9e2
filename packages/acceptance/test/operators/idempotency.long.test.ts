import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { numbersFrom, poll, startStack, testSeed } from '@filewright/testing'
import { createClient, sha256, uniqueText, type Reply } from '../../src/index.js'

const stack = await startStack(t, { env: { IDEMPOTENCY_LEASE_MS: '1000' } })
const client = createClient(stack.baseUrl, stack.token)
/** The request that ran, and others with 409; 503 if a busy machine could not look up the key. */
const foreseen = (...statuses: number[]): boolean =>
  statuses.every((status) => [200, 201, 409, 503].includes(status))
const totalOf = async (project: string): Promise<number> =>
  (await client.call('GET', `/api/files?project_id=${project}`)).body.pagination.total

t.test('fifty parallel uploads with one Idempotency-Key store one file', async (t) => {
  const content = uniqueText(200_000)
  const headers = { 'idempotency-key': 'fifty' }

  const replies = await Promise.all(
    Array.from({ length: 50 }, async () => await client.upload({ content, project: 'fifty', headers }))
  )

  const created = replies.filter(({ status }) => status === 201)
  t.equal(new Set(created.map(({ body }) => body.file.id)).size, 1, 'one id')
  t.ok(foreseen(...replies.map(({ status }) => status)))
  t.equal(await totalOf('fifty'), 1)
  const again = await client.upload({ content, project: 'fifty', headers })
  t.strictSame(
    [again.status, again.headers.get('idempotent-replayed'), again.body],
    [201, 'true', created[0]?.body]
  )
})

t.test('fifty parallel generations with one Idempotency-Key are one generation', async (t) => {
  const ask = async (): Promise<Reply> =>
    await client.call('POST', '/api/ai/generate', {
      headers: { 'content-type': 'application/json', 'idempotency-key': 'fifty-generations' },
      body: JSON.stringify({ prompt: 'a queue', type: 'code' })
    })

  const replies = await Promise.all(Array.from({ length: 50 }, ask))

  t.ok(foreseen(...replies.map(({ status }) => status)))
  const ids = new Set(
    [...replies, await ask()].filter(({ status }) => status === 200).map(({ body }) => body.id)
  )
  t.equal(ids.size, 1)
})

t.test('the loss of Redis does not cause a second file', async (t) => {
  const content = uniqueText(1_000)
  const upload = async (): Promise<Reply> =>
    await client.upload({ content, project: 'flushed', headers: { 'idempotency-key': 'flushed' } })
  const first = await upload()
  const redis = new Redis(stack.info().redisUrl)
  t.teardown(() => redis.disconnect())
  await redis.flushall()

  const second = await upload()

  t.strictSame([second.status, second.body], [201, first.body])
  t.equal(await totalOf('flushed'), 1)
})

t.test('kill -9 of the gateway at any moment: the retry ends in exactly one file', async (t) => {
  const KILLS = 4
  const random = numbersFrom(testSeed(t))
  let hits = 0
  for (let i = 0; i < KILLS; i++) {
    const victim = stack.pid('gateway')!
    const content = uniqueText(3_000_000)
    const upload = async (): Promise<Reply> =>
      await client.upload({ content, project: `killed-${i}`, headers: { 'idempotency-key': `killed-${i}` } })
    const first = upload().catch(() => null)
    // The first at once, while its request certainly runs; the others at any point of it.
    await Promise.race([delay(i === 0 ? 0 : random() * 250), first])
    process.kill(victim, 'SIGKILL')
    const reply = await first
    if (reply === null) hits++

    let answer: Reply | null = null
    await poll(
      async () => {
        answer = await upload().catch(() => null)
        return answer?.status === 201
      },
      { what: 'the retry to be answered', timeoutMs: 60_000, intervalMs: 100 }
    )

    const { body } = answer! as Reply
    if (reply?.status === 201) t.strictSame(body, reply.body, 'the first answer stands')
    t.equal(await totalOf(`killed-${i}`), 1, 'one file')
    t.equal(sha256((await client.download(body.file.url, {})).bytes), sha256(content))
  }
  t.ok(hits > 0, `${hits} of ${KILLS} kills hit a request under way`)
})
