import { execFile } from 'node:child_process'
import { appendFile, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { poll, startStack } from '@filewright/testing'
import { admin, createClient } from '../../src/index.js'

t.setTimeout(600_000)

const script = resolve(
  fileURLToPath(new URL('.', import.meta.url)),
  '../../../../../infra/tooling/bin/admin.mjs'
)

t.test("an operator's commands on a running stack", async (t) => {
  const stack = await startStack(t, { env: { RESCAN_INTERVAL_MS: '300', CLAMD_SETTLE_MS: '500' } })
  const client = createClient(stack.baseUrl, stack.token)
  const run = async (...args: string[]): Promise<any> => await admin(stack.dataDir, ...args)
  const upload = async (content: string, name: string): Promise<{ id: string; url: string }> =>
    (await client.upload({ content, name, project: 'shop' })).body.file

  await t.test('tokens, projects, files and queues can be listed and changed', async (t) => {
    const { id } = await upload('first file\n', 'first.txt')
    const { id: tokenId, token } = await run('token', 'create', '--name', 'ci', '--project', 'shop')

    t.match(await run('token', 'list'), [{ name: 'local' }, { id: tokenId, name: 'ci', projects: ['shop'] }])
    t.equal((await createClient(stack.baseUrl, token).call('GET', `/api/files/${id}`)).status, 200)
    t.equal((await createClient(stack.baseUrl, token).call('GET', '/api/files?project_id=shop')).status, 200)
    t.equal((await createClient(stack.baseUrl, token).call('GET', '/api/files?project_id=other')).status, 403)
    t.match(await run('token', 'revoke', tokenId), { revoked: 1, id: tokenId })
    t.equal((await createClient(stack.baseUrl, token).call('GET', `/api/files/${id}`)).status, 401)
    t.match(await run('project', 'list'), [{ id: 'shop', files: 1, bytes: 11 }])
    t.match(await run('project', 'usage', 'shop'), { files: 1, bytes: 11 })
    t.match(await run('file', 'show', id), { id, state: 'ready', name: 'first.txt', stored_bytes: 11 })
    t.match(await run('file', 'rescan', id), { id, verdict: 'clean', withdrawn: false })
    t.match(await run('queue', 'status'), [
      { name: 'scan', has_worker: true },
      { name: 'inference', has_worker: true }
    ])
    t.match(await run('reconcile'), { records: 1, blobs: 1, orphans: [], lost: [], damaged: [] })
    t.match(await run('reconcile', '--fix'), { fixed: true })
    t.match(await run('migrate'), { applied: [] })
  })

  await t.test("a token's quota applies from its first upload on", async (t) => {
    const { token } = await run(
      'token',
      'create',
      '--name',
      'one-file',
      '--project',
      'quota',
      '--max-files',
      '1'
    )
    const uploader = createClient(stack.baseUrl, token)

    t.equal((await uploader.upload({ content: 'a', name: 'a.txt', project: 'quota' })).status, 201)
    t.equal((await uploader.upload({ content: 'b', name: 'b.txt', project: 'quota' })).status, 403)
  })

  await t.test('a file with lost bytes, once removed by reconcile, answers 404', async (t) => {
    const { id } = await upload('soon lost\n', 'lost.txt')
    await rm(await blobPath(stack.dataDir, id))

    t.match(await run('reconcile', '--fix', '--yes'), { removed: { records: 1 } })
    t.equal((await client.call('GET', `/api/files/${id}`)).status, 404)
  })

  await t.test('the doctor finds every part healthy, and prints a table', async (t) => {
    const { ok, checks } = await run('doctor')

    t.equal(ok, true, JSON.stringify(checks, null, 2))
    t.strictSame(
      checks
        .filter(({ status }: { status: string }) => status === 'broken' || status === 'skipped')
        .map(({ name, found }: { name: string; found: string }) => `${name}: ${found}`),
      [
        'bucket addresses: CDN_DIRECT is off: the gateway sends the bytes',
        'OpenAI API: no model is configured to use it: MODEL_PROVIDER is ollama'
      ]
    )
    const { stdout } = await promisify(execFile)(process.execPath, [script, 'doctor'], {
      env: { ...process.env, DATA_DIR: stack.dataDir }
    })
    t.match(stdout, /STATE +PART +FOUND\nok +Node\.js/)
  })

  await t.test(
    'a stored file that a new signature reports infected disappears from every address, without a restart',
    async (t) => {
      const marker = `harmless until today ${Date.now()}`
      const infected = await upload(`${marker}\n`, 'infected.txt')
      const sound = await upload('as harmless as ever\n', 'sound.txt')
      const addresses = [
        `/api/files/${infected.id}`,
        `/api/files/${infected.id}/download`,
        `/files/${infected.id}/download`
      ]
      const { engine } = await run('file', 'show', sound.id)
      for (const address of addresses) {
        t.equal((await client.download(`${stack.baseUrl}${address}`)).status, 200)
      }
      t.equal((await client.download(infected.url)).status, 200)

      await appendFile(
        join(stack.dataDir, 'clamav', 'own.ndb'),
        `Own.Found.Later:0:*:${Buffer.from(marker).toString('hex')}\n`
      )
      await reload(stack.info().clamd)
      await poll(async () => (await client.download(infected.url)).status === 410, {
        timeoutMs: 120_000,
        what: 'the infected file to disappear'
      })

      for (const address of addresses) {
        const { status, bytes } = await client.download(`${stack.baseUrl}${address}`)
        t.equal(status, 410, address)
        t.strictSame(JSON.parse(bytes.toString()), {
          error: 'File withdrawn by security scan, it cannot be restored'
        })
      }
      t.notMatch(await client.call('GET', '/api/files?project_id=shop'), {
        body: { files: [{ id: infected.id }] }
      })
      t.match(await run('file', 'show', infected.id), {
        state: 'quarantined',
        signature: 'Own.Found.Later.UNOFFICIAL',
        stored_bytes: null
      })
      t.equal((await client.download(sound.url)).status, 200, 'others stay')
      t.equal(
        (await client.upload({ content: `${marker}\n`, name: 'again.txt', project: 'shop' })).status,
        400
      )
      await poll(async () => (await run('file', 'show', sound.id)).engine !== engine, {
        timeoutMs: 120_000,
        intervalMs: 1_000,
        what: 'a new verdict on the sound file'
      })
    }
  )
})

async function blobPath(dataDir: string, id: string): Promise<string> {
  const entries = await readdir(join(dataDir, 'blobs'), { recursive: true })
  return join(dataDir, 'blobs', entries.find((entry) => entry.includes(id)) ?? 'no blob')
}

/** As freshclam notifies clamd of new signatures. */
async function reload(clamd: { socket: string } | { host: string; port: number }): Promise<void> {
  const reply = await new Promise<string>((resolve, reject) => {
    const socket = 'socket' in clamd ? connect(clamd.socket) : connect(clamd.port, clamd.host)
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.write('zRELOAD\0')
  })
  if (reply !== 'RELOADING\0') throw new Error(`clamd answers ${reply}`)
}
