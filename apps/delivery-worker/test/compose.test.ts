import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createQueueClient, delivery } from '@filewright/queue'
import { createId, createLogger, loadConfig } from '@filewright/runtime'
import { poll, startRedisServer } from '@filewright/testing'
import { createSecret, createSecretBox } from '@filewright/webhooks'
import { Webhook } from 'standardwebhooks'
import { startDeliveryWorker } from '../src/compose.js'
import { DeliveryWorkerConfig } from '../src/config.js'

const KEY = 'the key of this test'
const PREFIX = 'delivery-test'
const logger = createLogger({ name: 'test', level: 'silent' })

t.setTimeout(300_000)

t.test('the worker signs and sends a job, and returns the response of the endpoint', async (t) => {
  const redis = await startRedisServer()
  t.teardown(redis.stop)
  const received: Array<{ body: string; headers: Record<string, string> }> = []
  const endpoint = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      received.push({ body, headers: request.headers as Record<string, string> })
      response.writeHead(503).end('later')
    })
  }).listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  t.teardown(() => endpoint.close())
  const configOf = (settings: Record<string, string>): DeliveryWorkerConfig =>
    loadConfig(DeliveryWorkerConfig, {
      REDIS_URL: redis.url,
      QUEUE_PREFIX: PREFIX,
      WEBHOOK_ALLOW_HTTP: 'true',
      ...settings
    })
  const queue = createQueueClient({ redisUrl: redis.url, prefix: PREFIX, logger, definitions: [delivery] })
  t.teardown(queue.close)
  const secret = createSecret()
  const { port } = endpoint.address() as AddressInfo
  const send = async (secrets = [createSecretBox(KEY).seal(secret, 'e1')]) =>
    await queue.request(
      delivery,
      {
        v: 1,
        deliveryId: '7',
        claim: createId(),
        endpointId: 'e1',
        url: `http://127.0.0.1:${port}/hook`,
        eventId: 'evt_1_2',
        body: '{"type":"file.created"}',
        secrets
      },
      { deadlineMs: 120_000 }
    )
  const start = async (settings: Record<string, string>): Promise<() => Promise<void>> => {
    const steps = await startDeliveryWorker(configOf(settings), logger)
    return async () => {
      for (const { run } of steps) await run()
    }
  }

  const stopKeyless = await start({})
  await poll(async () => (await queue.workers(delivery)).length === 1, { timeoutMs: 60_000 })
  t.match(await queue.workers(delivery), [{ ok: false, reason: 'WEBHOOK_KEY is not set' }])
  t.equal(await queue.hasWorker(delivery), false, 'without a key it takes no jobs')
  await stopKeyless()

  const stop = await start({ WEBHOOK_KEY: KEY, WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' })
  t.match(await send(), { status: 503, error: null, response: 'later' })
  const [request] = received
  t.equal(request?.headers['webhook-id'], 'evt_1_2')
  t.strictSame(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {}), {
    type: 'file.created'
  })
  await t.rejects(send([createSecretBox('a key that is not ours').seal(secret, 'e1')]), {
    code: 'WEBHOOK_KEY_MISMATCH'
  })
  await stop()

  const stopStrict = await start({ WEBHOOK_KEY: KEY })
  t.match(await send(), { status: null, error: 'the URL must lead to a public address' })
  t.equal(received.length, 1, 'the worker decides again, whatever the gateway accepted')
  await stopStrict()
})
