import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { blobKeyOf, createLocalBlobStore, secondStoreConfig } from '@filewright/blob-store'
import { AppError, createId } from '@filewright/runtime'
import { eitherStore } from '../src/either-store.js'

t.test('what one store of a move cannot give is read from the other', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'fw-either-'))
  const [first, second] = [join(root, 'a'), join(root, 'b')].map((folder) =>
    createLocalBlobStore({ root: folder })
  ) as [ReturnType<typeof createLocalBlobStore>, ReturnType<typeof createLocalBlobStore>]
  const both = eitherStore(first, second)
  t.teardown(async () => {
    await both.close()
    await rm(root, { recursive: true, force: true })
  })
  const [key, missing] = [blobKeyOf(createId()), blobKeyOf(createId())]
  const secret = randomBytes(32)
  await second.write(key, Readable.from([Buffer.from('bytes')]))
  const buffer = Buffer.alloc(5)

  t.equal(await both.readInto(key, buffer), 5)
  t.equal(buffer.toString(), 'bytes')
  await t.rejects(both.read(missing), { code: 'BLOB_NOT_FOUND' })
  t.equal(await both.secret.read(), null)
  await second.secret.replace(secret)
  t.strictSame(await both.secret.read(), secret)

  const away = async (): Promise<never> => {
    throw new AppError('STORAGE_UNAVAILABLE', 'away', { retryable: true })
  }
  const silent = eitherStore({ ...first, readInto: away, secret: { ...first.secret, read: away } }, second)
  t.equal(await silent.readInto(key, buffer), 5)
  t.strictSame(await silent.secret.read(), secret)
  await t.rejects(silent.readInto(missing, buffer), { code: 'STORAGE_UNAVAILABLE' }, 'it may be in the first')
})

t.test('the settings of the other store have a prefix, and mistakes in them are named', async (t) => {
  t.equal(secondStoreConfig({ BLOB_DIR: '/a' }), undefined)
  t.match(secondStoreConfig({ SECOND_BLOB_DIR: '/b' }), { BLOB_DIR: '/b' })
  t.throws(() => secondStoreConfig({ SECOND_S3_BUCKET: 'files' }), {
    message: /S3_REGION.*begin with SECOND_/
  })
  t.throws(() => secondStoreConfig({ SECOND_S3_REGION: 'eu-central-1' }), { code: 'CONFIG_INVALID' })
})
