import t from 'tap'
import { createS3BlobStore } from '../src/index.js'
import { blobStoreContract } from './blob-store.contract.js'
import { createS3TestBuckets } from './s3-test-server.js'

// Any other server: S3_TEST_ENDPOINT with S3_TEST_KEY and S3_TEST_SECRET; see CONTRIBUTING.md.
const createBucket = createS3TestBuckets(t)

t.setTimeout(600_000)
blobStoreContract(t, async () => {
  const place = await createBucket()
  const store = createS3BlobStore({ ...place, listPageSize: 10, settleMs: 50 })
  t.teardown(async () => {
    await store.close()
  })
  return store
})
