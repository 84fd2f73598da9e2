import { readFileSync } from 'node:fs'
import { ContainerClient, ContainerSASPermissions, StorageSharedKeyCredential } from '@azure/storage-blob'
import t from 'tap'
import { createAzureBlobStore, type BlobStore } from '../src/index.js'
import { createContainers } from './azure-build.js'
import { build as buildGcs } from './gcs-build.js'
import { chunks, codeOf, makeEveryCall, newKey, pattern, readAll } from './helpers.js'

t.setTimeout(600_000)

const page = readFileSync(new URL('../../../../docs/operations/storage.md', import.meta.url), 'utf8')
const LARGE = pattern(2_500_000)

const ofGoogle = (request: string): string => {
  const [method = '', path = ''] = request.split(' ')
  if (path.startsWith('/upload/')) return 'storage.objects.create'
  if (!/\/o(\/|$)/.test(path)) return 'storage.buckets.get'
  if (method === 'DELETE') return 'storage.objects.delete'
  return path.endsWith('/o') ? 'storage.objects.list' : 'storage.objects.get'
}

t.test("Google: the documented permissions are those of the driver's requests", async (t) => {
  const { server, store } = await buildGcs(t)
  const [, listed = ''] = /## Google Cloud Storage.*?```\n(storage.*?)\n```/s.exec(page) ?? []
  await makeEveryCall(store, LARGE)
  t.strictSame([...new Set(server.requests.map(ofGoogle))].sort(), listed.split('\n'))

  const key = newKey()
  await store.write(key, chunks(LARGE))
  server.requests.length = 0
  await readAll(store, key)
  t.strictSame([...new Set(server.requests.map(ofGoogle))], ['storage.objects.get'])
})

t.test('Azure: the documented permissions of a signature are enough, and each is needed', async (t) => {
  const createContainer = createContainers(t)
  const [, ofGateway = '', ofScanWorker = ''] =
    /admin commands need the permissions `(\w+)`[^`]*workers[^`]*`(\w+)`/s.exec(page) ?? []

  async function open(permissions: string, hasTags = false): Promise<{ store: BlobStore; own: BlobStore }> {
    const place = await createContainer()
    const { endpoint, account, container, credentials } = place
    const { accountKey } = credentials as { accountKey: string }
    const signer = new StorageSharedKeyCredential(account, accountKey)
    const address = await new ContainerClient(`${endpoint}/${container}`, signer).generateSasUrl({
      permissions: ContainerSASPermissions.parse(permissions),
      expiresOn: new Date(Date.now() + 3_600_000)
    })
    const sasToken = new URL(address).search
    const retry = { attempts: 1 }
    return {
      store: createAzureBlobStore({ ...place, credentials: { sasToken }, retry, tags: hasTags }),
      own: createAzureBlobStore(place)
    }
  }

  t.match(ofGateway, /^[a-z]{4,}$/)
  await makeEveryCall((await open(ofGateway)).store, LARGE)
  for (const letter of ofGateway) {
    const { store } = await open(ofGateway.replace(letter, ''))
    await t.rejects(makeEveryCall(store, LARGE), { code: 'STORAGE_UNAVAILABLE' }, `without ${letter}`)
  }

  const { store, own } = await open(ofScanWorker)
  const key = newKey()
  await own.write(key, chunks(LARGE))
  await readAll(store, key)
  t.not(await codeOf(store.write(newKey(), chunks(LARGE))), 'resolved', 'it cannot write')

  // Azurite does not check that tags need t.
  const placement = { projectId: 'acme', fileId: 'a' }
  await (await open(`${ofGateway}t`, true)).store.write(newKey(), chunks(LARGE), { placement })
})
