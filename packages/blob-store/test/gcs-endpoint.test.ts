import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startGcsServer } from '@filewright/testing'
import { createGcsBlobStore } from '../src/index.js'
import { LARGE, QUICK, SMALL } from './gcs-build.js'
import { bytesOf, chunks, codeOf, keysOf, newKey } from './helpers.js'

t.setTimeout(600_000)

const ACCESS_TOKEN = 'token-of-the-operator'

/** An HTTP server that records the head of every request and always sends the same response. */
async function startListener(t: Test, answer: object) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    request.resume()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** Application default credentials of a workload identity, whose tokens come from the test's server. */
async function useCredentials(t: Test): Promise<void> {
  const tokens = await startListener(t, {
    access_token: ACCESS_TOKEN,
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: 3_600
  })
  const folder = await mkdtemp(join(tmpdir(), 'filewright-credentials-'))
  t.teardown(async () => await rm(folder, { recursive: true }))
  await writeFile(join(folder, 'subject-token'), 'subject')
  await writeFile(
    join(folder, 'credentials.json'),
    JSON.stringify({
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/it',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${tokens.url}/token`,
      credential_source: { file: join(folder, 'subject-token') }
    })
  )
  setVariable(t, 'GOOGLE_APPLICATION_CREDENTIALS', join(folder, 'credentials.json'))
}

function setVariable(t: Test, name: string, value: string): void {
  const before = process.env[name]
  process.env[name] = value
  t.teardown(() => {
    if (before === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = before
  })
}

t.test('sends its credentials with every request to a private endpoint', async (t) => {
  await useCredentials(t)
  const server = await startGcsServer({ accessToken: ACCESS_TOKEN })
  t.teardown(async () => await server.close())
  const store = createGcsBlobStore({
    ...QUICK,
    bucket: server.bucket,
    apiEndpoint: `${server.endpoint}/`,
    anonymous: false
  })
  const [small, large] = [newKey(), newKey()]

  await store.write(small, chunks(SMALL))
  await store.write(large, chunks(LARGE))

  t.ok((await bytesOf(await store.read(large))).equals(LARGE))
  t.equal((await store.stat(small))?.sizeBytes, SMALL.length)
  t.strictSame(await keysOf(store), [small, large].sort())
  t.equal(await store.remove(small), true)
})

t.test('sends no credentials when anonymous, even if some are available', async (t) => {
  await useCredentials(t)
  const listener = await startListener(t, {})
  const store = createGcsBlobStore({ ...QUICK, bucket: 'x', apiEndpoint: listener.url, anonymous: true })

  await codeOf(store.write(newKey(), chunks(SMALL)))
  await codeOf(store.write(newKey(), chunks(LARGE)))
  await codeOf(store.read(newKey()).then(bytesOf))
  await codeOf(store.stat(newKey()))
  await codeOf(store.remove(newKey()))
  await codeOf(keysOf(store))

  t.ok(listener.requests.length >= 6)
  t.strictSame(
    listener.requests.filter(({ headers }) => headers.authorization !== undefined),
    []
  )
})

t.test('never contacts the host in STORAGE_EMULATOR_HOST', async (t) => {
  await useCredentials(t)
  const emulator = await startListener(t, {})
  setVariable(t, 'STORAGE_EMULATOR_HOST', emulator.url)
  const server = await startGcsServer({ accessToken: ACCESS_TOKEN })
  t.teardown(async () => await server.close())
  const store = createGcsBlobStore({
    ...QUICK,
    bucket: server.bucket,
    apiEndpoint: server.endpoint,
    anonymous: false
  })
  const key = newKey()

  await store.write(key, chunks(LARGE))
  t.ok((await bytesOf(await store.read(key))).equals(LARGE))
  t.equal((await store.stat(key))?.sizeBytes, LARGE.length)
  t.strictSame(await keysOf(store), [key])
  t.equal(await store.remove(key), true)

  t.strictSame(emulator.requests, [])
})

t.test('sends its credentials to no other host that an upload session names', async (t) => {
  await useCredentials(t)
  const elsewhere = await startListener(t, {})
  const endpoint = createServer((request, response) => {
    request.resume()
    response.setHeader('location', `${elsewhere.url}/session`).end()
  }).listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  t.teardown(() => {
    endpoint.closeAllConnections()
    endpoint.close()
  })
  const apiEndpoint = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`
  const store = createGcsBlobStore({ ...QUICK, bucket: 'x', apiEndpoint, anonymous: false })

  t.equal(await codeOf(store.write(newKey(), chunks(LARGE))), 'STORAGE_UNAVAILABLE')

  t.ok(elsewhere.requests.length > 0)
  t.strictSame(
    elsewhere.requests.filter(({ headers }) => headers.authorization !== undefined),
    []
  )
})
