import { readFileSync } from 'node:fs'
import t from 'tap'
import { bytesOf, chunks, makeEveryCall, newKey } from './helpers.js'
import { createBuilder, LARGE, leftovers } from './s3-build.js'
import type { Operation } from './s3-fault-proxy.js'

t.setTimeout(600_000)
const build = createBuilder(t)

/** What Amazon requires for each request. */
const ACTIONS: Record<Operation, string> = {
  put: 's3:PutObject',
  start: 's3:PutObject',
  part: 's3:PutObject',
  complete: 's3:PutObject',
  abort: 's3:AbortMultipartUpload',
  delete: 's3:DeleteObject',
  head: 's3:GetObject',
  get: 's3:GetObject',
  list: 's3:ListBucket',
  uploads: 's3:ListBucketMultipartUploads'
}

interface Policy {
  Statement: Array<{ Action: string[] }>
}

const page = readFileSync(new URL('../../../../docs/operations/storage.md', import.meta.url), 'utf8')
const [gateway, scanWorker] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) =>
  (JSON.parse(text) as Policy).Statement.flatMap(({ Action: actions }) => actions).sort()
)

const actionsOf = (requests: readonly Operation[]): string[] =>
  [...new Set(requests.map((operation) => ACTIONS[operation]))].sort()

t.test(
  'the documented policy of the gateway allows every request that the driver makes, and no other',
  async (t) => {
    const { proxy, store } = await build(t)
    await makeEveryCall(store, LARGE)
    await leftovers(store)
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield LARGE
      throw new Error('client went away')
    }
    await t.rejects(store.write(newKey(), failing()))

    t.strictSame(actionsOf(proxy.requests), gateway)
  }
)

t.test('the documented policy of the scan worker allows what it reads', async (t) => {
  const { proxy, store, other } = await build(t)
  const key = newKey()
  await other.write(key, chunks(LARGE))
  await other.secret.ensure()

  await bytesOf(await store.read(key))
  await store.secret.read()
  await store.stat(newKey())

  // A missing object is 404 only for those who may list.
  t.strictSame([...actionsOf(proxy.requests), 's3:ListBucket'].sort(), scanWorker)
})
