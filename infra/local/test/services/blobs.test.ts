import t from 'tap'
import { banner } from '../../src/banner.js'
import { parseOptions, type StackOptions } from '../../src/options.js'
import { blobsNote } from '../../src/services/blobs.js'

/** The output of a start with these settings. */
function bannerOf(settings: Record<string, string>): string {
  const options = parseOptions([], settings, '/srv') as StackOptions
  const services = [blobsNote(options, '/srv/.data/blobs')]
  const secrets = { token: 'token', adminPassword: 'secret' }
  return banner({ options, adminUrl: 'http://localhost:3001', ...secrets, services, caveats: [] })
}

for (const [settings, line] of [
  [{}, 'Files: local disk, /srv/.data/blobs'],
  [{ GCS_BUCKET: 'files' }, 'Files: Google Cloud Storage, bucket files at https://storage.googleapis.com'],
  [
    { GCS_BUCKET: 'files', GCS_API_ENDPOINT: 'https://storage.example.com' },
    'Files: Google Cloud Storage, bucket files at https://storage.example.com'
  ],
  [
    { GCS_BUCKET: 'files', GCS_API_ENDPOINT: 'http://localhost:9000', GCS_ANONYMOUS: 'true' },
    'Files: Google Cloud Storage, bucket files at http://localhost:9000, without credentials'
  ],
  [{ S3_BUCKET: 'files', S3_REGION: 'eu-central-1' }, 'Files: S3, bucket files at Amazon S3 in eu-central-1']
] as const) {
  t.test(`the banner says: ${line}`, (t) => {
    t.ok(bannerOf(settings).split('\n').includes(`  ${line}`))
    t.end()
  })
}

t.test('a start with two buckets is refused', (t) => {
  const two = { GCS_BUCKET: 'files', S3_BUCKET: 'files', S3_REGION: 'eu-central-1' }

  t.throws(() => bannerOf(two), { message: /GCS_BUCKET and S3_BUCKET are both set/ })
  t.end()
})

t.test('a start with settings that would leak the access token is refused', (t) => {
  const gcs = { GCS_BUCKET: 'files' }

  t.throws(() => bannerOf({ ...gcs, GCS_API_ENDPOINT: 'http://example.com' }), { message: /must be https/ })
  t.throws(() => bannerOf({ ...gcs, STORAGE_EMULATOR_HOST: 'other' }), { message: /STORAGE_EMULATOR/ })
  t.ok(bannerOf({ STORAGE_EMULATOR_HOST: 'localhost:9000' }), 'files on a disk do not mind')
  t.end()
})
