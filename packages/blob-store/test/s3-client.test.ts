import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createS3BlobStore } from '../src/index.js'
import { chunks, codeOf, newKey, textOf } from './helpers.js'
import { createBuilder, LARGE, QUICK, SMALL } from './s3-build.js'
import { errorReply } from './s3-fault-proxy.js'

t.setTimeout(600_000)
const build = createBuilder(t)
const ADDRESS = { seconds: 60, contentType: 'text/plain', contentDisposition: 'inline', cacheControl: '' }

/** The SDK's provider chain finds these variables and nothing else. */
async function setEnvironment(t: Test, values: Record<string, string>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'filewright-home-'))
  const before = { ...process.env }
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name]
  Object.assign(process.env, { HOME: home, AWS_EC2_METADATA_DISABLED: 'true', ...values })
  t.teardown(async () => {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, before)
    await rm(home, { recursive: true })
  })
}

for (const [what, hours] of [
  ['ahead', 1],
  ['behind', -1]
] as const) {
  t.test(`corrects its clock when the server's is an hour ${what}`, async (t) => {
    const { proxy, store } = await build(t)
    proxy.clockOffsetMs = hours * 3_600_000
    const key = newKey()

    await store.write(key, chunks(SMALL))

    t.equal(await textOf(await store.read(key)), SMALL.toString())
    const address = new URL((await store.address(key, ADDRESS)) ?? '')
    const signedAt = (address.searchParams.get('X-Amz-Date') ?? '').replace(
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
      '$1-$2-$3T$4:$5:$6Z'
    )
    const offset = Date.parse(signedAt) - Date.now()
    t.ok(Math.abs(offset - hours * 3_600_000) < 600_000, `an address is signed at ${signedAt}`)
  })
}

t.test('reports clocks that differ even after a correction', async (t) => {
  const { proxy, store } = await build(t)
  proxy.fail({ on: 'get', instead: errorReply(403, 'RequestTimeTooSkewed'), times: 100 })

  await t.rejects(store.read(newKey()), { code: 'STORAGE_UNAVAILABLE', message: /clock/ })
})

t.test('fetches credentials again when the server says that they have expired', async (t) => {
  await setEnvironment(t, { AWS_ACCESS_KEY_ID: 'old', AWS_SECRET_ACCESS_KEY: 'x', AWS_SESSION_TOKEN: 'x' })
  const { proxy, store, other } = await build(t, { credentials: undefined })
  const key = newKey()
  await store.probe()
  process.env['AWS_ACCESS_KEY_ID'] = 'new'
  const fault = proxy.fail({ on: 'put', instead: errorReply(400, 'ExpiredToken') })

  await store.write(key, chunks(SMALL))

  t.equal(fault.hits(), 1)
  t.equal(proxy.accessKeyIds.at(-1), 'new')
  t.equal(await textOf(await other.read(key)), SMALL.toString())
})

t.test('does not retry with expired credentials from its settings, and says what to do', async (t) => {
  const { proxy, store } = await build(t)
  await store.probe()
  const fault = proxy.fail({ on: 'put', instead: errorReply(400, 'ExpiredToken'), times: 100 })

  await t.rejects(store.write(newKey(), chunks(SMALL)), {
    code: 'STORAGE_UNAVAILABLE',
    retryable: true,
    message: /ExpiredToken.*renew/
  })

  t.equal(fault.hits(), 1)
})

t.test('reports missing credentials when no provider has any', async (t) => {
  await setEnvironment(t, {})
  const { proxy, store } = await build(t, { credentials: undefined })

  await t.rejects(store.probe(), {
    code: 'STORAGE_UNAVAILABLE',
    message: /no credentials: set S3_ACCESS_KEY_ID/
  })

  t.strictSame(proxy.requests, [])
})

t.test('does not retry a refused permission, and names it', async (t) => {
  const { proxy, store } = await build(t)
  await store.probe()
  const fault = proxy.fail({ on: 'put', instead: errorReply(403, 'AccessDenied'), times: 5 })

  await t.rejects(store.write(newKey(), chunks(SMALL)), { message: /AccessDenied.*lack a permission/ })

  t.equal(fault.hits(), 1)
})

t.test('names the region of a bucket that is in another one', async (t) => {
  const { proxy, store } = await build(t)
  const elsewhere = {
    ...errorReply(301, 'PermanentRedirect'),
    headers: { 'x-amz-bucket-region': 'eu-west-1' }
  }
  proxy.fail({ on: 'get', instead: elsewhere, times: 5 })

  await t.rejects(store.marker.read(), { code: 'STORAGE_UNAVAILABLE', message: /set S3_REGION=eu-west-1/ })
})

t.test('without S3_ENDPOINT uses only Amazon, whatever the environment says', async (t) => {
  const { proxy, place } = await build(t)
  await setEnvironment(t, { AWS_ENDPOINT_URL: proxy.endpoint, AWS_ENDPOINT_URL_S3: proxy.endpoint })
  // No such region, so no such host.
  const store = createS3BlobStore({ ...place, ...QUICK, endpoint: undefined, region: 'xx-nowhere-1' })
  t.teardown(async () => await store.close())

  await t.rejects(store.marker.read(), { code: 'STORAGE_UNAVAILABLE', message: /S3_REGION/ })

  t.strictSame(proxy.requests, [])
})

t.test('requests the configured encryption, and fails if the server does not support it', async (t) => {
  const { proxy, store } = await build(t, { encryption: { algorithm: 'aws:kms', kmsKeyId: 'key-1' } })

  for (const [bytes, operation] of [
    [SMALL, 'put'],
    [LARGE, 'start']
  ] as const) {
    // Swift has no encryption per object; others do.
    const code = await codeOf(store.write(newKey(), chunks(bytes)))
    t.match(code, /^(resolved|STORAGE_UNAVAILABLE)$/)
    t.match(proxy.headersOf(operation), {
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'key-1'
    })
  }
})

t.test('ends at once when it is aborted while it waits for credentials', async (t) => {
  // Nothing listens there, or nothing answers: either way the caller does not wait.
  await setEnvironment(t, { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1:9/' })
  const { store } = await build(t, { credentials: undefined })
  const controller = new AbortController()
  const reading = codeOf(store.marker.read({ signal: controller.signal }))

  controller.abort()

  t.equal(await reading, 'CANCELLED')
})
