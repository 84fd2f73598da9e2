import t from 'tap'
import { createId } from '@filewright/runtime'
import { startTestGateway, type InjectResponse } from '../../helpers/test-gateway.js'

const details = { accept: 'application/vnd.filewright+json' }

t.test('a change of name or folder', async (t) => {
  const gateway = await startTestGateway(t)
  const token = await gateway.token('*')
  const change = async (
    id: string,
    payload: object | string,
    { secret = token, headers = {} } = {}
  ): Promise<InjectResponse> =>
    await gateway.app.inject({
      method: 'PATCH',
      url: `/api/files/${id}`,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
      payload
    })
  const infoOf = async (id: string) => (await gateway.get(`/api/files/${id}`, details)).json().file

  t.test(
    'a change keeps id, addresses, type and time, and is visible in every list and download',
    async (t) => {
      const project = createId()
      const id = await gateway.store({ project, name: 'a.ts', folder: 'old/deep' })
      const before = await infoOf(id)

      const response = await change(id, { name: 'b.md', folder: '/new/' })

      t.equal(response.statusCode, 200)
      t.strictSame(Object.keys(response.json().file).sort(), [
        'created_at',
        'download_url',
        'id',
        'name',
        'size',
        'type',
        'url'
      ])
      t.strictSame(await infoOf(id), { ...before, name: 'b.md', folder: 'new' })
      t.strictSame(
        (await change(id, { name: 'b.md', folder: 'new' }, { headers: details })).json().file,
        await infoOf(id)
      )
      const names = async (query: string): Promise<string[]> =>
        (await gateway.get(`/api/files?project_id=${project}${query}`))
          .json()
          .files.map((file: { name: string }) => file.name)
      t.strictSame(await names('&folder=new'), ['b.md'])
      t.strictSame(await names('&folder=old/deep'), [])
      t.strictSame(await names('&search=b.m'), ['b.md'])
      t.strictSame(await names('&search=a.ts'), [])
      t.match((await gateway.get(`/api/folders?project_id=${project}`)).json(), {
        folders: [{ name: 'new', files: 1, bytes: 6 }]
      })
      t.equal((await gateway.get(`/api/folders?project_id=${project}`)).json().folders.length, 1)
      for (const url of [`/cdn/files/${id}`, `/api/files/${id}/download`]) {
        const { statusCode, headers, body } = await gateway.get(url)
        t.strictSame([statusCode, body], [200, 'hello\n'])
        t.match(headers['content-disposition'], 'filename="b.md"')
      }
    }
  )

  t.test('of one field keeps the other, even if both change concurrently', async (t) => {
    const id = await gateway.store({ name: 'a.txt', folder: 'x' })

    await Promise.all([change(id, { name: 'b.txt' }), change(id, { folder: '' })])

    t.match(await infoOf(id), { name: 'b.txt', folder: '' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => await change(id, { name: `${i}.txt` }))
    )
    for (const { statusCode } of answers) t.equal(statusCode, 200)
    t.match((await infoOf(id)).name, /^\d+\.txt$/)
  })

  t.test('follows the rules of an upload, and names the violated one', async (t) => {
    const id = await gateway.store({ name: 'a.txt', folder: 'x' })
    for (const [body, error] of [
      [{}, 'body must have a name or a folder'],
      [[], 'body must be a JSON object'],
      ['null', 'body must be a JSON object'],
      [{ name: 1 }, 'name must be a string'],
      [{ name: null }, 'name must be a string'],
      [{ name: '' }, 'name must not be empty'],
      [{ name: '..' }, 'name must not be empty'],
      [{ name: 'a\u202eb' }, 'name must not contain text direction overrides'],
      [{ name: 'a\nb' }, 'name must not contain control characters'],
      [{ name: 'ä'.repeat(128) }, 'name must be at most 255 bytes long'],
      ['{"name":"\\ud800"}', 'name must be valid Unicode'],
      [{ name: '../x' }, 'name must not contain slashes or backslashes'],
      [{ name: 'a\\b' }, 'name must not contain slashes or backslashes'],
      [{ folder: '../x' }, "folder must not contain '.' or '..'"],
      [{ folder: 'a\\b' }, 'folder must not contain backslashes'],
      [{ name: 'b.txt', folder: 'a//b' }, 'folder must not contain empty segments'],
      [{ name: 'b.txt', project_id: 'other' }, 'body must have no fields but name and folder'],
      ['{"name":"b.txt","constructor":"x"}', 'body must have no fields but name and folder'],
      ['{"name":"b.txt","toString":"x"}', 'body must have no fields but name and folder'],
      ['{', 'Bad request'],
      ['', 'Bad request']
    ] as const) {
      const response = await change(id, body)
      t.strictSame([response.statusCode, response.json()], [400, { error }], JSON.stringify(body))
    }
    t.match(await infoOf(id), { name: 'a.txt', folder: 'x' }, 'nothing was changed')
    t.match((await change(id, { name: 'e\u0301.txt' })).json().file, { name: 'é.txt' }, 'as on upload')
  })

  t.test('gets the same 404 for a foreign, missing, refused or deleted file, byte for byte', async (t) => {
    const id = await gateway.store({ project: 'acme' })
    const stranger = { secret: await gateway.token('other') }
    const absent = await change(createId(), { name: 'b.txt' })
    gateway.onScan(async () => ({ verdict: 'infected', signature: 'Eicar', engine: 'test/1' }))
    await gateway.store().catch(() => {})
    gateway.onScan(async () => ({ verdict: 'clean', engine: 'test/1' }))
    const refused = gateway.scanned.at(-1)?.fileId ?? ''
    const trashed = await gateway.store()
    await gateway.database.files.markTrashed(trashed)

    t.match(absent, { statusCode: 404, body: '{"error":"File not found"}' })
    for (const answer of [
      await change(id, { name: 'b.txt' }, stranger),
      await change(refused, { name: 'b.txt' }),
      await change(trashed, { name: 'b.txt' }),
      await change('x!', { name: 'b.txt' })
    ]) {
      t.strictSame([answer.statusCode, answer.body], [404, absent.body])
    }
    t.equal((await infoOf(id)).name, 'notes.txt')
    t.equal((await change(id, { name: 'b' }, { secret: 'wrong' })).statusCode, 401)
  })

  t.test('and a concurrent delete leave the file in the trash, under one name', async (t) => {
    const id = await gateway.store({ project: 'raced', name: 'a.txt' })
    const [changed, deleted] = await Promise.all([
      change(id, { name: 'b.txt' }),
      gateway.app.inject({
        method: 'DELETE',
        url: `/api/files/${id}`,
        headers: { authorization: `Bearer ${token}` }
      })
    ])

    t.equal(deleted.statusCode, 200)
    t.ok([200, 404].includes(changed.statusCode))
    const kept = await gateway.database.trash.find(id, 'token')
    t.equal(kept?.name, changed.statusCode === 200 ? 'b.txt' : 'a.txt')
  })
})
