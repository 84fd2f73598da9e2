import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { Type, type Static } from 'typebox'
import { createId, loadConfig, loggingConfig } from '@filewright/runtime'
import { startGcsServer } from '@filewright/testing'
import { blobKeyOf, blobStoreConfig, createBlobStoreFrom } from '../src/index.js'
import { chunks, newKey } from './helpers.js'

const load = (env: Record<string, string>): Static<typeof schema> => loadConfig(schema, env)
const schema = Type.Object({ ...loggingConfig, ...blobStoreConfig })

t.test('keeps blobs in BLOB_DIR when that is all there is', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'filewright-config-'))
  t.teardown(async () => { await rm(root, { recursive: true }) })
  const store = createBlobStoreFrom(load({ BLOB_DIR: root }))
  const key = newKey()

  await store.write(key, chunks('x'))
  await store.close()

  t.strictSame(await readdir(join(root, key.slice(0, 1))), [key.slice(2)])
})

t.test('lets GCS_BUCKET win over BLOB_DIR', async (t) => {
  const server = await startGcsServer()
  t.teardown(async () => { await server.close() })
  const store = createBlobStoreFrom(load({ BLOB_DIR: '/nowhere', GCS_BUCKET: server.bucket, GCS_API_ENDPOINT: server.endpoint }))
  const key = newKey()

  await store.write(key, chunks('x'))

  t.strictSame([...server.objects.keys()], [key])
})

t.test('refuses a configuration that names no place for blobs, or a bad endpoint', (t) => {
  t.throws(() => createBlobStoreFrom(load({})), { code: 'CONFIG_INVALID', message: /BLOB_DIR/ })
  t.throws(() => load({ GCS_BUCKET: 'bucket', GCS_API_ENDPOINT: 'localhost:9000' }), { code: 'CONFIG_INVALID', message: /GCS_API_ENDPOINT/ })
  t.end()
})

t.test('makes keys from ids alone, spread evenly over 62 folders', (t) => {
  const counts = new Map<string, number>()
  for (let index = 0; index < 6_200; index++) {
    const id = createId()
    const key = blobKeyOf(id)
    if (key.slice(2) !== id) t.fail(`${key} does not end in ${id}`)
    counts.set(key.slice(0, 1), (counts.get(key.slice(0, 1)) ?? 0) + 1)
  }
  t.equal(counts.size, 62)
  t.ok(Math.max(...counts.values()) < 200)
  t.end()
})
