import { startGcsServer } from '@filewright/testing'
import { testStore } from './helpers/store-tests.js'

testStore(
  'Google Cloud Storage',
  async (t) => {
    const { endpoint, bucket, close } = await startGcsServer()
    t.teardown(close)
    return { GCS_BUCKET: bucket, GCS_API_ENDPOINT: endpoint, GCS_ANONYMOUS: 'true' }
  },
  { hasAddresses: false }
)
