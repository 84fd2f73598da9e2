import { createHash } from 'node:crypto'
import t from 'tap'
import { AppError } from '@filewright/runtime'
import { startTestGateway } from '../../helpers/test-gateway.js'

const absent = 'A'.repeat(22)

t.test('file information', async (t) => {
  const gateway = await startTestGateway(t)
  const id = await gateway.store({ name: 'app.ts', content: 'export const a = 1\n' })

  t.test('has exactly the keys of the specification', async (t) => {
    const response = await gateway.get(`/api/files/${id}`)

    t.equal(response.statusCode, 200)
    const { file, ...rest } = response.json()
    t.strictSame(rest, {})
    t.strictSame(Object.keys(file).sort(), [
      'created_at',
      'download_url',
      'id',
      'name',
      'size',
      'type',
      'url'
    ])
    t.match(file, {
      id,
      name: 'app.ts',
      size: 19,
      type: 'text/typescript',
      download_url: `http://files.test/files/${id}/download`
    })
  })

  t.test('is 404 for an id that never existed, whatever its format', async (t) => {
    for (const unknown of [absent, 'x', '%20', '..%2f..%2fetc', 'a'.repeat(500), "'%20or%201=1--", '%00']) {
      const response = await gateway.get(`/api/files/${unknown}`)
      t.equal(response.statusCode, 404, unknown)
      t.strictSame(response.json(), { error: 'File not found' })
    }
  })
})

t.test('a token for one project', async (t) => {
  const gateway = await startTestGateway(t)
  const foreign = await gateway.store({ project: 'other' })
  const authorization = `Bearer ${await gateway.token('mine')}`
  const headersOf = (headers: Record<string, unknown>) => {
    const { date, 'x-request-id': requestId, ...rest } = headers
    return rest
  }

  t.test('gets the same response for a foreign id as for a missing one, on every route', async (t) => {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/download'],
      ['HEAD', '/download']
    ] as const) {
      for (const prefix of path === '' ? ['/api/files/'] : ['/api/files/', '/files/']) {
        const [one, other] = await Promise.all(
          [foreign, absent].map(
            async (id) =>
              await gateway.app.inject({ method, url: `${prefix}${id}${path}`, headers: { authorization } })
          )
        )
        t.equal(one?.statusCode, 404, `${method} ${prefix}:id${path}`)
        t.equal(one?.body, other?.body)
        t.strictSame(headersOf(one!.headers), headersOf(other!.headers))
      }
    }
    t.equal((await gateway.get(`/api/files/${foreign}`)).statusCode, 200, 'the file is still there')
  })

  t.test('may not list or write elsewhere, whether the project exists or not', async (t) => {
    for (const project of ['other', 'never-was']) {
      const list = await gateway.app.inject({
        url: `/api/files?project_id=${project}`,
        headers: { authorization }
      })
      t.equal(list.statusCode, 403)
      t.strictSame(list.json(), { error: 'Forbidden' })
      for (const parts of [
        [
          { name: 'project_id', value: project },
          { name: 'file', filename: 'a.txt', content: 'x' }
        ],
        [
          { name: 'file', filename: 'a.txt', content: 'x' },
          { name: 'project_id', value: project }
        ]
      ]) {
        const upload = await gateway.upload(parts, authorization.slice(7))
        t.equal(upload.statusCode, 403)
        t.strictSame(upload.json(), { error: 'Forbidden' })
      }
    }
    t.strictSame((await gateway.filesOnDisk()).length, 1, 'only the foreign file is stored')
  })

  t.test('may write to and list its own project', async (t) => {
    const upload = await gateway.upload(
      [
        { name: 'project_id', value: 'mine' },
        { name: 'file', filename: 'a.txt', content: 'x' }
      ],
      authorization.slice(7)
    )
    t.equal(upload.statusCode, 201)
    const list = await gateway.app.inject({ url: '/api/files?project_id=mine', headers: { authorization } })
    t.equal(list.json().pagination.total, 1)
  })
})

t.test('delete, with the trash off', async (t) => {
  const gateway = await startTestGateway(t, { trashDays: 0 })
  const authorization = `Bearer ${await gateway.token('*')}`
  const remove = async (id: string, headers = {}) =>
    await gateway.app.inject({
      method: 'DELETE',
      url: `/api/files/${id}`,
      headers: { authorization, ...headers }
    })

  t.test("returns the specification's message, then 404 everywhere, and removes the bytes", async (t) => {
    const id = await gateway.store()

    const response = await remove(id)

    t.equal(response.statusCode, 200)
    t.strictSame(response.json(), { message: 'File deleted successfully' })
    for (const url of [
      `/api/files/${id}`,
      `/api/files/${id}/download`,
      `/files/${id}/download`,
      `/cdn/files/${id}`
    ]) {
      t.equal((await gateway.get(url)).statusCode, 404, url)
    }
    t.equal((await remove(id)).statusCode, 404)
    t.strictSame(await gateway.filesOnDisk(), [])
  })

  t.test('accepts a JSON content type without a body', async (t) => {
    t.equal((await remove(await gateway.store(), { 'content-type': 'application/json' })).statusCode, 200)
  })

  t.test('has one winner among twenty concurrent requests', async (t) => {
    const id = await gateway.store()

    const statuses = (await Promise.all(Array.from({ length: 20 }, async () => await remove(id)))).map(
      (response) => response.statusCode
    )

    t.equal(statuses.filter((status) => status === 200).length, 1)
    t.equal(statuses.filter((status) => status === 404).length, 19)
  })
})

t.test('a delete whose blob cannot be removed still hides the file', async (t) => {
  const remove = async (): Promise<never> => {
    throw new AppError('STORAGE_UNAVAILABLE', 'scripted')
  }
  const gateway = await startTestGateway(t, { trashDays: 0, wrapBlobs: (blobs) => ({ ...blobs, remove }) })
  const id = await gateway.store()

  const response = await gateway.app.inject({
    method: 'DELETE',
    url: `/api/files/${id}`,
    headers: { authorization: `Bearer ${await gateway.token('*')}` }
  })

  t.equal(response.statusCode, 200)
  t.equal((await gateway.get(`/cdn/files/${id}`)).statusCode, 404)
  t.strictSame(await gateway.database.files.findStates([id]), new Map([[id, 'deleting']]))
})

t.test('list', async (t) => {
  const gateway = await startTestGateway(t)
  const ids: string[] = []
  for (const [name, folder, content] of [
    ['a.ts', undefined, 'a'],
    ['b.py', 'src', 'b'],
    ['c.md', 'src/lib', 'c'],
    ['d.svg', 'src', '<svg xmlns="http://www.w3.org/2000/svg"></svg>']
  ] as const) {
    ids.push(
      await gateway.store({ project: 'listed', name, content, ...(folder === undefined ? {} : { folder }) })
    )
  }
  const names = async (query: string): Promise<string[]> =>
    (await gateway.get(`/api/files?project_id=listed&${query}`))
      .json()
      .files.map((file: { name: string }) => file.name)

  t.test('is newest first, with exactly the keys of the specification', async (t) => {
    const response = await gateway.get('/api/files?project_id=listed')

    t.equal(response.statusCode, 200)
    const { files, pagination, ...rest } = response.json()
    t.strictSame(rest, {})
    t.strictSame(pagination, { page: 1, limit: 20, total: 4 })
    t.strictSame(
      files.map((file: { id: string }) => file.id),
      ids.toReversed()
    )
    for (const file of files) {
      t.strictSame(Object.keys(file).sort(), ['created_at', 'id', 'name', 'size', 'type'])
    }
  })

  t.test('pages', async (t) => {
    t.strictSame(await names('limit=2'), ['d.svg', 'c.md'])
    t.strictSame(await names('limit=2&page=2'), ['b.py', 'a.ts'])
    t.strictSame(await names('limit=2&page=3'), [])
    t.strictSame((await gateway.get('/api/files?project_id=listed&limit=2&page=9')).json().pagination, {
      page: 9,
      limit: 2,
      total: 4
    })
    t.strictSame((await gateway.get('/api/files?project_id=listed&limit=5000')).json().pagination, {
      page: 1,
      limit: 100,
      total: 4
    })
  })

  t.test('filters by exactly one folder, the root included', async (t) => {
    t.strictSame(await names('folder=src'), ['d.svg', 'b.py'])
    t.strictSame(await names('folder=/src/'), ['d.svg', 'b.py'])
    t.strictSame(await names('folder=src/lib'), ['c.md'])
    t.strictSame(await names('folder='), ['a.ts'])
    t.strictSame(await names('folder=sr'), [])
  })

  t.test('filters by media type, wildcard and kind', async (t) => {
    t.strictSame(await names('type=text/typescript'), ['a.ts'])
    t.strictSame(await names('type=image/*'), ['d.svg'])
    t.strictSame(await names('type=image'), ['d.svg'])
    t.strictSame(await names('type=code'), ['c.md', 'b.py', 'a.ts'])
    t.strictSame(await names('type=archive'), [])
    t.strictSame(await names('type=code&folder=src'), ['b.py'])
  })

  t.test(
    'searches parts of names case-insensitively, and treats wildcards as literal characters',
    async (t) => {
      t.strictSame(await names('search=.P'), ['b.py'])
      t.strictSame(await names('search=s'), ['d.svg', 'a.ts'])
      t.strictSame(await names('search=s&folder=src'), ['d.svg'])
      t.strictSame(await names('search=%25'), [])
      t.strictSame(await names('search='), ['d.svg', 'c.md', 'b.py', 'a.ts'])
    }
  )

  t.test('sorts by time, name and size, both ways', async (t) => {
    t.strictSame(await names('sort=created_at'), ['a.ts', 'b.py', 'c.md', 'd.svg'])
    t.strictSame(await names('sort=-name'), ['d.svg', 'c.md', 'b.py', 'a.ts'])
    t.strictSame((await names('sort=-size'))[0], 'd.svg')
    t.strictSame(await names('sort=name&search=s&limit=1&page=2'), ['d.svg'])
  })

  t.test(
    'links to the next page by key in its Link header, starting with the plain first page',
    async (t) => {
      const follow = async (address: string) => {
        const { pathname, search } = new URL(address)
        return await gateway.get(pathname + search)
      }
      for (const query of [
        '',
        '&after=',
        '&sort=created_at',
        '&sort=name',
        '&sort=-name',
        '&sort=size',
        '&sort=-size',
        '&type=code',
        '&search=S',
        '&folder=src'
      ]) {
        const all = (await gateway.get(`/api/files?project_id=listed${query}`)).json().files
        let response = await gateway.get(`/api/files?project_id=listed&limit=1${query}&unknown=%0d%0a`)
        const seen: object[] = []
        for (let page = 1; ; page++) {
          const { files, pagination } = response.json()
          t.strictSame(pagination, { page, limit: 1, total: all.length }, query)
          seen.push(...files)
          const link = /^<(http:\/\/files\.test\/api\/files\?[^>]+)>; rel="next"$/.exec(
            String(response.headers.link)
          )?.[1]
          t.equal(link !== undefined, files.length === 1, 'every full page has it, and no other')
          if (link === undefined) break
          response = await follow(link)
        }
        t.strictSame(seen, all, query)
      }
      t.equal((await gateway.get('/api/files?project_id=listed&limit=1&page=1')).headers.link, undefined)
      t.equal((await gateway.get('/api/files?project_id=listed')).headers.link, undefined, 'all on one page')
    }
  )

  t.test('accepts a cursor only for the list that it came from', async (t) => {
    const cursorOf = async (query: string): Promise<string> => {
      const { headers } = await gateway.get(`/api/files?project_id=listed&limit=1${query}`)
      return new URL(String(/<(.+)>/.exec(String(headers.link))?.[1])).searchParams.get('after') ?? ''
    }
    const [own, named] = [await cursorOf(''), await cursorOf('&sort=name')]
    const forged = (change: (parts: unknown[]) => unknown, cursor = own): string =>
      Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(cursor, 'base64url').toString())))).toString(
        'base64url'
      )

    const foreign = 'after must be a cursor of a list with the same project_id, folder, type, search and sort'
    for (const other of ['&sort=name', '&sort=created_at', '&folder=', '&search=a', '&type=code']) {
      const response = await gateway.get(`/api/files?project_id=listed${other}&after=${own}`)
      t.equal(response.statusCode, 400, other)
      t.strictSame(response.json(), { error: foreign })
    }
    t.strictSame((await gateway.get(`/api/files?project_id=other&after=${own}`)).json(), { error: foreign })
    t.equal((await gateway.get(`/api/files?project_id=listed&limit=3&after=${own}`)).statusCode, 200)

    const malformed = 'after must be a cursor from the Link header of a list'
    for (const bad of [
      'x',
      '%00',
      '2',
      'a b',
      own.slice(0, -3),
      'A'.repeat(2_000),
      forged(() => null),
      forged(() => ({})),
      forged((parts) => parts.slice(1)),
      forged(([a, b, , d]) => [a, b, 'now', d]),
      forged(([a, b, , d]) => [a, b, 1e18, d]),
      forged(([a, b, , d]) => [a, b, -1, d]),
      forged(([a, , c, d]) => [a, 0.5, c, d]),
      forged(([a, , c, d]) => [a, 0, c, d]),
      forged(([a, , c, d]) => [a, 1, c, d]),
      forged(([a, b, c]) => [a, b, c, '\0']),
      forged(([a, b, , d]) => [a, b, 7, d], named),
      forged(([a, b, , d]) => [a, b, 'x\0', d], named)
    ]) {
      const responses = await Promise.all(
        ['', '&sort=name'].map(
          async (sort) => await gateway.get(`/api/files?project_id=listed${sort}&after=${bad}`)
        )
      )
      t.strictSame(
        responses.map(({ statusCode }) => statusCode),
        [400, 400],
        bad
      )
      t.ok(
        responses.some((response) => response.json().error === malformed),
        bad
      )
    }
  })

  t.test('has more properties per file only for a client that requests them', async (t) => {
    const more = [
      'created_at',
      'description',
      'folder',
      'id',
      'name',
      'scanned_at',
      'scanner',
      'sha256',
      'size',
      'type'
    ]
    const accept = 'application/vnd.filewright+json'
    const list = await gateway.get('/api/files?project_id=listed&folder=src/lib', {
      accept: `text/html, ${accept}; q=0.9`
    })
    t.equal(list.headers['content-type'], `${accept}; charset=utf-8`)
    const [file] = list.json().files
    t.strictSame(Object.keys(file).sort(), more)
    t.match(file, { folder: 'src/lib', description: null, scanner: 'test/1' })
    t.equal(file.sha256, createHash('sha256').update('c').digest('hex'))

    const info = await gateway.get(`/api/files/${file.id}`, { accept })
    t.strictSame(Object.keys(info.json().file).sort(), [...more, 'download_url', 'url'].sort())
    for (const other of ['application/json', '*/*', 'application/vnd.filewright+jsonx']) {
      const plain = await gateway.get(`/api/files/${file.id}`, { accept: other })
      t.equal(plain.headers['content-type'], 'application/json; charset=utf-8')
      t.strictSame(Object.keys(plain.json().file).length, 7)
    }
  })

  t.test('of a project without files is empty', async (t) => {
    t.strictSame((await gateway.get('/api/files?project_id=never-was')).json(), {
      files: [],
      pagination: { page: 1, limit: 20, total: 0 }
    })
  })

  t.test('names the invalid field', async (t) => {
    for (const [query, error] of [
      ['', 'project_id is required'],
      ['project_id=', 'project_id is required'],
      ['project_id=a&page=0', 'page must be a whole number of at least 1'],
      ['project_id=a&page=-1', 'page must be a whole number of at least 1'],
      ['project_id=a&page=1.5', 'page must be a whole number of at least 1'],
      ['project_id=a&page=1e3', 'page must be a whole number of at least 1'],
      ['project_id=a&page=99999999999999999999', 'page must be a whole number of at least 1'],
      ['project_id=a&limit=0', 'limit must be a whole number of at least 1'],
      ['project_id=a&limit=ten', 'limit must be a whole number of at least 1'],
      ['project_id=a&page=1&page=2', 'page must be given once'],
      ['project_id=a&after=&page=1', 'after must not be given together with page'],
      ['project_id=a&after=&after=', 'after must be given once'],
      ['project_id=a&sort=type', 'sort must be one of created_at, -created_at, name, -name, size, -size'],
      [`project_id=a&search=${'x'.repeat(256)}`, 'search must be at most 255 characters long'],
      ['project_id=a&search=%00', 'search must be valid text'],
      ['project_id=a&folder=..', "folder must not contain '.' or '..'"],
      [
        'project_id=a&type=nonsense',
        'type must be a media type, a wildcard such as image/*, or one of code, image, archive, document'
      ]
    ] as const) {
      const response = await gateway.get(`/api/files?${query}`)
      t.equal(response.statusCode, 400, query)
      t.strictSame(response.json(), { error }, query)
    }
  })
})
