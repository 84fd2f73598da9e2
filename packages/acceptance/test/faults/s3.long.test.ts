import { startSwiftServer } from '@filewright/testing'
import { testStore } from './helpers/store-tests.js'

const BUCKET = 'filewright-files'

testStore('S3', async (t) => {
  const { endpoint, credentials, createBucket, stop } = await startSwiftServer()
  t.teardown(stop)
  await createBucket(BUCKET)
  return {
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: endpoint,
    S3_ALLOW_HTTP: 'true',
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey
  }
})
