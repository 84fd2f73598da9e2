import { createHash, createPublicKey, generateKeyPairSync, verify, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startGcsServer } from '@filewright/testing'
import { createGcsBlobStore } from '../src/index.js'
import { addressesContract } from './addresses.contract.js'
import { QUICK } from './gcs-build.js'
import { codeOf, newKey } from './helpers.js'

const ACCOUNT = 'files@project.iam.gserviceaccount.com'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })

/** Whether the address has a valid V4 signature, computed from Google's description of it. */
function isSigned(request: IncomingMessage, url: URL, key: KeyObject): boolean {
  const { searchParams: query } = url
  const signature = query.get('X-Goog-Signature') ?? ''
  const [account, ...scope] = (query.get('X-Goog-Credential') ?? '').split('/')
  const date = query.get('X-Goog-Date') ?? ''
  const canonicalQuery = url.search
    .slice(1)
    .split('&')
    .filter((pair) => !pair.startsWith('X-Goog-Signature='))
    .sort()
    .join('&')
  const canonical = [
    request.method,
    url.pathname,
    canonicalQuery,
    `host:${url.hostname}\n`,
    'host',
    'UNSIGNED-PAYLOAD'
  ].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = ['GOOG4-RSA-SHA256', date, scope.join('/'), hash].join('\n')
  const signedAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return (
    account === ACCOUNT &&
    Date.now() < signedAt + Number(query.get('X-Goog-Expires')) * 1_000 &&
    verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'hex'))
  )
}

/** Google's XML API for reading by a signed address, in front of the objects of the test server. */
async function startFront(t: Test, upstream: string): Promise<string> {
  const publicKey = createPublicKey(privateKey)
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', `http://${request.headers.host ?? ''}`)
    if (!isSigned(request, url, publicKey)) {
      response.writeHead(403).end()
      return
    }
    const [, bucket = '', ...name] = url.pathname.split('/')
    const path = `storage/v1/b/${bucket}/o/${encodeURIComponent(name.join('/'))}?alt=media`
    const { range } = request.headers
    const found = await fetch(`${upstream}/${path}`, { headers: range === undefined ? {} : { range } })
    for (const header of ['content-type', 'content-disposition', 'cache-control']) {
      const value = url.searchParams.get(`response-${header}`)
      if (value !== null) response.setHeader(header, value)
    }
    response.writeHead(found.status).end(Buffer.from(await found.arrayBuffer()))
  }
  const server = createServer((request, response) => {
    request.resume()
    void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The key of a service account, as Google's console gives it. */
async function useKey(t: Test): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-key-'))
  const before = process.env['GOOGLE_APPLICATION_CREDENTIALS']
  t.teardown(async () => {
    if (before === undefined) Reflect.deleteProperty(process.env, 'GOOGLE_APPLICATION_CREDENTIALS')
    else process.env['GOOGLE_APPLICATION_CREDENTIALS'] = before
    await rm(folder, { recursive: true })
  })
  const file = join(folder, 'key.json')
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  await writeFile(
    file,
    JSON.stringify({
      type: 'service_account',
      project_id: 'project',
      client_email: ACCOUNT,
      private_key: key
    })
  )
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = file
}

addressesContract(t, async (t) => {
  await useKey(t)
  const server = await startGcsServer()
  t.teardown(server.close)
  const publicEndpoint = await startFront(t, server.endpoint)
  return createGcsBlobStore({
    ...QUICK,
    bucket: server.bucket,
    apiEndpoint: server.endpoint,
    publicEndpoint
  })
})

t.test('without credentials that can sign, there is an error and no wrong address', async (t) => {
  const before = process.env['GOOGLE_APPLICATION_CREDENTIALS']
  t.teardown(() => {
    if (before !== undefined) process.env['GOOGLE_APPLICATION_CREDENTIALS'] = before
    else Reflect.deleteProperty(process.env, 'GOOGLE_APPLICATION_CREDENTIALS')
  })
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = '/nowhere/key.json'
  const store = createGcsBlobStore({ ...QUICK, bucket: 'files', apiEndpoint: 'http://127.0.0.1:9' })
  const options = { seconds: 60, contentType: 'text/plain', contentDisposition: 'inline', cacheControl: '' }

  t.equal(await codeOf(store.address(newKey(), options)), 'STORAGE_UNAVAILABLE')
})
