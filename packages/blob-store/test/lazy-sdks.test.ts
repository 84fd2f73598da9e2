import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const exec = promisify(execFile)
const INDEX = new URL('../src/index.js', import.meta.url).href

/** Runs the code in a process of its own and returns whether it loaded the SDK. It must not warn of anything. */
async function loadsSdk(code: string): Promise<boolean> {
  const script = `
    import { Session } from 'node:inspector'
    import { blobKeyOf, createBlobStoreFrom } from ${JSON.stringify(INDEX)}
    ${code}
    const loaded = []
    const session = new Session()
    session.connect()
    session.on('Debugger.scriptParsed', ({ params }) => loaded.push(params.url))
    // Reports every script that was loaded before.
    session.post('Debugger.enable')
    console.log(loaded.some((file) => /@aws-sdk|@smithy|storage-blob/.test(file)))`
  const { stdout, stderr } = await exec(process.execPath, ['--input-type=module', '--eval', script])
  t.equal(stderr, '')
  return stdout.trim() === 'true'
}

t.test('an SDK is loaded by the first call to its store, and by nothing else', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'filewright-lazy-'))
  t.teardown(async () => await rm(root, { recursive: true }))
  const local = `const store = createBlobStoreFrom({ BLOB_DIR: ${JSON.stringify(root)} }); await store.probe()`
  const settings = { S3_BUCKET: 'files', S3_ENDPOINT: 'http://127.0.0.1:9', S3_ALLOW_HTTP: true }
  const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
  const s3 = `const store = createBlobStoreFrom(${JSON.stringify({ ...settings, ...keys })})`

  const account = { AZURE_CONTAINER: 'files', AZURE_ACCOUNT: 'acme', AZURE_ACCOUNT_KEY: 'c2VjcmV0' }
  const emulator = { AZURE_ENDPOINT: 'http://127.0.0.1:9/acme', AZURE_ALLOW_HTTP: true }
  const azure = `const store = createBlobStoreFrom(${JSON.stringify({ ...account, ...emulator })})`

  t.equal(await loadsSdk(local), false)
  for (const bucket of [s3, azure]) {
    t.equal(await loadsSdk(bucket), false, 'not even then')
    const call = "await store.stat(blobKeyOf('0123456789abcdefghijkl')).catch(() => {})"
    t.equal(await loadsSdk(`${bucket}; ${call}`), true)
  }
})
