import t from 'tap'
import { createGcsBlobStore } from '../src/index.js'
import { blobStoreContract } from './blob-store.contract.js'
import { createTestBuckets } from './gcs-test-server.js'

// Any server with Google's JSON API and without credentials; see CONTRIBUTING.md.
const createBucket = createTestBuckets(t, process.env['GCS_TEST_ENDPOINT'])

t.setTimeout(600_000)
blobStoreContract(t, async () => {
  const { endpoint, bucket } = await createBucket()
  return createGcsBlobStore({ bucket, apiEndpoint: endpoint, anonymous: true, listPageSize: 10 })
})
