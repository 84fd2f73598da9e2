import t from 'tap'
import { createGcsBlobStore } from '../src/index.js'
import { blobStoreContract } from './blob-store.contract.js'
import { createTestBuckets } from './gcs-test-server.js'

// Any server that speaks Google's JSON API without credentials will do; CONTRIBUTING.md says how.
const createBucket = createTestBuckets(t, process.env['GCS_TEST_ENDPOINT'])

// A machine that is busy with other tests takes its time over 50 MiB.
t.setTimeout(600_000)
blobStoreContract(t, async () => {
  const { endpoint, bucket } = await createBucket()
  return createGcsBlobStore({ bucket, apiEndpoint: endpoint, anonymous: true, listPageSize: 10 })
})
