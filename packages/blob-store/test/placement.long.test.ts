import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import t, { type Test } from 'tap'
import { createAzureBlobStore, createS3BlobStore, type Placement } from '../src/index.js'
import { createContainers } from './azure-build.js'
import { build as buildGcs, LARGE as TWO_PARTS_OF_GCS } from './gcs-build.js'
import { chunks, codeOf, newKey, pattern } from './helpers.js'
import { createBuilder, LARGE, QUICK, SMALL } from './s3-build.js'

t.setTimeout(600_000)

const PLACEMENT: Placement = { storageClass: 'cool', projectId: 'Ärger & co', fileId: 'abc123' }
/** All stores accept these characters. */
const TAGS = { 'filewright-project': '_rger _ co', 'filewright-file': 'abc123' }

/** Records the headers of every request that writes, and refuses it. */
async function startListener(t: Test): Promise<{ endpoint: string; writes: IncomingHttpHeaders[] }> {
  const writes: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    if (request.method === 'PUT' || request.method === 'POST') writes.push(request.headers)
    request.resume()
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, writes }
}

t.test('S3 gets the class, and the tags if they are on', async (t) => {
  for (const [tags, expected] of [
    [true, new URLSearchParams(TAGS).toString()],
    [false, undefined]
  ] as const) {
    const { endpoint, writes } = await startListener(t)
    const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
    const place = { bucket: 'files', region: 'us-east-1', endpoint, credentials, tags }
    const store = createS3BlobStore({ ...place, ...QUICK })
    await codeOf(store.write(newKey(), chunks(SMALL), { placement: PLACEMENT }))
    await codeOf(store.write(newKey(), chunks(SMALL)))
    await store.close()

    const ofFile = writes.filter((headers) => headers['x-amz-storage-class'] !== undefined)
    for (const headers of ofFile) t.equal(headers['x-amz-tagging'], expected)
    t.ok(writes.length > ofFile.length, 'a write without a placement has neither')
  }
})

t.test('a server that does not know the class refuses it, in the probe as in an upload', async (t) => {
  const { store } = await createBuilder(t)(t)
  const placement: Placement = { storageClass: 'cold' }

  await store.probe(undefined, { storageClass: 'standard' })
  await t.rejects(store.probe(undefined, placement), {
    code: 'STORAGE_UNAVAILABLE',
    message: /InvalidStorageClass/
  })
  t.equal(await codeOf(store.write(newKey(), chunks(LARGE), { placement })), 'STORAGE_UNAVAILABLE')
})

t.test('Azure keeps the tier and the tags of blobs of one and of several parts', async (t) => {
  const { endpoint, account, container, credentials } = await createContainers(t)()
  const { accountKey } = credentials as { accountKey: string }
  const store = createAzureBlobStore({ endpoint, account, container, credentials, tags: true })
  const client = new BlobServiceClient(endpoint, new StorageSharedKeyCredential(account, accountKey))

  for (const size of [1_000, 2_500_000]) {
    const key = newKey()
    await store.write(key, chunks(pattern(size)), { placement: PLACEMENT })
    const blob = client.getContainerClient(container).getBlobClient(key)

    t.equal((await blob.getProperties()).accessTier, 'Cool')
    t.strictSame((await blob.getTags()).tags, TAGS)
  }
})

t.test('Google gets the class, and project and file as metadata', async (t) => {
  const { server, store } = await buildGcs(t)
  for (const bytes of [SMALL, TWO_PARTS_OF_GCS]) {
    const key = newKey()
    await store.write(key, chunks(bytes), { placement: PLACEMENT })

    t.match(server.objects.get(key), { storageClass: 'NEARLINE', metadata: TAGS })
  }
})
