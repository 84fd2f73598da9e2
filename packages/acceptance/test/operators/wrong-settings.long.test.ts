import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import {
  createTestDatabase,
  MIGRATED,
  poll,
  SHARED_SERVER,
  startGcsServer,
  startStack,
  type RunningStack,
  type TestDatabase
} from '@filewright/testing'
import { createClient, uniqueText } from '../../src/index.js'

t.setTimeout(600_000)

const here = fileURLToPath(new URL('.', import.meta.url))
const script = resolve(here, '../../../../../infra/tooling/bin/admin.mjs')
const SWEEP_OFTEN = { SWEEP_INTERVAL_MS: '200', RESCAN_BATCH: '0' }

interface Outcome {
  code: number
  text: string
}

/** `npm run admin` in a shell of the given environment. */
async function shell(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Outcome> {
  try {
    const run = promisify(execFile)
    const options = { env: { ...process.env, ...env } }
    const { stdout, stderr } = await run(process.execPath, [script, ...args], options)
    return { code: 0, text: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, text: stdout + stderr }
  }
}

async function rows({ query }: TestDatabase): Promise<string[]> {
  const ready = "SELECT id FROM files WHERE state = 'ready' ORDER BY id"
  return (await query<{ id: string }>(ready)).rows.map(({ id }) => id)
}

async function blobsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const blobs = entries.filter((entry) => entry.isFile() && /^\w{22}$/.test(entry.name))
  return blobs.map(({ name }) => name).sort()
}

async function ownDatabase(t: Test): Promise<TestDatabase> {
  const isShared = process.env[SHARED_SERVER] !== undefined
  const database = await createTestDatabase(isShared ? { template: MIGRATED } : {})
  t.teardown(database.stop)
  return database
}

async function folderOf(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-settings-'))
  t.teardown(async () => await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  return folder
}

t.test('commands work on the bucket of the running stack, or are refused', async (t) => {
  const server = await startGcsServer()
  t.teardown(async () => await server.close())
  const bucket = { GCS_BUCKET: server.bucket, GCS_API_ENDPOINT: server.endpoint, GCS_ANONYMOUS: 'true' }
  const database = await ownDatabase(t)
  const stack = await startStack(t, { env: { ...SWEEP_OFTEN, ...bucket, DATABASE_URL: database.url } })
  const client = createClient(stack.baseUrl, stack.token)
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    await client.upload({ content: uniqueText(100), name, project: 'shop' })
  }
  const files = await rows(database)
  const inBucket = (): string[] => {
    return [...server.objects.keys()].filter((key) => files.some((id) => key.endsWith(id)))
  }
  const here = { DATA_DIR: stack.dataDir }
  const unchanged = async (t: Test, what: string): Promise<void> => {
    t.strictSame(await rows(database), files, `${what}: every row is there`)
    t.equal(inBucket().length, 3, `${what}: every object is there`)
  }

  t.match(await shell(here, 'reconcile', '--fix', '--json'), { code: 0, text: /"records": 3,\n +"blobs": 3/ })
  await unchanged(t, 'the shell knows no bucket')

  const elsewhere = await folderOf(t)
  const wrong = {
    GCS_BUCKET: 'another-bucket',
    BLOB_DIR: elsewhere,
    GCS_API_ENDPOINT: 'http://127.0.0.1:9',
    DATABASE_URL: (await ownDatabase(t)).url
  }
  for (const [key, value] of Object.entries(wrong)) {
    const text = `The settings here (environment or .env) contradict the stack that runs on ${stack.dataDir}: ${key}`
    t.match(await shell({ ...here, [key]: value }, 'reconcile', '--fix', '--yes'), { code: 1, text })
    await unchanged(t, key)
  }

  // Without a recorded stack, the identities decide.
  for (const store of [{ BLOB_DIR: elsewhere }, { BLOB_DIR: join(elsewhere, 'absent') }]) {
    const env = { DATA_DIR: elsewhere, DATABASE_URL: database.url, ...store }
    const refused = await shell(env, 'reconcile', '--fix', '--yes')
    t.match(refused, { code: 3, text: /has no marker.*Nothing was changed/ })
    t.match(await shell(env, 'doctor'), { code: 1, text: /BROKEN +identity +the blob store .* no marker/ })
    await unchanged(t, 'an absent or empty folder')
  }
  for (const [key] of [...server.objects]) if (inBucket().includes(key)) server.objects.delete(key)
  t.match(await shell(here, 'reconcile', '--fix', '--yes'), { code: 3, text: /is empty, but .* has 3 files/ })
  t.strictSame(await rows(database), files, 'an emptied bucket')
})

t.test('a stack with mismatched settings fails to start and changes nothing', async (t) => {
  const dataDir = await folderOf(t)
  const database = await ownDatabase(t)
  const first = await startStack(undefined, { dataDir, env: { ...SWEEP_OFTEN, DATABASE_URL: database.url } })
  const { upload } = createClient(first.baseUrl, first.token)
  const { body } = await upload({ content: 'kept\n', name: 'kept.txt' })
  await first.stop()
  const blobs = await blobsIn(join(dataDir, 'blobs'))
  t.strictSame(blobs, [body.file.id])
  const server = await startGcsServer()
  t.teardown(async () => await server.close())
  const bucket = { GCS_BUCKET: server.bucket, GCS_API_ENDPOINT: server.endpoint, GCS_ANONYMOUS: 'true' }
  const other = await folderOf(t)
  const otherDatabase = await ownDatabase(t)
  await (await startStack(undefined, { dataDir: other, env: { DATABASE_URL: otherDatabase.url } })).stop()

  const wrong: Record<string, { dataDir: string; env: NodeJS.ProcessEnv }> = {
    'an empty DATA_DIR': { dataDir: await folderOf(t), env: { DATABASE_URL: database.url } },
    'the DATA_DIR of another installation': { dataDir: other, env: { DATABASE_URL: database.url } },
    'a bucket instead of the folder': { dataDir, env: { DATABASE_URL: database.url, ...bucket } },
    'an empty database': { dataDir, env: { DATABASE_URL: (await ownDatabase(t)).url } },
    'the database of another installation': { dataDir, env: { DATABASE_URL: otherDatabase.url } }
  }
  for (const [what, { dataDir, env }] of Object.entries(wrong)) {
    await t.rejects(
      startStack(undefined, { dataDir, env: { ...SWEEP_OFTEN, ...env } }),
      {
        message: /gateway failed to start .*(belongs to installation|has no marker).*Nothing was changed/
      },
      what
    )
  }
  t.strictSame(await rows(database), [body.file.id])
  t.strictSame(await rows(otherDatabase), [])
  t.strictSame(await blobsIn(join(dataDir, 'blobs')), blobs)
  t.strictSame([...server.objects.keys()], [])

  const again = await startStack(t, { dataDir, env: { ...SWEEP_OFTEN, DATABASE_URL: database.url } })
  const { download } = createClient(again.baseUrl, again.token)
  t.equal((await download(`${again.baseUrl}/files/${body.file.id}/download`)).status, 200)
})

async function readiness({ adminUrl }: RunningStack): Promise<Response> {
  return await fetch(`${adminUrl}/health/ready`)
}

t.test('a disk that is unmounted under a running stack makes it unready and loses no file', async (t) => {
  const database = await ownDatabase(t)
  const stack = await startStack(t, { env: { ...SWEEP_OFTEN, DATABASE_URL: database.url } })
  const client = createClient(stack.baseUrl, stack.token)
  const folder = join(stack.dataDir, 'blobs')
  const upload = async (): Promise<number> => {
    return (await client.upload({ content: uniqueText(100), name: 'a.txt', project: 'shop' })).status
  }
  t.equal(await upload(), 201)
  const files = await rows(database)
  await rename(folder, `${folder}-unmounted`)

  t.equal(await upload(), 503, 'at once')
  await poll(async () => (await readiness(stack)).status === 503, { timeoutMs: 60_000 })
  const { checks } = (await (await readiness(stack)).json()) as { checks: object }
  t.match(checks, { storage: { state: 'down', reason: /has no marker/ } })
  t.equal(await upload(), 503)
  t.match(await shell({ DATA_DIR: stack.dataDir }, 'reconcile', '--fix', '--yes'), { code: 3 })
  t.strictSame(await rows(database), files)
  await t.rejects(readdir(folder), { code: 'ENOENT' }, 'no new store is begun')

  await rename(`${folder}-unmounted`, folder)
  await poll(async () => (await readiness(stack)).status === 200, { timeoutMs: 60_000 })
  t.equal(await upload(), 201)
  t.strictSame(await blobsIn(folder), await rows(database))
})
