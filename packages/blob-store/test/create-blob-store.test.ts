import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { Type, type Static } from '@filewright/schema'
import { createId, loadConfig, loggingConfig } from '@filewright/runtime'
import { startGcsServer } from '@filewright/testing'
import { blobKeyOf, blobStoreConfig, createBlobStoreFrom, describeBlobStore } from '../src/index.js'
import { chunks, newKey } from './helpers.js'

const load = (env: Record<string, string>): Static<typeof schema> => loadConfig(schema, env)
const schema = Type.Object({ ...loggingConfig, ...blobStoreConfig })

t.test('uses BLOB_DIR when only that is set', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'filewright-config-'))
  t.teardown(async () => await rm(root, { recursive: true }))
  const store = createBlobStoreFrom(load({ BLOB_DIR: root }))
  const key = newKey()

  await store.write(key, chunks('x'))
  await store.close()

  t.strictSame(await readdir(join(root, key.slice(0, 1))), [key.slice(2)])
})

t.test('prefers GCS_BUCKET to BLOB_DIR', async (t) => {
  const server = await startGcsServer()
  t.teardown(async () => await server.close())
  const bucket = { GCS_BUCKET: server.bucket, GCS_API_ENDPOINT: server.endpoint, GCS_ANONYMOUS: 'true' }
  const store = createBlobStoreFrom(load({ BLOB_DIR: '/nowhere', ...bucket }))
  const key = newKey()

  await store.write(key, chunks('x'))

  t.strictSame([...server.objects.keys()], [key])
})

t.test('refuses a configuration without a store, or with an invalid endpoint', (t) => {
  t.throws(() => createBlobStoreFrom(load({})), { code: 'CONFIG_INVALID', message: /BLOB_DIR/ })
  t.throws(() => load({ GCS_BUCKET: 'bucket', GCS_API_ENDPOINT: 'localhost:9000' }), {
    code: 'CONFIG_INVALID',
    message: /GCS_API_ENDPOINT/
  })
  t.end()
})

const GOOGLE = { GCS_BUCKET: 'bucket' }
const PRIVATE = { GCS_BUCKET: 'bucket', GCS_API_ENDPOINT: 'https://storage.example.com' }

for (const [what, env, message] of [
  ['credentials over plain http', { ...GOOGLE, GCS_API_ENDPOINT: 'http://gcs:4443' }, /must be https/],
  ['an endpoint with a password', { ...GOOGLE, GCS_API_ENDPOINT: 'https://me:secret@host' }, /password/],
  ['no credentials for Google', { ...GOOGLE, GCS_ANONYMOUS: 'true' }, /GCS_ANONYMOUS needs GCS_API_ENDPOINT/],
  [
    'no credentials for Google by its address',
    {
      ...GOOGLE,
      GCS_API_ENDPOINT: 'https://storage.googleapis.com',
      GCS_ANONYMOUS: 'true'
    },
    /GCS_ANONYMOUS/
  ],
  [
    'an emulator that only the library knows of',
    {
      ...GOOGLE,
      STORAGE_EMULATOR_HOST: 'localhost:9000'
    },
    /STORAGE_EMULATOR_HOST.*GCS_API_ENDPOINT/
  ]
] as const) {
  t.test(`refuses ${what}, without showing a secret`, (t) => {
    t.throws(() => createBlobStoreFrom(load(env)), { code: 'CONFIG_INVALID', message })
    t.throws(() => createBlobStoreFrom(load(env)), { message: /^(?!.*secret)/ })
    t.end()
  })
}

const AMAZON = { S3_BUCKET: 'files', S3_REGION: 'eu-central-1' }
const MINIO = { S3_BUCKET: 'files', S3_ENDPOINT: 'https://minio.example.com' }
const KEYS = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
const CONTAINER = { AZURE_CONTAINER: 'files', AZURE_ACCOUNT: 'acme' }
const AZURE = { ...CONTAINER, AZURE_ACCOUNT_KEY: 'c2VjcmV0' }
const SIGNED = { ...CONTAINER, AZURE_SAS_TOKEN: '?sv=2026&sig=secret' }

for (const [what, env, message] of [
  ['two stores', { ...AMAZON, GCS_BUCKET: 'bucket' }, /GCS_BUCKET and S3_BUCKET are both set/],
  [
    'settings of S3 without a bucket',
    { BLOB_DIR: '/blobs', S3_REGION: 'eu-central-1' },
    /S3_REGION is set, but S3_BUCKET/
  ],
  ['a bucket that Amazon would refuse', { ...AMAZON, S3_BUCKET: 'My_Files' }, /S3_BUCKET must be/],
  ['Amazon without a region', { S3_BUCKET: 'files' }, /S3_REGION is required/],
  ['a region that is not one', { ...AMAZON, S3_REGION: 'Frankfurt' }, /S3_REGION must be a region's code/],
  [
    'plain http that nobody asked for',
    { ...MINIO, S3_ENDPOINT: 'http://minio:9000' },
    /must be https.*S3_ALLOW_HTTP/
  ],
  [
    'an endpoint with a password',
    { ...MINIO, S3_ENDPOINT: 'https://me:secret@host' },
    /no user name, password/
  ],
  ['an endpoint with a path', { ...MINIO, S3_ENDPOINT: 'https://host/bucket' }, /path/],
  ['a key without its secret', { ...AMAZON, S3_ACCESS_KEY_ID: 'key' }, /needs S3_SECRET_ACCESS_KEY/],
  ['a secret without its key', { ...AMAZON, S3_SECRET_ACCESS_KEY: 'secret' }, /needs S3_ACCESS_KEY_ID/],
  ['a session token without a key', { ...AMAZON, S3_SESSION_TOKEN: 'secret' }, /needs S3_ACCESS_KEY_ID/],
  ['an encryption that does not exist', { ...AMAZON, S3_SSE: 'rot13' }, /S3_SSE/],
  ['two buckets', { ...AMAZON, ...AZURE }, /S3_BUCKET and AZURE_CONTAINER are both set/],
  [
    'Azure without a container',
    { BLOB_DIR: '/b', AZURE_ACCOUNT: 'acme' },
    /AZURE_ACCOUNT is set, but AZURE_CO/
  ],
  ['a container that Azure would refuse', { ...AZURE, AZURE_CONTAINER: 'a--b' }, /AZURE_CONTAINER must be/],
  ['Azure without an account', { AZURE_CONTAINER: 'files' }, /needs AZURE_ACCOUNT/],
  ['an account that is an address', { ...AZURE, AZURE_ACCOUNT: 'acme.blob' }, /AZURE_ACCOUNT must be/],
  ['Azure without credentials', CONTAINER, /needs AZURE_ACCOUNT_KEY or/],
  ['two credentials', { ...SIGNED, AZURE_ACCOUNT_KEY: 'c2VjcmV0' }, /are both set: unset one/],
  ['a key that is not base64', { ...AZURE, AZURE_ACCOUNT_KEY: 'se-cret' }, /must be base64/],
  ['a signature without one', { ...SIGNED, AZURE_SAS_TOKEN: 'secret' }, /must be a shared access signature/],
  ['Azure over http', { ...AZURE, AZURE_ENDPOINT: 'http://azurite:10000/acme' }, /https.*AZURE_ALLOW_HTTP/],
  ['a signature in the address', { ...AZURE, AZURE_ENDPOINT: 'https://acme?sig=secret' }, /no user name/],
  [
    'a key for another encryption',
    { ...AMAZON, S3_SSE: 'AES256', S3_SSE_KMS_KEY_ID: 'k' },
    /needs S3_SSE=aws:kms/
  ]
] as const) {
  t.test(`refuses ${what}, without showing a secret`, (t) => {
    t.throws(() => createBlobStoreFrom(load(env)), { code: 'CONFIG_INVALID', message })
    t.throws(() => createBlobStoreFrom(load(env)), { message: /^(?!.*secret)/ })
    t.end()
  })
}

t.test('accepts Amazon by role or key, compatible servers, and encryption settings', (t) => {
  t.ok(createBlobStoreFrom(load(AMAZON)))
  t.ok(createBlobStoreFrom(load({ ...AMAZON, ...KEYS, S3_SESSION_TOKEN: 'token', BLOB_DIR: '/blobs' })))
  t.ok(createBlobStoreFrom(load({ ...AMAZON, S3_SSE: 'aws:kms', S3_SSE_KMS_KEY_ID: 'k' })))
  t.ok(createBlobStoreFrom(load({ ...MINIO, ...KEYS })))
  t.ok(
    createBlobStoreFrom(load({ ...MINIO, ...KEYS, S3_ENDPOINT: 'http://minio:9000', S3_ALLOW_HTTP: 'true' }))
  )
  t.equal(describeBlobStore(load(AMAZON)), 'bucket files at Amazon S3 in eu-central-1')
  t.equal(describeBlobStore(load({ ...MINIO, ...KEYS })), 'bucket files at https://minio.example.com')
  t.end()
})

t.test('accepts Azure by key or signature, other clouds and the emulator', (t) => {
  t.ok(createBlobStoreFrom(load(AZURE)))
  t.ok(createBlobStoreFrom(load({ ...SIGNED, BLOB_DIR: '/blobs' })))
  const emulator = { AZURE_ENDPOINT: 'http://azurite:10000/acme', AZURE_ALLOW_HTTP: 'true' }
  t.ok(createBlobStoreFrom(load({ ...AZURE, ...emulator })))
  t.equal(describeBlobStore(load(AZURE)), 'container files at https://acme.blob.core.windows.net')
  t.equal(describeBlobStore(load({ ...AZURE, ...emulator })), 'container files at http://azurite:10000/acme')
  t.end()
})

t.test('accepts a private endpoint over https, and an anonymous emulator over http', (t) => {
  t.ok(createBlobStoreFrom(load(PRIVATE)))
  t.ok(createBlobStoreFrom(load({ ...PRIVATE, STORAGE_EMULATOR_HOST: 'localhost:9000' })))
  t.ok(createBlobStoreFrom(load({ ...GOOGLE, GCS_API_ENDPOINT: 'http://gcs:4443', GCS_ANONYMOUS: 'true' })))
  t.end()
})

t.test('describes the store for people', (t) => {
  const emulator = { GCS_BUCKET: 'bucket', GCS_API_ENDPOINT: 'http://gcs:4443', GCS_ANONYMOUS: 'true' }

  t.equal(describeBlobStore(load({ BLOB_DIR: '/blobs' })), 'folder /blobs')
  t.equal(describeBlobStore(load(GOOGLE)), 'bucket bucket at https://storage.googleapis.com')
  t.equal(describeBlobStore(load(PRIVATE)), 'bucket bucket at https://storage.example.com')
  t.equal(
    describeBlobStore(load({ ...PRIVATE, GCS_API_ENDPOINT: 'https://me:secret@example.com' })),
    'bucket bucket at https://example.com'
  )
  t.equal(describeBlobStore(load(emulator)), 'bucket bucket at http://gcs:4443, without credentials')
  t.end()
})

t.test('derives keys from ids, spread evenly over 62 folders', (t) => {
  const counts = new Map<string, number>()
  for (let index = 0; index < 6_200; index++) {
    const id = createId()
    const key = blobKeyOf(id)
    if (key.slice(2) !== id) t.fail(`${key} does not end in ${id}`)
    counts.set(key.slice(0, 1), (counts.get(key.slice(0, 1)) ?? 0) + 1)
  }
  t.equal(counts.size, 62)
  // 100 on average with a standard deviation of 10: seven deviations never happen.
  t.ok(Math.max(...counts.values()) < 170 && Math.min(...counts.values()) > 30, [...counts.values()].join())
  t.end()
})
