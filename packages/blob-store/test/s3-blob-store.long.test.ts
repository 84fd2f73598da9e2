import t from 'tap'
import { createS3BlobStore, type BlobStore, type S3BlobStoreOptions } from '../src/index.js'
import { addressesContract } from './addresses.contract.js'
import { blobStoreContract } from './blob-store.contract.js'
import { newKey } from './helpers.js'
import { createS3TestBuckets } from './s3-test-server.js'

// Any other server: S3_TEST_ENDPOINT with S3_TEST_KEY and S3_TEST_SECRET; see CONTRIBUTING.md.
const createBucket = createS3TestBuckets(t)

t.setTimeout(600_000)
async function createStore(): Promise<BlobStore> {
  const place = await createBucket()
  const store = createS3BlobStore({ ...place, listPageSize: 10, settleMs: 50 })
  t.teardown(async () => await store.close())
  return store
}

blobStoreContract(t, createStore)
addressesContract(t, createStore)

t.test('an address names the public endpoint, and both styles of naming the bucket', async (t) => {
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const options = { seconds: 60, contentType: 'text/plain', contentDisposition: 'inline', cacheControl: '' }
  const key = newKey()
  const addressOf = async (more: Partial<S3BlobStoreOptions>): Promise<string> => {
    const store = createS3BlobStore({ bucket: 'files', region: 'eu-central-1', credentials, ...more })
    return ((await store.address(key, options)) ?? '').replace(/\?.*/, '')
  }
  const internal = { endpoint: 'http://minio:9000', publicEndpoint: 'https://files.example.com' }

  t.equal(await addressOf({}), `https://files.s3.eu-central-1.amazonaws.com/${key}`)
  t.equal(await addressOf(internal), `https://files.example.com/files/${key}`)
  t.equal(await addressOf({ ...internal, pathStyle: false }), `https://files.files.example.com/${key}`)
})
