import t, { type Test } from 'tap'
import { createId } from '@filewright/runtime'
import { clean, startTestGateway, type InjectResponse, type TestGateway } from '../../helpers/test-gateway.js'

const pathsOf = (id: string): string[] => [
  `/api/files/${id}`,
  `/api/files/${id}/download`,
  `/files/${id}/download`,
  `/api/files/${id}/receipt`
]

const ask = async (
  gateway: TestGateway,
  token: string,
  url: string,
  method: 'GET' | 'HEAD' | 'DELETE' | 'PATCH' = 'GET'
): Promise<InjectResponse> =>
  await gateway.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(method === 'PATCH' ? { payload: { name: 'b.txt' } } : {})
  })

const withdraw = async (gateway: TestGateway, id: string): Promise<boolean> =>
  await gateway.database.files.markQuarantined(
    id,
    { engine: 'test/2', signature: 'New.Virus', at: new Date() },
    'stored'
  )

const isGone = (t: Test, answer: InjectResponse, what: string): void => {
  t.equal(answer.statusCode, 410, what)
  t.equal(answer.headers['x-rejection'], 'withdrawn; new signatures found malware in this file', what)
  t.equal(answer.headers['cache-control'], 'no-store', what)
}

t.test('a withdrawn file is 410 for tokens with access to its project, and 404 for all others', async (t) => {
  const gateway = await startTestGateway(t)
  const project = createId()
  const [mine, foreign] = [await gateway.token(project), await gateway.token('other')]
  const id = await gateway.store({ project })
  t.equal(await withdraw(gateway, id), true)

  for (const url of pathsOf(id)) {
    for (const method of ['GET', 'HEAD'] as const) {
      isGone(t, await ask(gateway, mine, url, method), `${method} ${url}`)
      const [refused, absent] = [
        await ask(gateway, foreign, url, method),
        await ask(gateway, foreign, url.replace(id, 'A'.repeat(22)), method)
      ]
      t.equal(refused.statusCode, 404, `${method} ${url} by another project's token`)
      t.equal(refused.body, absent.body)
      const { 'x-request-id': _one, date: _then, ...headers } = refused.headers
      const { 'x-request-id': _other, date: _now, ...others } = absent.headers
      t.strictSame(headers, others)
    }
    t.equal((await ask(gateway, 'wrong', url)).statusCode, 401)
  }
  isGone(t, await gateway.app.inject({ url: `/cdn/files/${id}` }), 'the public address')
  t.strictSame(Object.keys((await ask(gateway, mine, `/api/files/${id}`)).json()), ['error'])
  for (const method of ['DELETE', 'PATCH'] as const) {
    const changed = await ask(gateway, mine, `/api/files/${id}`, method)
    t.equal(changed.statusCode, 404, 'changes are answered as the specification says')
  }
})

t.test('a file stays 404 if its upload was refused or its owner had deleted it', async (t) => {
  const gateway = await startTestGateway(t)
  const token = await gateway.token('*')
  gateway.onScan(async () => ({ verdict: 'infected', signature: 'Eicar', engine: 'test/1' }))
  await gateway.upload([
    { name: 'project_id', value: 'refused' },
    { name: 'file', filename: 'a.txt', content: 'x' }
  ])
  const refused = gateway.scanned.at(-1)?.fileId ?? ''
  gateway.onScan(async () => clean)
  const deleted = await gateway.store()
  await gateway.database.files.markTrashed(deleted)
  await withdraw(gateway, deleted)

  for (const id of [refused, deleted]) {
    for (const url of [...pathsOf(id), `/cdn/files/${id}`]) {
      t.equal((await ask(gateway, token, url)).statusCode, 404)
    }
  }
})

t.test('an expired signed address does not reveal that its file was withdrawn', async (t) => {
  const gateway = await startTestGateway(t, { signing: { key: 'k'.repeat(32), ttlSeconds: 60 } })
  const id = await gateway.store()
  const { pathname, search } = new URL((await gateway.get(`/api/files/${id}`)).json().file.url)
  await withdraw(gateway, id)

  t.equal((await gateway.app.inject({ url: `/cdn/files/${id}` })).statusCode, 404)
  isGone(t, await gateway.app.inject({ url: `/cdn${pathname}${search}` }), 'signed')
})

t.test('the recalls of a token include a file that it downloaded just before the withdrawal', async (t) => {
  const gateway = await startTestGateway(t)
  const [home, away] = [createId(), createId()]
  const [owner, visitor, neighbour] = [
    await gateway.token(home),
    await gateway.token(home, away),
    await gateway.token(away)
  ]
  const id = await gateway.store({ project: home, folder: 'a', name: 'x.txt' })
  const recallsOf = async (token: string, query = '') =>
    (await ask(gateway, token, `/api/recalls${query}`)).json().recalls

  t.equal((await ask(gateway, visitor, `/api/files/${id}/download`)).statusCode, 200)
  t.equal((await ask(gateway, owner, `/api/files/${id}/download`, 'HEAD')).statusCode, 200)
  t.strictSame(await recallsOf(visitor), [])
  await withdraw(gateway, id)

  const [seen] = await recallsOf(owner)
  t.match(seen, { id, project_id: home, name: 'x.txt', folder: 'a', signature: 'New.Virus', downloaders: 1 })
  t.equal(seen.downloaded_at, null, 'HEAD is no download')
  t.match((await recallsOf(visitor))[0].downloaded_at, /^\d{4}-/)
  t.match(await recallsOf(neighbour), [
    { id, project_id: null, name: null, folder: null, downloaded_at: null }
  ])
  t.match(await recallsOf(visitor, `?project_id=${away}`), [{ id }])
  t.strictSame(await recallsOf(await gateway.token('other')), [])
  t.strictSame(await recallsOf(owner, `?since=${new Date(Date.now() + 60_000).toISOString()}`), [])
  t.strictSame(await recallsOf(owner, `?since=${seen.withdrawn_at}&after=${id}`), [], 'the next page')
  t.match(await recallsOf(owner, `?since=${seen.withdrawn_at}`), [{ id }])
})

t.test("a project's list omits foreign files that only a token for every project downloaded", async (t) => {
  const gateway = await startTestGateway(t)
  const [home, away] = [createId(), createId()]
  const operator = await gateway.token('*')
  const id = await gateway.store({ project: home })
  t.equal((await ask(gateway, operator, `/api/files/${id}/download`)).statusCode, 200)
  await withdraw(gateway, id)
  const idsOf = async (query: string): Promise<string[]> =>
    (await ask(gateway, operator, `/api/recalls${query}`))
      .json()
      .recalls.map((each: { id: string }) => each.id)

  t.ok((await idsOf('')).includes(id))
  t.strictSame(await idsOf(`?project_id=${home}`), [id])
  t.strictSame(await idsOf(`?project_id=${away}`), [])
})

t.test(
  "a token that cannot see the project sees only the number of downloads by its own projects' tokens",
  async (t) => {
    const gateway = await startTestGateway(t)
    const [home, away] = [createId(), createId()]
    const [owner, visitor, neighbour, operator] = [
      await gateway.token(home),
      await gateway.token(home, away),
      await gateway.token(away),
      await gateway.token('*')
    ]
    const id = await gateway.store({ project: home })
    for (const token of [owner, visitor, operator, await gateway.token(home)]) {
      t.equal((await ask(gateway, token, `/api/files/${id}/download`)).statusCode, 200)
    }
    await withdraw(gateway, id)
    const countOf = async (token: string, query = ''): Promise<number> =>
      (await ask(gateway, token, `/api/recalls${query}`)).json().recalls[0].downloaders

    t.equal(await countOf(neighbour), 1)
    for (const token of [owner, visitor]) t.equal(await countOf(token), 4)
    t.equal(await countOf(visitor, `?project_id=${away}`), 4)
    t.equal(await countOf(operator, `?project_id=${home}`), 4)
  }
)

t.test('invalid queries are refused, and another project is 403', async (t) => {
  const gateway = await startTestGateway(t)
  const token = await gateway.token('mine')
  for (const query of [
    'since=yesterday',
    'since=',
    'since=2026-13-01',
    'since=2026-01-01T00:00:00',
    'since=1&since=2',
    'after=..%2f',
    'after=%00',
    'project_id=',
    'project_id=a%2fb'
  ]) {
    t.equal((await ask(gateway, token, `/api/recalls?${query}`)).statusCode, 400, query)
  }
  t.equal((await ask(gateway, token, '/api/recalls?project_id=other')).statusCode, 403)
  t.equal((await ask(gateway, token, '/api/recalls', 'DELETE')).statusCode, 405)
})

t.test('the log never delays or fails a download', async (t) => {
  const gateway = await startTestGateway(t, {
    wrapDownloads: (downloads) => ({
      ...downloads,
      record: async () => await new Promise<never>(() => {})
    })
  })
  const id = await gateway.store({ content: 'hello\n' })

  for (let i = 0; i < 3; i++) t.equal((await gateway.get(`/api/files/${id}/download`)).body, 'hello\n')
})

t.test('a file that was downloaded in a ZIP archive is recalled like a single download', async (t) => {
  const gateway = await startTestGateway(t)
  const project = createId()
  const token = await gateway.token(project)
  const id = await gateway.store({ project })
  const zip = await gateway.app.inject({
    method: 'POST',
    url: '/api/files/zip',
    headers: { authorization: `Bearer ${token}` },
    payload: { project_id: project }
  })
  t.equal(zip.statusCode, 200)
  await withdraw(gateway, id)

  const { recalls } = (await ask(gateway, token, '/api/recalls')).json()

  t.match(recalls, [{ id, downloaders: 1, downloaded_at: String }])
})
