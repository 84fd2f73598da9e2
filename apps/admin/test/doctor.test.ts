import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { migrate } from '@filewright/db'
import {
  createTestDatabase,
  startClamdPeer,
  freePort,
  startGcsServer,
  startOllamaServer,
  startRedisServer
} from '@filewright/testing'
import type { CheckResult } from '../src/doctor/check.js'
import { doctor } from '../src/doctor/doctor.js'

t.setTimeout(600_000)

const [postgres, redis, ollama, blobDir] = await Promise.all([
  createTestDatabase(),
  startRedisServer(),
  startOllamaServer({ models: ['qwen2.5-coder:1.5b'] }),
  mkdtemp(join(tmpdir(), 'fw-doctor-'))
])
t.teardown(async () => {
  await Promise.all([
    postgres.stop(),
    redis.stop(),
    ollama.close(),
    rm(blobDir, { recursive: true, force: true })
  ])
})

/** Implements enough of clamd's protocol for a check, and reports everything as clean. */
async function startBlindClamd(): Promise<{ port: number; close: () => void }> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (data.includes('VERSION')) socket.end('ClamAV 1.4.6/27500/Thu Nov 12 09:00:00 2026\n')
      else if (data.subarray(-4).equals(Buffer.alloc(4))) socket.end('stream: OK\0')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
    }
  }
}

const settings = {
  DATABASE_URL: postgres.url,
  REDIS_URL: redis.url,
  BLOB_DIR: blobDir,
  OLLAMA_HOST: ollama.url,
  MODEL_ALPHA_4O: 'qwen2.5-coder:1.5b',
  MODEL_BETA_3: 'qwen2.5-coder:1.5b',
  MODEL_GAMMA: 'qwen2.5-coder:1.5b'
}

async function diagnose(changed: Record<string, string | undefined> = {}, flags = {}) {
  const { json, text, failed } = await doctor(
    { env: { ...settings, ...changed } } as never,
    undefined,
    flags as never
  )
  const { checks } = json as { checks: Array<CheckResult & { name: string }> }
  return { text, failed, of: (name: string) => checks.find((check) => check.name === name) }
}

/** A local port where nothing listens. */
const nowhere = `127.0.0.1:${await freePort()}`

t.test('the doctor finds', async (t) => {
  await t.test('missing tables, and says how to create them', async (t) => {
    const { of, text, failed } = await diagnose()

    t.match(of('tables'), { status: 'broken', advice: /npm run admin -- migrate/ })
    t.match(text, /BROKEN +tables/)
    t.equal(failed, true)
    await migrate({ url: postgres.url })
    t.match((await diagnose()).of('tables'), { status: 'ok' })
  })

  await t.test('before an upgrade, what migrate would fail of', async (t) => {
    const empty = await createTestDatabase()
    t.teardown(empty.stop)
    const fresh = await diagnose({ DATABASE_URL: empty.url }, { 'before-upgrade': true })

    t.match(fresh.of('upgrade'), { status: 'ok', found: /can be migrated: .*_init/ })
    t.equal(fresh.of('tables'), undefined, 'missing tables are not a problem then')
    t.match((await diagnose({}, { 'before-upgrade': true })).of('upgrade'), { found: 'nothing to migrate' })
    t.match(
      (
        await diagnose({ DATABASE_URL: `postgresql://user:hidden@${nowhere}/x` }, { 'before-upgrade': true })
      ).of('upgrade'),
      {
        status: 'broken'
      }
    )
  })

  await t.test('a database that does not answer, without showing its password', async (t) => {
    const { of, text } = await diagnose({ DATABASE_URL: `postgresql://user:hidden@${nowhere}/x` })

    t.match(of('PostgreSQL'), { status: 'broken', advice: /DATABASE_URL/ })
    t.match(of('tables'), { status: 'skipped' })
    t.notMatch(text, 'hidden')
  })

  await t.test('a Redis that does not answer', async (t) => {
    const { of, text } = await diagnose({ REDIS_URL: `redis://:hidden@${nowhere}` })

    t.match(of('Redis'), { status: 'broken', advice: /REDIS_URL/ })
    t.notMatch(text, 'hidden')
  })

  await t.test('a Redis that evicts keys, and one that writes jobs to disk', async (t) => {
    await redis.command('CONFIG SET maxmemory-policy allkeys-lru')
    t.match((await diagnose()).of('Redis'), { status: 'broken', advice: /noeviction/ })
    await redis.command('CONFIG SET maxmemory-policy noeviction')

    await redis.command('CONFIG SET appendonly yes')
    t.match((await diagnose()).of('Redis'), { status: 'warning', advice: /appendonly no/ })
    await redis.command('CONFIG SET appendonly no')
    t.match((await diagnose()).of('Redis'), { status: 'ok' })
  })

  await t.test('a clamd that does not answer, and one that misses the test virus', async (t) => {
    const [host, port] = nowhere.split(':')
    t.match((await diagnose({ CLAMD_HOST: host, CLAMD_PORT: port })).of('clamd'), {
      status: 'broken',
      found: /cannot connect/,
      advice: /CLAMD_HOST/
    })

    const blind = await startBlindClamd()
    t.teardown(blind.close)
    t.match((await diagnose({ CLAMD_HOST: '127.0.0.1', CLAMD_PORT: String(blind.port) })).of('clamd'), {
      status: 'broken',
      found: /EICAR/
    })
  })

  await t.test(
    'a clamd without the official signatures, which is broken unless the baseline is allowed, and one with old signatures',
    async (t) => {
      const peer = await startClamdPeer()
      t.teardown(peer.closeServer)
      const clamd = { CLAMD_HOST: peer.host, CLAMD_PORT: String(peer.port) }
      peer.selfTest.version = 'ClamAV 1.4.6\n'
      t.match((await diagnose(clamd)).of('clamd'), {
        status: 'broken',
        found: /lacks the official signatures: uploads are refused/,
        advice: /freshclam/
      })
      t.match((await diagnose({ ...clamd, ALLOW_BASELINE_SIGNATURES: 'true' })).of('clamd'), {
        status: 'warning',
        found: /ALLOW_BASELINE_SIGNATURES/
      })

      peer.selfTest.version = 'ClamAV 1.4.6/27000/Mon Jan 05 09:00:00 2026\n'
      t.match((await diagnose(clamd)).of('clamd'), {
        status: 'broken',
        found: /hours old.*uploads are refused/
      })
      t.match((await diagnose({ ...clamd, SIGNATURES_MAX_AGE_HOURS: '0' })).of('clamd'), {
        status: 'ok',
        found: /hours old/
      })
    }
  )

  await t.test('a missing folder for blobs', async (t) => {
    const { of } = await diagnose({ BLOB_DIR: join(blobDir, 'not-mounted') })

    t.match(of('blob store'), { status: 'broken', advice: /BLOB_DIR/ })
    t.match((await diagnose()).of('blob store'), { status: 'ok' })
  })

  await t.test('a damaged secret, which makes every upload a 503', async (t) => {
    const secret = join(blobDir, '.filewright-secret')
    await writeFile(secret, 'short')
    t.match((await diagnose()).of('blob store'), {
      status: 'broken',
      found: /\.filewright-secret is damaged: remove it, and a new one is made/
    })
    await rm(secret)
    t.match((await diagnose()).of('blob store'), { status: 'ok' })
  })

  await t.test('a bucket, named with its endpoint whether it works or not', async (t) => {
    const server = await startGcsServer()
    t.teardown(server.close)
    const bucket = { GCS_BUCKET: server.bucket, GCS_API_ENDPOINT: server.endpoint, GCS_ANONYMOUS: 'true' }
    const place = `bucket ${server.bucket} at ${server.endpoint}, without credentials`

    const works = { status: 'ok', found: `${place} can be written and read` }
    t.match((await diagnose(bucket)).of('blob store'), works)
    t.match((await diagnose({ ...bucket, GCS_API_ENDPOINT: `http://${nowhere}` })).of('blob store'), {
      status: 'broken',
      found: new RegExp(`^bucket ${server.bucket} at http://${nowhere}`),
      advice: /GCS_API_ENDPOINT/
    })
  })

  await t.test('both stores of a move', async (t) => {
    const other = await mkdtemp(join(tmpdir(), 'fw-doctor-'))
    t.teardown(async () => await rm(other, { recursive: true, force: true }))
    const { of } = await diagnose({ SECOND_BLOB_DIR: other })
    t.match(of('blob store'), { status: 'ok', found: `folder ${other} can be written and read` })
    t.match(of('bucket addresses'), { status: 'skipped' })
    t.match((await diagnose({ SECOND_BLOB_DIR: `${other}/absent` })).of('blob store'), {
      status: 'broken',
      found: `folder ${other}/absent: ENOENT`
    })
  })

  await t.test('addresses of the bucket, if CDN_DIRECT is on', async (t) => {
    t.match((await diagnose()).of('bucket addresses'), { status: 'skipped' })
    t.match((await diagnose({ CDN_DIRECT: 'true' })).of('bucket addresses'), {
      status: 'broken',
      found: /needs a bucket/
    })
  })

  await t.test('an Ollama that does not answer, and one without the models', async (t) => {
    t.match((await diagnose({ OLLAMA_HOST: `http://${nowhere}` })).of('Ollama'), {
      status: 'broken',
      advice: /OLLAMA_HOST/
    })
    t.match((await diagnose({ MODEL_GAMMA: 'other:7b' })).of('Ollama'), {
      status: 'broken',
      found: /lacks other:7b/,
      advice: /ollama pull other:7b/
    })
    t.match((await diagnose()).of('Ollama'), { status: 'ok' })
  })

  await t.test('a server with OpenAI’s API that does not answer, and one without the models', async (t) => {
    const openai = { MODEL_PROVIDER: 'openai', OPENAI_BASE_URL: `${ollama.url}/v1` }
    const all = Object.fromEntries(
      ['ALPHA_4O_MINI', 'ALPHA_4O', 'BETA_3', 'GAMMA'].map((id) => [`MODEL_${id}`, 'qwen2.5-coder:1.5b'])
    )
    t.match((await diagnose({ ...openai, OPENAI_BASE_URL: `http://${nowhere}/v1` })).of('OpenAI API'), {
      status: 'broken',
      advice: /OPENAI_BASE_URL/
    })
    t.match((await diagnose({ ...openai, ...all, MODEL_GAMMA: 'other:7b' })).of('OpenAI API'), {
      status: 'broken',
      found: /lacks other:7b/,
      advice: /MODEL_/
    })
    const well = await diagnose({ ...openai, ...all })
    t.match(well.of('OpenAI API'), { status: 'ok' })
    t.match(well.of('Ollama'), { status: 'skipped' }, 'no model is asked there')
    t.match((await diagnose()).of('OpenAI API'), { status: 'skipped' })
  })

  await t.test('a sandbox instead of a model', async (t) => {
    const sandbox = await startOllamaServer({ models: ['qwen2.5-coder:1.5b'], version: '0.0.0-sandbox' })
    t.teardown(sandbox.close)

    t.match((await diagnose({ OLLAMA_HOST: sandbox.url })).of('Ollama'), {
      status: 'warning',
      found: /not a language model/,
      advice: /OLLAMA_HOST/
    })
  })

  await t.test('a gateway that is not ready, and shows only its reason', async (t) => {
    let answer = JSON.stringify({
      status: 'unavailable',
      reason: 'redis: connect ECONNREFUSED',
      checks: { redis: { state: 'down' } }
    })
    const server = createHttpServer((_request, response) => {
      response.writeHead(503).end(answer)
    }).listen(0, '127.0.0.1')
    t.teardown(() => {
      server.close()
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const found = async () => (await diagnose({ ADMIN_PORT: String(port) })).of('gateway')?.found

    t.match(await found(), /503 at .*: redis: connect ECONNREFUSED$/)
    answer = `<html>${'x'.repeat(5_000)}`
    t.match(await found(), /not a Filewright health response: <html>x{94}$/)
  })

  await t.test('a gateway that does not run, and queues without workers', async (t) => {
    const { of } = await diagnose({ ADMIN_PORT: nowhere.split(':')[1] })

    t.match(of('gateway'), { status: 'broken', advice: /npm start/ })
    t.match(of('scan-worker'), { status: 'broken' })
    t.match(of('inference-worker'), { status: 'broken' })
  })

  await t.test('all wrong or missing settings at once', async (t) => {
    const { of } = await diagnose({ PORT: 'x', CDN_SIGNED: 'maybe', DATABASE_URL: undefined, REDIS_URL: '' })

    t.match(of('configuration'), { status: 'broken', found: /PORT.*CDN_SIGNED|CDN_SIGNED.*PORT/ })
    t.match(of('PostgreSQL'), { status: 'broken', found: 'DATABASE_URL is not set' })
    t.match(of('Redis'), { status: 'broken', found: 'REDIS_URL is not set' })
    t.match(of('Node.js'), { status: 'ok' })
  })
})
