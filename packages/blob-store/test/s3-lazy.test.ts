import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const exec = promisify(execFile)
const INDEX = new URL('../src/index.js', import.meta.url).href

/** Runs the code in a process of its own and returns whether it loaded the SDK. */
async function loadsSdk(code: string): Promise<boolean> {
  const script = `
    import { createRequire } from 'node:module'
    import { blobKeyOf, createBlobStoreFrom } from ${JSON.stringify(INDEX)}
    ${code}
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    console.log(loaded.some((file) => file.includes('@aws-sdk') || file.includes('@smithy')))`
  const { stdout } = await exec(process.execPath, ['--input-type=module', '--eval', script])
  return stdout.trim() === 'true'
}

t.test("Amazon's SDK is loaded by the first call to an S3 store, and by nothing else", async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'filewright-lazy-'))
  t.teardown(async () => {
    await rm(root, { recursive: true })
  })
  const local = `const store = createBlobStoreFrom({ BLOB_DIR: ${JSON.stringify(root)} }); await store.probe()`
  const settings = { S3_BUCKET: 'files', S3_ENDPOINT: 'http://127.0.0.1:9', S3_ALLOW_HTTP: true }
  const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
  const s3 = `const store = createBlobStoreFrom(${JSON.stringify({ ...settings, ...keys })})`

  t.equal(await loadsSdk(local), false)
  t.equal(await loadsSdk(s3), false, 'not even then')
  t.equal(
    await loadsSdk(`${s3}; await store.stat(blobKeyOf('0123456789abcdefghijkl')).catch(() => {})`),
    true
  )
})
