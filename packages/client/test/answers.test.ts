import { createHash } from 'node:crypto'
import t from 'tap'
import { BadRequestError, Filewright, IntegrityError, ServiceError } from '../src/index.js'
import { json, scripted, storedFile, type Answer } from './server.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const bytes =
  (text: string, headers: Record<string, string>, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers }).end(text)
  }

t.test('an error has the message, the request id and why a file was refused', async (t) => {
  const { client } = await scripted(t, [
    json(
      400,
      { error: 'File rejected by security scan' },
      {
        'x-request-id': 'r1',
        'x-rejection': 'malware; malware was found'
      }
    )
  ])

  const error = await client.files
    .upload(new Blob(['x']), { projectId: 'p', name: 'x.txt' })
    .catch((error: unknown) => error)

  t.ok(error instanceof BadRequestError)
  t.match(error, {
    name: 'BadRequestError',
    message: 'File rejected by security scan',
    status: 400,
    code: 'malware',
    reason: 'malware was found',
    requestId: 'r1'
  })
})

t.test('an error without our own body still has a message', async (t) => {
  const { client } = await scripted(t, [bytes('<html>', {}, 502)], { retries: 0 })
  await t.rejects(client.projects(), { message: 'The service answered with status 502', status: 502 })
})

t.test('a download has its name, and verifies length and hash', async (t) => {
  const good = {
    etag: `"${sha256('hello')}"`,
    'content-disposition': 'attachment; filename="_.txt"; filename*=UTF-8\'\'%C3%BC.txt'
  }
  const { client } = await scripted(t, [
    bytes('hello', good),
    bytes('hellO', good),
    bytes(
      'lo',
      {
        ...good,
        'content-range': 'bytes 3-4/5'
      },
      206
    )
  ])

  const download = await client.files.download('a')
  t.match(download, { name: 'ü.txt', size: 5, from: 0, sha256: sha256('hello') })
  t.equal(Buffer.from(await download.bytes()).toString(), 'hello')

  await t.rejects((await client.files.download('a')).bytes(), IntegrityError)

  const rest = await client.files.download('a', { resume: { from: 3, sha256: sha256('hello') } })
  t.match(rest, { from: 3, size: 5 })
  t.equal(Buffer.from(await rest.bytes()).toString(), 'lo')
})

t.test('a generation is a promise of its result and an iteration over its tokens', async (t) => {
  const result = {
    id: 'g',
    content: 'c',
    type: 'code',
    model: 'alpha-4o',
    tokens_used: 1,
    created_at: '2026-01-01T00:00:00.000Z'
  }
  const { client, seen } = await scripted(t, [
    bytes(
      `event: token\ndata: {"text":"a"}\n\nevent: token\ndata: {"text":"b"}\n\nevent: result\ndata: ${JSON.stringify(result)}\n\n`,
      {}
    ),
    json(200, result),
    bytes('event: token\ndata: {"text":"a"}\n\nevent: error\ndata: {"error":"gone"}\n\n', {}),
    bytes('event: token\ndata: {"text":"a"}\n\n', {})
  ])
  const ask = () => client.ai.generate({ prompt: 'p', type: 'code' })

  const streamed = ask()
  const tokens: string[] = []
  for await (const token of streamed) tokens.push(token)
  t.strictSame(tokens, ['a', 'b'])
  t.strictSame(await streamed, result, 'without another request')
  t.equal(seen.length, 1)

  t.strictSame(await ask(), result)
  const readAll = async () => {
    for await (const token of ask()) t.equal(token, 'a')
  }
  await t.rejects(readAll(), { message: 'gone' })
  await t.rejects(readAll(), ServiceError)
})

t.test('iterate follows cursors, and uses only the cursor of a URL', async (t) => {
  const page = (count: number, link?: string, limit = 100): Answer =>
    json(
      200,
      {
        files: Array.from({ length: count }, () => storedFile),
        pagination: { page: 1, limit, total: count }
      },
      link === undefined ? {} : { link }
    )
  const { client, seen } = await scripted(t, [
    page(100, '<http://elsewhere.test/api/files?project_id=other&after=c-1>; rel="next"'),
    page(100, '</first>; rel="first", </api/files?after=c_2>; rel=next'),
    page(3),
    page(2, undefined, 2)
  ])

  let count = 0
  // A caller may pass on the query of a page.
  const query = { projectId: 'a b', sort: 'name', page: 4 } as const
  for await (const { id } of client.files.iterate(query)) if (id === storedFile.id) count++

  t.equal(count, 203)
  t.strictSame(
    seen.map(({ url }) => url),
    ['', 'c-1', 'c_2'].map((after) => `/api/files?project_id=a+b&sort=name&after=${after}&limit=100`)
  )
  await t.rejects(
    async () => {
      for await (const { id } of client.files.iterate({ projectId: 'cut', limit: 2 })) {
        t.equal(id, storedFile.id)
      }
    },
    { name: 'ServiceError', code: 'list-cut-short' },
    'a full page without a next one is not the end'
  )
})

t.test('a list that stands still is an error instead of a loop', async (t) => {
  const page = (count: number, link: string): Answer =>
    json(
      200,
      {
        files: Array.from({ length: count }, () => storedFile),
        pagination: { page: 1, limit: 100, total: count }
      },
      { link }
    )
  const next = '</api/files?after=c>; rel="next"'
  for (const pages of [
    [page(100, next), page(100, next)],
    [page(0, next)],
    [page(100, '</?after=a>; rel=next'), page(100, next), page(100, '</?after=a>; rel=next')]
  ]) {
    const { client, seen } = await scripted(t, pages)

    await t.rejects(
      async () => {
        for await (const { id } of client.files.iterate({ projectId: 'p' })) t.ok(id)
      },
      { name: 'ServiceError', code: 'list-without-end' }
    )
    t.equal(seen.length, pages.length)
  }
})

t.test('an address may end in a slash or in /api, and must be an http(s) URL', async (t) => {
  const { seen, port } = await scripted(t, [json(200, { projects: [] })])
  for (const path of ['', '/', '/api', '/api/']) {
    await new Filewright({ baseUrl: `http://127.0.0.1:${port}${path}`, token: 't' }).projects()
  }
  t.strictSame(new Set(seen.map(({ url }) => url)), new Set(['/api/projects']))
  t.throws(() => new Filewright({ baseUrl: 'ftp://x', token: 't' }), TypeError)
})

t.test('a stream without a name is refused before anything is sent', async (t) => {
  const { client, seen } = await scripted(t, [])
  await t.rejects(client.files.upload(new Response('x').body!, { projectId: 'p' }), {
    message: 'A stream needs a name'
  })
  t.equal(seen.length, 0)
})
