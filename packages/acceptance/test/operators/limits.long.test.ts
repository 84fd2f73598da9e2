import t from 'tap'
import { poll, startStack } from '@filewright/testing'
import { admin, createClient, uniqueText, type Client } from '../../src/index.js'

const LIMIT = 40
const stack = await startStack(t, {
  env: { RATE_LIMIT_PER_MINUTE: String(LIMIT), AI_RATE_LIMIT_PER_MINUTE: '3', MAX_UPLOADS_PER_TOKEN: '4' }
})

async function clientOf(name: string): Promise<Client> {
  const { token } = await admin(stack.dataDir, 'token', 'create', '--name', name, '--project', '*')
  return createClient(stack.baseUrl, token)
}
const [busy, frozen] = [await clientOf('busy'), await clientOf('frozen')]
const models = async (client: Client): Promise<number> => (await client.call('GET', '/api/ai/models')).status

t.test('exactly as many parallel requests as allowed are answered, the rest get 429', async (t) => {
  const client = createClient(stack.baseUrl, stack.token)

  const replies = await Promise.all(
    Array.from({ length: LIMIT + 25 }, async () => await client.call('GET', '/api/ai/models'))
  )

  t.equal(replies.filter(({ status }) => status === 200).length, LIMIT)
  const refused = replies.filter(({ status }) => status === 429)
  t.equal(refused.length, 25)
  t.strictSame(refused[0]?.body, { error: 'Too many requests, try again later' })
  t.ok(Number(refused[0]?.headers.get('retry-after')) > 0)
  t.equal(refused[0]?.headers.get('ratelimit-limit'), String(LIMIT))
})

t.test('the AI limit is lower', async (t) => {
  const ask = async (): Promise<number> =>
    (
      await busy.call('POST', '/api/ai/analyze', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: 'x', language: 'go' })
      })
    ).status

  const statuses = [await ask(), await ask(), await ask(), await ask()]

  t.strictSame(statuses, [200, 200, 200, 429])
  t.equal(await models(busy), 200)
})

t.test('a token has a limited number of concurrent uploads', async (t) => {
  const content = uniqueText(4_000_000)

  const statuses = (
    await Promise.all(
      Array.from({ length: 16 }, async (_, i) => await busy.upload({ content, name: `${i}.txt` }))
    )
  ).map(({ status }) => status)

  t.ok(statuses.includes(429), statuses.join())
  t.ok(statuses.filter((status) => status === 201).length >= 4, statuses.join())
  t.equal((await busy.upload({ content: uniqueText(100) })).status, 201, 'there is room again')
})

t.test('the limit holds while Redis is frozen, and requests that need no Redis are answered', async (t) => {
  const redis = stack.pid('redis')!
  process.kill(redis, 'SIGSTOP')
  t.teardown(() => {
    process.kill(redis, 'SIGCONT')
  })

  const statuses = await Promise.all(Array.from({ length: LIMIT + 5 }, async () => await models(frozen)))
  process.kill(redis, 'SIGCONT')

  t.strictSame(statuses.toSorted(), [...Array.from({ length: LIMIT }, () => 200), 429, 429, 429, 429, 429])
  await poll(async () => (await busy.upload({ content: uniqueText(100) })).status === 201, {
    what: 'uploads after the thaw',
    timeoutMs: 60_000
  })
})
