import t, { type Test } from 'tap'
import { blobKeyOf } from '@filewright/blob-store'
import { createRescanFile } from '@filewright/domain'
import { createId, createLogger, systemClock } from '@filewright/runtime'
import { startTestGateway, type InjectResponse, type TestGateway } from '../../helpers/test-gateway.js'

const details = { accept: 'application/vnd.filewright+json' }
type Method = 'GET' | 'POST' | 'DELETE'

function clientOf(gateway: TestGateway, token: string) {
  const call = async (method: Method, url: string, headers = {}): Promise<InjectResponse> =>
    await gateway.app.inject({ method, url, headers: { authorization: `Bearer ${token}`, ...headers } })
  return {
    get: async (url: string, headers = {}) => await call('GET', url, headers),
    remove: async (id: string) => await call('DELETE', `/api/files/${id}`),
    restore: async (id: string, headers = {}) => await call('POST', `/api/trash/${id}/restore`, headers),
    erase: async (id: string) => await call('DELETE', `/api/trash/${id}`),
    empty: async (query: string) => await call('DELETE', `/api/trash${query}`),
    idsIn: async (project: string): Promise<string[]> =>
      (await call('GET', `/api/trash?project_id=${project}`)).json().files.map(({ id }: { id: string }) => id)
  }
}

async function isEverywhere(t: Test, gateway: TestGateway, id: string, status: number): Promise<void> {
  const paths = [`/api/files/${id}`, `/api/files/${id}/download`, `/files/${id}/download`, `/cdn/files/${id}`]
  const token = await gateway.token('*')
  for (const url of paths) {
    for (const method of ['GET', 'HEAD'] as const) {
      const headers = { authorization: `Bearer ${token}` }
      t.equal((await gateway.app.inject({ method, url, headers })).statusCode, status, `${method} ${url}`)
    }
  }
}

t.test('a deleted file', async (t) => {
  const gateway = await startTestGateway(t)
  const token = await gateway.token('*')
  const client = clientOf(gateway, token)

  t.test('is 404 on every address and in no list, and comes back as it was', async (t) => {
    const project = createId()
    const id = await gateway.store({ project, folder: 'a/b', name: 'x.txt' })
    const before = await client.get(`/api/files/${id}`, details)

    const deleted = await client.remove(id)

    t.equal(deleted.statusCode, 200)
    t.strictSame(deleted.json(), { message: 'File deleted successfully' })
    await isEverywhere(t, gateway, id, 404)
    for (const query of ['', '&search=x', '&folder=a/b', '&type=code']) {
      const { files, pagination } = (await client.get(`/api/files?project_id=${project}${query}`)).json()
      t.strictSame([files, pagination.total], [[], 0], query)
    }
    t.strictSame((await client.get(`/api/folders?project_id=${project}`)).json(), { folders: [] })
    t.match(
      (await client.get('/api/projects')).json().projects.find((each: { id: string }) => each.id === project),
      {
        files: 0,
        bytes: 0
      }
    )
    t.equal((await client.remove(id)).statusCode, 404, 'a second delete')
    t.ok(await gateway.blobs.stat(blobKeyOf(id)), 'its bytes are kept')

    const restored = await client.restore(id)

    t.equal(restored.statusCode, 200)
    t.strictSame(Object.keys(restored.json().file).sort(), [
      'created_at',
      'download_url',
      'id',
      'name',
      'size',
      'type',
      'url'
    ])
    await isEverywhere(t, gateway, id, 200)
    t.strictSame((await client.get(`/api/files/${id}`, details)).json(), before.json())
    t.strictSame((await client.restore(id, details)).json(), before.json(), 'a second restore')
    t.strictSame(await client.idsIn(project), [])
  })

  t.test('is listed in the trash, last deleted first, page by page', async (t) => {
    const project = createId()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      ids.push(await gateway.store({ project }))
      await client.remove(ids.at(-1) ?? '')
    }

    const first = await client.get(`/api/trash?project_id=${project}&limit=2`)

    t.strictSame(first.json().pagination, { page: 1, limit: 2, total: 5 })
    const [file] = first.json().files
    t.strictSame(Object.keys(file).sort(), [
      'created_at',
      'deleted_at',
      'expires_at',
      'folder',
      'id',
      'name',
      'size',
      'type'
    ])
    t.equal(Date.parse(file.expires_at) - Date.parse(file.deleted_at), 7 * 86_400_000)
    const seen: string[] = []
    for (let url: string | undefined = `/api/trash?project_id=${project}&limit=2`; url !== undefined; ) {
      const page: InjectResponse = await client.get(url)
      seen.push(...page.json().files.map(({ id }: { id: string }) => id))
      url = /<http:\/\/files\.test([^>]+)>/.exec(String(page.headers['link'] ?? ''))?.[1]
      if (seen.length === 2) await client.restore(seen[0] ?? '')
    }
    t.strictSame(seen, ids.toReversed())
    const byNumber = await client.get(`/api/trash?project_id=${project}&limit=2&page=2`)
    t.strictSame([byNumber.json().files.length, byNumber.headers['link']], [2, undefined])
    const cursor = new URL(/<([^>]+)>/.exec(String(first.headers['link']))?.[1] ?? '').searchParams.get(
      'after'
    )
    for (const query of [
      '',
      '?project_id=',
      `?project_id=${project}&page=0`,
      `?project_id=${project}&after=x`,
      `?project_id=${project}&page=1&after=${cursor}`,
      `?project_id=other&after=${cursor}`
    ]) {
      t.equal((await client.get(`/api/trash${query}`)).statusCode, 400, query)
    }
    t.equal((await client.get(`/api/files?project_id=${project}&after=${cursor}`)).statusCode, 400)
  })

  t.test('has one winner among twenty deletes, twenty restores, and both', async (t) => {
    const id = await gateway.store()
    const statuses = async (ask: () => Promise<InjectResponse>): Promise<number[]> =>
      (await Promise.all(Array.from({ length: 20 }, ask))).map(({ statusCode }) => statusCode)

    t.equal(
      (await statuses(async () => await client.remove(id))).filter((status) => status === 200).length,
      1
    )
    t.strictSame(await statuses(async () => await client.restore(id)), Array(20).fill(200))

    const mixed = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => await (i % 2 === 0 ? client.remove(id) : client.restore(id)))
    )
    for (const { statusCode } of mixed) t.ok([200, 404].includes(statusCode), String(statusCode))
    t.ok(await gateway.blobs.stat(blobKeyOf(id)))
    t.equal((await client.restore(id)).statusCode, 200)
    await isEverywhere(t, gateway, id, 200)
  })

  t.test('is permanently deleted from the trash once, with its bytes', async (t) => {
    const id = await gateway.store()
    t.equal((await client.erase(id)).statusCode, 404, 'not before it is in the trash')
    await client.remove(id)

    const answers = await Promise.all(Array.from({ length: 10 }, async () => await client.erase(id)))

    t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
    t.strictSame(answers.find(({ statusCode }) => statusCode === 200)?.json(), {
      message: 'File deleted permanently'
    })
    t.equal((await gateway.database.files.findStates([id])).size, 0)
    t.equal(await gateway.blobs.stat(blobKeyOf(id)), null)
    t.match(await client.restore(id), { statusCode: 404, body: '{"error":"File not found"}' })
  })

  t.test('emptying the trash deletes the files of that project only', async (t) => {
    const [project, other] = [createId(), createId()]
    const ids = [await gateway.store({ project }), await gateway.store({ project })]
    const [kept, foreign] = [await gateway.store({ project }), await gateway.store({ project: other })]
    for (const id of [...ids, foreign]) await client.remove(id)

    t.match(await client.empty(''), { statusCode: 400 })
    const emptied = await client.empty(`?project_id=${project}`)

    t.strictSame([emptied.statusCode, emptied.json()], [200, { deleted: 2 }])
    t.strictSame((await client.empty(`?project_id=${project}`)).json(), { deleted: 0 })
    for (const id of ids) t.equal((await client.restore(id)).statusCode, 404)
    t.equal((await client.get(`/api/files/${kept}`)).statusCode, 200)
    t.strictSame(await client.idsIn(other), [foreign])
  })

  t.test('is invisible to a token of another project', async (t) => {
    const id = await gateway.store({ project: 'acme' })
    await client.remove(id)
    const stranger = clientOf(gateway, await gateway.token('other'))
    const absent = await stranger.restore(createId())

    for (const answer of [await stranger.restore(id), await stranger.erase(id), await stranger.erase('x!')]) {
      t.strictSame([answer.statusCode, answer.body], [404, absent.body])
    }
    t.equal((await stranger.get('/api/trash?project_id=acme')).statusCode, 403)
    t.equal((await stranger.empty('?project_id=acme')).statusCode, 403)
    t.equal((await client.restore(id)).statusCode, 200)
    t.equal((await stranger.restore(id)).statusCode, 404, 'nor when it is restored')
    t.equal((await gateway.app.inject({ url: '/api/trash?project_id=acme' })).statusCode, 401)
  })

  t.test('completes downloads that began before the delete', async (t) => {
    const content = Buffer.alloc(3_000_000, 'x')
    const id = await gateway.store({ name: 'big.txt', content })
    const address = await gateway.app.listen({ port: 0 })
    const response = await fetch(`${address}/cdn/files/${id}`)
    const reader = response.body!.getReader()
    let bytes = (await reader.read()).value?.length ?? 0

    t.equal((await client.remove(id)).statusCode, 200)

    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      bytes += value.length
    }
    t.equal(bytes, content.length)
  })

  t.test('keeps the response of its Idempotency-Key', async (t) => {
    const parts = [
      { name: 'project_id', value: 'keyed' },
      { name: 'file', filename: 'a.txt', content: 'x' }
    ]
    const key = { 'idempotency-key': createId() }
    const first = await gateway.upload(parts, token, key)
    await client.remove(first.json().file.id)

    const again = await gateway.upload(parts, token, key)

    t.strictSame([again.statusCode, again.json()], [201, first.json()])
    t.equal(again.headers['idempotent-replayed'], 'true')
    await isEverywhere(t, gateway, first.json().file.id, 404)
    t.strictSame(await client.idsIn('keyed'), [first.json().file.id])
  })
})

t.test('a file in the trash that new signatures find infected is withdrawn permanently', async (t) => {
  const gateway = await startTestGateway(t)
  const client = clientOf(gateway, await gateway.token('*'))
  const { files, rescans } = gateway.database
  const rescan = createRescanFile({
    files,
    rescans,
    blobs: gateway.blobs,
    requestVerdict: gateway.requestVerdict,
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    deadlineMs: 10_000
  })
  const infected = { verdict: 'infected', signature: 'New.Virus', engine: 'test/9' } as const

  for (const [name, { status, act }] of Object.entries({
    'in the trash': { status: 404, act: async () => {} },
    'restored during its scan': {
      status: 410,
      act: async (id: string) => {
        await client.restore(id)
      }
    }
  })) {
    const id = await gateway.store({ project: 'rescanned' })
    await client.remove(id)
    const kept = await gateway.database.trash.find(id, 'token')
    if (kept?.state !== 'trashed') return t.fail('not in the trash')
    gateway.onScan(async () => {
      await act(id)
      return infected
    })

    t.match(await rescan(kept), { withdrawn: true }, name)
    gateway.onScan(async () => ({ verdict: 'clean', engine: 'test/1' }))
    t.strictSame(await files.findStates([id]), new Map([[id, 'quarantined']]))
    t.equal(await gateway.blobs.stat(blobKeyOf(id)), null)
    t.strictSame(await client.idsIn('rescanned'), [])
    await isEverywhere(t, gateway, id, status)
  }
  const id = await gateway.store()
  await client.remove(id)
  await files.markQuarantined(id, { engine: 'test/9', signature: 'New.Virus', at: new Date() }, 'stored')
  const refused = await client.restore(id)

  t.equal(refused.statusCode, 410)
  t.strictSame(refused.json(), { error: 'File withdrawn by security scan, it cannot be restored' })
  t.equal(refused.headers['x-rejection'], 'withdrawn; new signatures found malware in this file')
  const stranger = clientOf(gateway, await gateway.token('other'))
  t.equal((await stranger.restore(id)).statusCode, 404)
  t.equal((await client.erase(id)).statusCode, 404)
})

t.test('the trash counts towards quotas, and the error says so', async (t) => {
  const gateway = await startTestGateway(t, { quotas: { token: { maxBytes: 30 } } })
  const token = await gateway.token('*')
  const client = clientOf(gateway, token)
  const project = createId()
  const store = async (content: string): Promise<InjectResponse> =>
    await gateway.upload(
      [
        { name: 'project_id', value: project },
        { name: 'file', filename: 'a.txt', content }
      ],
      token
    )
  const first = (await store('x'.repeat(20))).json().file.id as string
  await client.remove(first)

  t.match(await store('x'.repeat(11)), {
    statusCode: 403,
    body: `{"error":"The file does not fit into the token's limit of 30 bytes; 20 bytes in the trash count, too"}`
  })
  await gateway.database.quotas.setProject(project, { maxFiles: 1 })
  const asked = async (): Promise<InjectResponse> => await store('y')
  // The gateway may still have the project's old limit.
  let refused = await asked()
  while (refused.statusCode === 201) {
    await client.remove(refused.json().file.id)
    await client.erase(refused.json().file.id)
    refused = await asked()
  }
  t.match(refused, {
    statusCode: 403,
    body: '{"error":"The project has reached its limit of 1 file; 1 file in the trash counts, too"}'
  })
  t.equal((await client.restore(first)).statusCode, 200, 'a restore needs no room, whatever the quota is now')
  t.match(await store('y'), {
    statusCode: 403,
    body: '{"error":"The project has reached its limit of 1 file"}'
  })
  await client.remove(first)
  await client.erase(first)
  t.equal((await store('y')).statusCode, 201)
})

t.test(
  'with the trash off, deletes are permanent, and files already in it can be restored until a sweep',
  async (t) => {
    const gateway = await startTestGateway(t, { trashDays: 0 })
    const client = clientOf(gateway, await gateway.token('*'))
    const [id, older] = [await gateway.store({ project: 'off' }), await gateway.store({ project: 'off' })]
    await gateway.database.files.markTrashed(older)

    t.equal((await client.remove(id)).statusCode, 200)

    t.equal((await gateway.database.files.findStates([id])).size, 0)
    t.equal(await gateway.blobs.stat(blobKeyOf(id)), null)
    t.equal((await client.restore(id)).statusCode, 404)
    t.strictSame(await client.idsIn('off'), [older])
    t.equal((await client.restore(older)).statusCode, 200)
  }
)

t.test('a delete is one statement that commits, and touches no blob', async (t) => {
  const calls: string[] = []
  const noted = <T extends object>(target: T, prefix: string): T =>
    new Proxy(target, {
      get: (object, name) => {
        const value = Reflect.get(object, name) as unknown
        if (typeof value !== 'function') return value
        return (...values: unknown[]) => {
          calls.push(`${prefix}.${String(name)}`)
          return value.apply(object, values)
        }
      }
    })
  const gateway = await startTestGateway(t, {
    wrapFiles: (files) => noted(files, 'files'),
    wrapBlobs: (blobs) => noted(blobs, 'blobs')
  })
  const id = await gateway.store()
  calls.length = 0

  await clientOf(gateway, await gateway.token('*')).remove(id)

  t.strictSame(calls, ['files.findReady', 'files.markTrashed'])
})
