import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { parseOptions, type StackOptions } from '../../src/options.js'
import {
  gatewaySpec,
  inferenceWorkerSpecs,
  probeUrlsOf,
  scanWorkerSpecs,
  storeSettings
} from '../../src/services/apps.js'
import { dataPaths } from '../../src/paths.js'

function contextOf(settings: Record<string, string> = {}, argv: string[] = []) {
  const options = parseOptions(argv, settings, '/srv') as StackOptions
  let port = 12_000
  return {
    options,
    paths: dataPaths(options.dataDir),
    env: {
      PATH: '/bin',
      DATABASE_URL: 'postgresql://outer',
      PGPASSWORD: 'secret',
      ACCESS_TOKEN: 'secret',
      ADMIN_PASSWORD: 'outer-secret',
      RECEIPT_KEY: 'outer-seed',
      SCAN_CONCURRENCY: '8',
      MODEL_GAMMA: 'tiny',
      OLLAMA_HOST: 'outer'
    },
    databaseUrl: 'postgresql://inner',
    redisUrl: 'redis://inner',
    clamd: { socket: '/tmp/c.sock' },
    ollamaUrl: 'http://ollama',
    adminPassword: 'inner-secret',
    webhookKey: 'a key for webhooks',
    receiptKey: 'seed',
    pickPort: async () => port++
  }
}

t.test('the gateway gets every address and never the access token', async (t) => {
  const { env } = gatewaySpec(contextOf({ PORT: '4000', CDN_URL: 'https://cdn.example.com' }))

  t.match(env, {
    PORT: '4000',
    ADMIN_PORT: '3001',
    BASE_URL: 'http://localhost:4000',
    CDN_URL: 'https://cdn.example.com',
    DATABASE_URL: 'postgresql://inner',
    REDIS_URL: 'redis://inner',
    BLOB_DIR: '/srv/.data/blobs',
    ADMIN_PASSWORD: 'inner-secret',
    RECEIPT_KEY: 'seed'
  })
  t.notHas(env, { ACCESS_TOKEN: String })
})

t.test('workers get no database access, and other settings pass through', async (t) => {
  const [scan] = await scanWorkerSpecs(contextOf())
  const [inference] = await inferenceWorkerSpecs(contextOf(), { OLLAMA_PULL: 'true' })

  t.match(scan?.env, {
    REDIS_URL: 'redis://inner',
    CLAMD_SOCKET: '/tmp/c.sock',
    SCAN_CONCURRENCY: '8',
    PROBE_PORT: '12000'
  })
  t.match(inference?.env, {
    REDIS_URL: 'redis://inner',
    QUEUE_PREFIX: 'fw',
    OLLAMA_HOST: 'http://ollama',
    OLLAMA_PULL: 'true',
    MODEL_GAMMA: 'tiny',
    PROBE_PORT: '12000'
  })
  for (const env of [scan?.env, inference?.env]) {
    for (const key of ['DATABASE_URL', 'PGPASSWORD', 'ACCESS_TOKEN', 'ADMIN_PASSWORD', 'RECEIPT_KEY']) {
      t.notOk(key in (env ?? {}), key)
    }
  }
  for (const key of ['BLOB_DIR', 'CLAMD_SOCKET']) {
    t.notOk(key in (inference?.env ?? {}), `${key} is not for the inference worker`)
  }
})

t.test('several workers have their own names and ports', async (t) => {
  const context = contextOf({}, ['--scan-workers', '2', '--inference-workers', '2'])
  const workers = [...(await scanWorkerSpecs(context)), ...(await inferenceWorkerSpecs(context))]

  t.strictSame(
    workers.map(({ name, env }) => [name, env.PROBE_PORT]),
    [
      ['scan-worker-1', '12000'],
      ['scan-worker-2', '12001'],
      ['inference-worker-1', '12002'],
      ['inference-worker-2', '12003']
    ]
  )
  t.match(probeUrlsOf(workers), {
    'scan-worker-2': 'http://127.0.0.1:12001',
    'inference-worker-2': 'http://127.0.0.1:12003'
  })
})

t.test('a bucket replaces the local folder for the gateway and the scan worker', async (t) => {
  const context = contextOf({ GCS_BUCKET: 'files' })
  const [worker] = await scanWorkerSpecs(context)

  for (const env of [gatewaySpec(context).env, worker?.env]) {
    t.equal(env?.GCS_BUCKET, 'files')
    t.equal(env?.BLOB_DIR, undefined)
  }
})

t.test('the endpoint of a bucket is passed to the gateway and the scan worker', async (t) => {
  const settings = { GCS_BUCKET: 'files', GCS_API_ENDPOINT: 'http://localhost:9000', GCS_ANONYMOUS: 'true' }
  const context = contextOf(settings)
  const [worker] = await scanWorkerSpecs(context)

  for (const env of [gatewaySpec(context).env, worker?.env]) {
    t.match(env, settings)
  }
})

t.test(
  'the keys of a bucket are passed to the gateway and the scan worker, not to code under analysis',
  async (t) => {
    const settings = {
      S3_BUCKET: 'files',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret'
    }
    const context = { ...contextOf(settings), env: settings }
    const [scanner] = await scanWorkerSpecs(context)
    const [inference] = await inferenceWorkerSpecs(context)

    for (const env of [gatewaySpec(context).env, scanner?.env]) {
      t.match(env, { ...settings, BLOB_DIR: undefined })
    }
    t.notMatch(Object.keys(inference?.env ?? {}).join(), /S3_/)
  }
)

t.test('the gateway is ready when its probe says so, and shows the reason while it is not', async (t) => {
  let answer = { status: 503, body: '{"status":"unavailable","reason":"Redis is down"}' }
  const server = createServer((_request, response) => {
    response.writeHead(answer.status).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { ready } = gatewaySpec(contextOf({ ADMIN_PORT: String((server.address() as AddressInfo).port) }))
  const { signal } = new AbortController()

  t.equal(await ready(signal), 'Redis is down')
  answer = { status: 500, body: 'oops' }
  t.match(await ready(signal), /answers 500$/)
  answer = { status: 200, body: '{}' }
  t.equal(await ready(signal), null)
})

t.test('a gateway that does not listen is not ready', async (t) => {
  const { ready } = gatewaySpec(contextOf({ ADMIN_PORT: '1' }))

  t.match(await ready(new AbortController().signal), /does not answer$/)
})

t.test('the recorded store settings equal those of the apps, including the server of a bucket', async (t) => {
  const given = { GCS_BUCKET: 'acme', GCS_API_ENDPOINT: 'https://storage.internal', GCS_ANONYMOUS: 'true' }

  t.strictSame(storeSettings(contextOf()), { BLOB_DIR: '/srv/.data/blobs' })
  t.strictSame(storeSettings(contextOf(given)), given)
  t.strictSame(storeSettings(contextOf({ BLOB_DIR: '/mnt/files' })), { BLOB_DIR: '/mnt/files' })
})
