import t from 'tap'
import { createTestDatabase, poll, startChaosProxy, startStack } from '@filewright/testing'
import { createClient, uniqueText } from '../../src/index.js'

interface Report {
  status: string
  reason?: string
  checks: Record<string, { state: string; age_seconds: number | null; reason?: string }>
}

const stack = await startStack(t, { database: 'embedded' })
const client = createClient(stack.baseUrl, stack.token)

async function ready({ adminUrl } = stack): Promise<{ code: number; body: Report }> {
  // A probe never hangs, whatever its dependencies do.
  const response = await fetch(`${adminUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) })
  return { code: response.status, body: (await response.json()) as Report }
}

t.test('is ready as soon as the banner is printed, with one entry for each dependency', async (t) => {
  const { code, body } = await ready()

  t.equal(code, 200, JSON.stringify(body))
  t.equal(body.status, 'ok')
  t.strictSame(Object.keys(body.checks), [
    'postgresql',
    'redis',
    'storage',
    'scan-queue',
    'clamd',
    'inference-queue',
    'ollama',
    'delivery-queue',
    'delivery-worker'
  ])
  for (const [name, entry] of Object.entries(body.checks)) {
    t.match(entry, { state: 'ok', age_seconds: Number, reason: undefined }, name)
  }
  t.match(body.checks.clamd, {
    engine: /^ClamAV/,
    self_test_age_seconds: Number,
    signatures: 'baseline only'
  })
  t.equal((await fetch(`${stack.adminUrl}/health/startup`)).status, 200)
})

const parts: Array<[part: string, entry: string, whileDown: { code: number; status: string }]> = [
  ['clamd', 'clamd', { code: 503, status: 'unavailable' }],
  ['sandbox-model', 'ollama', { code: 200, status: 'degraded' }],
  ['redis', 'redis', { code: 503, status: 'unavailable' }],
  ['postgres', 'postgresql', { code: 503, status: 'unavailable' }]
]

for (const [part, entry, whileDown] of parts) {
  // Worse than down: connections stay open and nothing answers.
  t.test(
    `a frozen ${part} is reported within 15 s, and the service recovers within 30 s of its return`,
    async (t) => {
      const pid = stack.pid(part)
      if (pid === undefined) throw new Error(`${part} does not run`)
      const resume = (): void => {
        process.kill(-pid, 'SIGCONT')
      }
      t.teardown(() => {
        try {
          resume()
        } catch {}
      })

      const stoppedAt = Date.now()
      process.kill(-pid, 'SIGSTOP')
      await poll(async () => (await ready()).body.checks[entry]?.state === 'down', {
        what: `${entry} being named`,
        timeoutMs: 15_000,
        intervalMs: 100
      })
      const namedMs = Date.now() - stoppedAt
      const down = await ready()
      t.match(down, {
        code: whileDown.code,
        body: {
          status: whileDown.status,
          reason: new RegExp(`${entry}: .+`),
          checks: { [entry]: { reason: /.+/ } }
        }
      })
      if (entry === 'clamd' || entry === 'ollama') {
        t.equal(
          Object.values(down.body.checks).filter(({ state }) => state !== 'ok').length,
          1,
          'and nothing else is blamed'
        )
      }
      t.equal((await fetch(`${stack.adminUrl}/health/live`)).status, 200)

      const resumedAt = Date.now()
      resume()
      await poll(async () => (await ready()).body.status === 'ok', {
        what: 'all being well again',
        timeoutMs: 30_000,
        intervalMs: 100
      })
      t.comment(`${part}: named after ${namedMs} ms, well again after ${Date.now() - resumedAt} ms`)
      t.equal(stack.pid(part), pid, 'without a restart')
    }
  )
}

t.test(
  'dependencies that refuse connections are named within 15 s, and recover within 30 s of their return',
  async (t) => {
    const { redisUrl, clamd, ollamaUrl } = stack.info()
    // Its own, because it has its own store.
    const database = await createTestDatabase()
    t.teardown(database.stop)
    const proxyOf = async (target: { host: string; port: number } | { path: string }) => {
      const proxy = await startChaosProxy({ target })
      t.teardown(async () => await proxy.close())
      return proxy
    }
    const proxyTo = async (url: string) =>
      await proxyOf({ host: '127.0.0.1', port: Number(new URL(url).port) })
    const proxies = {
      clamd: await proxyOf('socket' in clamd ? { path: clamd.socket } : clamd),
      ollama: await proxyTo(ollamaUrl),
      redis: await proxyTo(redisUrl),
      postgresql: await proxyTo(database.url)
    }
    // A second service on the first one's dependencies.
    const second = await startStack(t, {
      env: {
        CLAMD_HOST: proxies.clamd.host,
        CLAMD_PORT: String(proxies.clamd.port),
        OLLAMA_HOST: `http://127.0.0.1:${proxies.ollama.port}`,
        REDIS_URL: Object.assign(new URL(redisUrl), { port: proxies.redis.port }).href,
        QUEUE_PREFIX: 'second',
        DATABASE_URL: Object.assign(new URL(database.url), { port: proxies.postgresql.port }).href
      }
    })

    for (const [, entry, whileDown] of parts) {
      const proxy = proxies[entry as keyof typeof proxies]
      proxy.refuse(true)
      proxy.reset()
      await poll(async () => (await ready(second)).body.checks[entry]?.state === 'down', {
        what: `${entry} being named`,
        timeoutMs: 15_000,
        intervalMs: 100
      })
      t.match(
        await ready(second),
        { code: whileDown.code, body: { status: whileDown.status, checks: { [entry]: { reason: /.+/ } } } },
        entry
      )

      proxy.refuse(false)
      await poll(async () => (await ready(second)).body.status === 'ok', {
        what: `all being well after ${entry}`,
        timeoutMs: 30_000,
        intervalMs: 100
      })
    }
  }
)

t.test('after all of that uploads work', async (t) => {
  t.equal((await client.upload({ content: uniqueText(500) })).status, 201)
})
