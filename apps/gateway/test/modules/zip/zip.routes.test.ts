import { once } from 'node:events'
import t from 'tap'
import { blobKeyOf } from '@filewright/blob-store'
import { createId, hashToken } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import { readZip } from '../../helpers/read-zip.js'
import { connectTo, headOf } from '../../helpers/raw-request.js'
import { startTestGateway, type InjectResponse, type TestGateway } from '../../helpers/test-gateway.js'

async function ask(
  gateway: TestGateway,
  payload: object,
  projects: readonly string[] = ['*']
): Promise<InjectResponse> {
  const headers = { authorization: `Bearer ${await gateway.token(...projects)}` }
  return await gateway.app.inject({ method: 'POST', url: '/api/files/zip', headers, payload })
}

t.test('a ZIP archive', async (t) => {
  const gateway = await startTestGateway(t)
  const project = createId()
  const store = async (folder: string, name: string, content = name): Promise<string> =>
    await gateway.store({ project, folder, name, content })
  const a = await store('', 'a.txt')
  const b = await store('docs', 'b.txt')
  await store('docs/deep', 'größe.txt', 'ä')
  await store('docs2', 'c.txt')
  await gateway.store({ project: 'foreign', name: 'a.txt' })

  t.test('of a project has all its files with their folders, by name', async (t) => {
    const response = await ask(gateway, { project_id: project })

    t.equal(response.statusCode, 200)
    t.match(response.headers, {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${project}.zip"; filename*=UTF-8''${project}.zip`,
      'cache-control': 'no-store'
    })
    t.strictSame(await readZip(response.rawPayload), [
      ['a.txt', 'a.txt'],
      ['docs/b.txt', 'b.txt'],
      ['docs/deep/größe.txt', Buffer.from('ä').toString('latin1')],
      ['docs2/c.txt', 'c.txt']
    ])
  })

  t.test('of a folder is relative to it', async (t) => {
    const response = await ask(gateway, { project_id: project, folder: '/docs/' })

    t.match(response.headers, { 'content-disposition': /filename="docs\.zip"/ })
    t.strictSame(
      (await readZip(response.rawPayload)).map(([name]) => name),
      ['b.txt', 'deep/größe.txt']
    )
  })

  t.test('of a selection has its files and folders, each file once', async (t) => {
    const names = async (selection: object): Promise<string[]> =>
      (await readZip((await ask(gateway, { project_id: project, ...selection })).rawPayload)).map(
        ([name]) => name
      )

    t.strictSame(await names({ files: [a, b] }), ['a.txt', 'docs/b.txt'])
    t.strictSame(await names({ files: [b, b], folders: ['docs', 'docs/deep'], folder: 'docs' }), [
      'b.txt',
      'deep/größe.txt'
    ])
  })

  t.test('continues after a name', async (t) => {
    const response = await ask(gateway, { project_id: project, after: 'docs/b.txt' })

    t.strictSame(
      (await readZip(response.rawPayload)).map(([name]) => name),
      ['docs/deep/größe.txt', 'docs2/c.txt']
    )
    t.equal((await ask(gateway, { project_id: project, after: 'docs2/c.txt' })).statusCode, 404)
  })

  t.test('is refused as a whole if one file is of another project, missing or in the trash', async (t) => {
    const foreign = await gateway.store({ project: 'foreign' })
    const trashed = await store('', 'trashed.txt')
    await gateway.database.files.markTrashed(trashed)
    for (const id of [foreign, trashed, createId()]) {
      const response = await ask(gateway, { project_id: project, files: [a, id] }, [project])
      t.equal(response.statusCode, 404)
      t.strictSame(response.json(), { error: 'File not found' })
    }
    t.equal((await ask(gateway, { project_id: project }, ['foreign'])).statusCode, 403)
    t.equal((await ask(gateway, { project_id: project, folder: 'none' })).statusCode, 404)
    t.equal((await ask(gateway, { project_id: project, files: [], folders: [] })).statusCode, 404)
  })

  t.test('is refused for an invalid request', async (t) => {
    const bodies = [
      [],
      { files: [a] },
      { project_id: project, file: [a] },
      { project_id: project, files: a },
      { project_id: project, files: ['../x'] },
      { project_id: project, files: [1] },
      { project_id: project, folder: '..' },
      { project_id: project, folders: ['a\\b'] },
      { project_id: project, folders: Array.from({ length: 1_001 }, (_, i) => `f${i}`) },
      { project_id: project, after: 7 }
    ]
    for (const body of bodies) {
      t.equal((await ask(gateway, body)).statusCode, 400, JSON.stringify(body).slice(0, 80))
    }
    const token = await gateway.token('*')
    const got = await gateway.app.inject({
      url: '/api/files/zip',
      headers: { authorization: `Bearer ${token}` }
    })
    t.equal(got.statusCode, 405)
  })
})

t.test('a file that is deleted or withdrawn before its turn is left out', async (t) => {
  let beforeOpen = async (_key: string): Promise<void> => {}
  const gateway = await startTestGateway(t, {
    wrapBlobs: (blobs) => ({
      ...blobs,
      open: async (key, options) => {
        await beforeOpen(key)
        return await blobs.open(key, options)
      }
    })
  })
  const project = createId()
  const ids: string[] = []
  for (const name of ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt']) {
    ids.push(await gateway.store({ project, name }))
  }
  const [first = '', second = '', third = '', fourth = ''] = ids
  beforeOpen = async (key) => {
    if (key === blobKeyOf(first)) {
      await gateway.database.files.markTrashed(second)
      const found = { engine: 'test/2', signature: 'Eicar', at: new Date() }
      await gateway.database.files.markQuarantined(third, found, 'stored')
    }
    // Between reading its record and opening its blob.
    if (key === blobKeyOf(fourth)) {
      await gateway.database.files.markDeleting(fourth)
      await gateway.blobs.remove(key)
    }
  }

  const response = await ask(gateway, { project_id: project })

  t.strictSame(
    (await readZip(response.rawPayload)).map(([name]) => name),
    ['1.txt', '5.txt']
  )
})

t.test('a token that is revoked while its archive is sent reads no further file', async (t) => {
  const opened: string[] = []
  let afterOpen = async (): Promise<void> => {}
  const gateway = await startTestGateway(t, {
    wrapBlobs: (blobs) => ({
      ...blobs,
      open: async (key, options) => {
        opened.push(key)
        await afterOpen()
        return await blobs.open(key, options)
      }
    })
  })
  const origin = await gateway.app.listen({ port: 0 })
  const project = createId()
  const first = await gateway.store({ project, name: 'a.txt' })
  await gateway.store({ project, name: 'b.txt' })
  const token = await gateway.token(project)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  afterOpen = async () => {
    const record = await gateway.database.tokens.findByHash(hashToken(token))
    await gateway.database.tokens.revoke(record?.id ?? '', new Date())
    await poll(async () => (await fetch(`${origin}/api/projects`, { headers })).status === 401)
  }

  const body = JSON.stringify({ project_id: project })
  const response = await fetch(`${origin}/api/files/zip`, { method: 'POST', headers, body })

  await t.rejects(response.arrayBuffer(), 'the client knows')
  t.strictSame(opened, [blobKeyOf(first)])
})

t.test('stored bytes that are damaged, truncated or lost break the download', async (t) => {
  const gateway = await startTestGateway(t)
  const origin = await gateway.app.listen({ port: 0 })
  const headers = {
    authorization: `Bearer ${await gateway.token('*')}`,
    'content-type': 'application/json'
  }
  const damages: Array<(id: string) => Promise<unknown>> = [
    async (id) => await gateway.overwriteOnDisk(id, Buffer.from('wrong')),
    async (id) => await gateway.overwriteOnDisk(id, Buffer.from('shor')),
    async (id) => await gateway.overwriteOnDisk(id, Buffer.from('longer than it was')),
    async (id) => await gateway.blobs.remove(blobKeyOf(id))
  ]
  for (const damage of damages) {
    const project = createId()
    await gateway.store({ project, name: 'a.txt' })
    await damage(await gateway.store({ project, name: 'b.txt', content: 'right' }))
    const response = await fetch(`${origin}/api/files/zip`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ project_id: project })
    })

    await t.rejects(response.arrayBuffer(), 'the client knows')
  }
})

t.test('a client that disconnects or stops reading frees the open file', async (t) => {
  let open = 0
  let opened = 0
  const gateway = await startTestGateway(t, {
    idleTimeoutMs: 300,
    wrapBlobs: (blobs) => ({
      ...blobs,
      open: async (key, options) => {
        const reader = await blobs.open(key, options)
        open++
        opened++
        return {
          next: async () => await reader.next(),
          close: async () => {
            open--
            await reader.close()
          }
        }
      }
    })
  })
  const project = createId()
  for (const name of ['a.bin', 'b.bin', 'c.bin']) {
    await gateway.store({ project, name, content: Buffer.alloc(20_000_000, name) })
  }
  const token = await gateway.token('*')
  const body = JSON.stringify({ project_id: project })
  const head = headOf('/api/files/zip', token, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body)
  })

  const leaving = await connectTo(t, gateway)
  leaving.write(head + body)
  await once(leaving, 'data')
  leaving.destroy()
  await poll(async () => opened >= 1 && open === 0)
  t.equal(opened, 1, 'no further file is opened')

  const silent = await connectTo(t, gateway)
  silent.pause()
  silent.write(head + body)
  await poll(async () => opened >= 2)
  await poll(async () => open === 0)
  t.equal(open, 0)
})
