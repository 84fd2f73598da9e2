import { Redis } from 'ioredis'
import t from 'tap'
import { poll, startChaosProxy, startStack, type RunningStack } from '@filewright/testing'
import { createClient, sha256, uniqueText, type Client } from '../../src/index.js'

const totalOf = async (client: Client, project: string): Promise<number> =>
  (await client.call('GET', `/api/files?project_id=${project}`)).body.pagination.total

const stack: RunningStack = await startStack(t)
const client = createClient(stack.baseUrl, stack.token)

t.test('a scan worker killed in the middle of a 40 MB scan does not affect the client', async (t) => {
  const victim = stack.pid('scan-worker-1')!
  const redis = new Redis(stack.info().redisUrl)
  t.teardown(() => redis.disconnect())
  const content = uniqueText(40_000_000)

  const upload = client.upload({ content, name: 'large.txt', project: 'killed' })
  // From here on the worker has the job; clamd needs far longer than the kill.
  await poll(async () => (await redis.llen('fw:scan:active')) > 0, {
    what: 'a scan under way',
    timeoutMs: 30_000,
    intervalMs: 2
  })
  process.kill(victim, 'SIGKILL')

  const { status, body } = await upload
  t.equal(status, 201, JSON.stringify(body))
  t.not(stack.pid('scan-worker-1'), victim, 'the worker really was replaced')
  t.equal(sha256((await client.download(body.file.url, {})).bytes), sha256(content))
})

t.test('FLUSHALL under load loses no acknowledged file, and uploads continue', async (t) => {
  const redis = new Redis(stack.info().redisUrl)
  t.teardown(() => redis.disconnect())
  const acknowledged: Array<{ url: string; content: string }> = []
  const stop = new AbortController()
  const load = Array.from({ length: 8 }, async (_, lane) => {
    for (let i = 0; !stop.signal.aborted; i++) {
      const content = `${lane}-${i}-${uniqueText(2_000).toString()}`
      const { status, body } = await client.upload({ content, project: 'flushed' })
      if (status === 201) acknowledged.push({ url: body.file.url, content })
    }
  })

  for (let flush = 1; flush <= 5; flush++) {
    const before = acknowledged.length
    await poll(() => acknowledged.length >= before + 20, {
      what: 'uploads between two flushes',
      timeoutMs: 60_000
    })
    await redis.flushall()
  }
  stop.abort()
  await Promise.all(load)

  for (const { url, content } of acknowledged) {
    t.equal((await client.download(url, {})).bytes.toString(), content)
  }
  t.equal(await totalOf(client, 'flushed'), acknowledged.length, 'what was not acknowledged is not there')
  t.equal((await client.upload({ content: 'after the flush', project: 'flushed' })).status, 201)
})

t.test(
  'without clamd uploads are 503 and invisible; they work again when it is back, without a restart',
  async (t) => {
    const { clamd } = stack.info()
    const proxy = await startChaosProxy({ target: 'socket' in clamd ? { path: clamd.socket } : clamd })
    t.teardown(async () => await proxy.close())
    const second = await startStack(t, {
      env: { CLAMD_HOST: proxy.host, CLAMD_PORT: String(proxy.port), SCAN_DEADLINE_MS: '20000' }
    })
    const other = createClient(second.baseUrl, second.token)
    t.equal((await other.upload({ content: uniqueText(500) })).status, 201, 'all is well at first')

    proxy.refuse(true)
    proxy.reset()
    const down = await other.upload({ content: uniqueText(500), project: 'down' })
    t.match(down, { status: 503, body: { error: 'Security scan unavailable, try again later' } })
    t.ok(down.headers.get('retry-after'))
    t.equal(await totalOf(other, 'down'), 0)

    proxy.refuse(false)
    const back = await poll(
      async () => {
        const { status } = await other.upload({ content: uniqueText(500), project: 'back' })
        return status === 201
      },
      { what: 'uploads working again', timeoutMs: 60_000, intervalMs: 500 }
    )
    t.ok(back)

    proxy.freeze()
    const frozen = await other.upload({ content: uniqueText(500), project: 'frozen' })
    proxy.thaw()
    t.equal(frozen.status, 503, 'a clamd that says nothing is no verdict')
    t.equal(await totalOf(other, 'frozen'), 0)
  }
)
