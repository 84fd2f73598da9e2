import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createStackFile } from '../../src/stack-file.js'
import { tempFolder } from '../helpers/temp-folder.js'

type Settings = Record<string, string>
interface Lib {
  runningStackSettings: (dataDir: string) => Settings | null
  refuseContradictions: (stack: Settings, env: Record<string, string | undefined>, dataDir: string) => void
}
const lib = (await import(new URL('../../../lib/stack-settings.mjs', import.meta.url).href)) as Lib

const DATABASE_URL = 'postgresql://user:secret@db/one'

function recorded(t: Test, store: Settings): string {
  const dataDir = tempFolder(t)
  mkdirSync(join(dataDir, 'run'))
  createStackFile(join(dataDir, 'run', 'stack.json'), {
    baseUrl: 'http://localhost:3000',
    listenUrl: 'http://127.0.0.1:3000',
    adminUrl: 'http://127.0.0.1:3001',
    databaseUrl: DATABASE_URL,
    redisUrl: 'redis://r',
    clamd: { socket: '/tmp/c' },
    ollamaUrl: 'http://o',
    store,
    quotas: { PROJECT_MAX_FILES: '5' },
    webhooks: { WEBHOOK_KEY: 'a key of this stack', WEBHOOK_ALLOW_PRIVATE: 'true' },
    probeUrls: {},
    dataDir,
    socketDir: '/tmp/s'
  })
  return dataDir
}

t.test('commands get the database and the store of the running stack', async (t) => {
  const bucket = { GCS_BUCKET: 'acme', GCS_API_ENDPOINT: 'http://storage:4443' }

  const folder = { BLOB_DIR: '/data/blobs' }
  const settingsOf = (store: Settings): Settings | null => lib.runningStackSettings(recorded(t, store))

  t.match(settingsOf(bucket), { DATABASE_URL, ...bucket, BLOB_DIR: undefined })
  t.match(settingsOf(folder), { DATABASE_URL, ...folder, GCS_BUCKET: undefined })
  t.match(settingsOf(folder), { PROJECT_MAX_FILES: '5' }, 'and the quotas, which project usage shows')
  t.match(
    settingsOf(folder),
    { WEBHOOK_KEY: 'a key of this stack', WEBHOOK_ALLOW_PRIVATE: 'true' },
    'and what webhooks are created with'
  )
  t.equal(lib.runningStackSettings(tempFolder(t)), null)
})

t.test('leftovers of a killed stack count as no stack', async (t) => {
  const dataDir = recorded(t, { BLOB_DIR: '/data/blobs' })
  const script = `
    import { readFileSync, writeFileSync } from 'node:fs'
    const path = process.argv[1]
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path)), pid: process.pid }))`
  const path = join(dataDir, 'run', 'stack.json')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, path])
  await once(child, 'exit')

  t.equal(lib.runningStackSettings(dataDir), null)
})

t.test('an environment that names other data than the stack is refused', async (t) => {
  const folder = { DATABASE_URL, BLOB_DIR: '/data/blobs' }
  const bucket = { DATABASE_URL, GCS_BUCKET: 'acme' }
  const refused = (stack: Settings, env: Settings, message: RegExp): void => {
    t.throws(() => lib.refuseContradictions(stack, env, '/data'), { message })
  }

  refused(folder, { GCS_BUCKET: 'other' }, /GCS_BUCKET is other here, the stack has none.*DATA_DIR/)
  refused(bucket, { GCS_BUCKET: 'other' }, /GCS_BUCKET is other here, the stack has acme/)
  refused(bucket, { BLOB_DIR: '/elsewhere' }, /BLOB_DIR is \/elsewhere here, the stack has none/)
  refused(bucket, { GCS_API_ENDPOINT: 'http://x' }, /GCS_API_ENDPOINT/)
  refused(folder, { S3_BUCKET: 'other' }, /S3_BUCKET is other here, the stack has none/)
  refused(folder, { BLOB_DIR: '/elsewhere' }, /the stack has \/data\/blobs/)
  refused(folder, { DATABASE_URL: 'postgresql://u:secret@db/two' }, /^(?!.*secret).*DATABASE_URL is another/)
  const same = { ...folder, BLOB_DIR: '/data/./blobs/' }
  for (const env of [{}, { GCS_BUCKET: '' }, same, { REDIS_URL: 'redis://x' }] as Settings[]) {
    t.doesNotThrow(() => lib.refuseContradictions(folder, env, '/data'))
  }
})
