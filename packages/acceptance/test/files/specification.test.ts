import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { Value } from '@filewright/schema'
import { ErrorResponse, FileResponse, limits, ListFilesResponse, UploadResponse } from '@filewright/contracts'
import { deployedService, multipartBody, startStack, type Service } from '@filewright/testing'
import { admin, createClient, eicar, elf, png, sha256, tarGz, uniqueText, zip } from '../../src/index.js'

t.setTimeout(600_000)
const stack: Service = deployedService() ?? (await startStack(t, { database: 'embedded' }))
const { dataDir = '' } = stack
const isOurs = dataDir !== ''
const client = createClient(stack.baseUrl, stack.token)
const absent = 'A'.repeat(22)

/** On our disk; a deployment and a bucket are not counted. */
async function storedFiles(): Promise<number> {
  if (!isOurs || process.env['FILEWRIGHT_TEST_STORE'] !== undefined) return 0
  const entries = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

t.test('POST /api/files/upload', { timeout: 600_000 }, async (t) => {
  t.test('201: { file } with id, name, size, type, url, created_at and nothing else', async (t) => {
    const { status, body } = await client.upload({
      content: 'const a: number = 1\n',
      name: 'a.ts',
      folder: 'src',
      description: 'a file'
    })

    t.equal(status, 201)
    t.ok(Value.Check(UploadResponse, body))
    t.match(body.file, {
      name: 'a.ts',
      size: 20,
      type: 'text/typescript',
      url: `${stack.baseUrl}/cdn/files/${body.file.id}`
    })
    t.match(body.file.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  t.test('supported kinds: code, images, archives, documents', async (t) => {
    for (const [name, content, type] of [
      ['main.py', 'print(1)\n', 'text/x-python'],
      ['dot.png', png, 'image/png'],
      ['a.zip', await zip({ 'a.txt': 'hello' }), 'application/zip'],
      ['a.tar.gz', await tarGz({ 'a.txt': 'hello' }), 'application/gzip'],
      ['a.pdf', '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n', 'application/pdf'],
      ['__init__.py', '', 'text/x-python'],
      ['picture.png', 'only text', 'text/plain']
    ] as const) {
      const { status, body } = await client.upload({ content, name })
      t.equal(status, 201, name)
      t.equal(body.file?.type, type, name)
    }
  })

  t.test('400 File too large or invalid type', async (t) => {
    const stored = await storedFiles()
    for (const [what, upload] of Object.entries({
      'an executable named photo.png': { content: elf, name: 'photo.png' },
      'unidentified binary': { content: Buffer.from([0, 1, 2, 3, 0, 255, 254]), name: 'blob.bin' },
      'one byte over the limit': { content: Buffer.alloc(limits.fileSizeBytes + 1, 'a'), name: 'large.txt' }
    })) {
      const { status, body } = await client.upload(upload)
      t.equal(status, 400, what)
      t.strictSame(body, { error: 'File too large or invalid type' }, what)
    }
    t.equal(await storedFiles(), stored, 'nothing is left on disk')
  })

  t.test('the largest file is accepted and returned byte for byte', async (t) => {
    const content = uniqueText(limits.fileSizeBytes)

    const { status, body } = await client.upload({ content, name: 'largest.txt' })

    t.equal(status, 201)
    t.equal(body.file.size, 52_428_800)
    t.equal(sha256((await client.download(body.file.url, {})).bytes), sha256(content))
  })

  t.test('one byte too many without Content-Length is refused, too', async (t) => {
    const stored = await storedFiles()
    const { body: form, contentType } = multipartBody([
      { name: 'project_id', value: 'acme' },
      { name: 'file', filename: 'large.txt', content: Buffer.alloc(limits.fileSizeBytes + 1, 'a') }
    ])

    const { status, body } = await client.call('POST', '/api/files/upload', {
      body: Readable.toWeb(Readable.from([form])) as ReadableStream,
      duplex: 'half',
      headers: { 'content-type': contentType }
    } as RequestInit)

    t.equal(status, 400)
    t.strictSame(body, { error: 'File too large or invalid type' })
    t.equal(await storedFiles(), stored, 'nothing is left on disk')
  })

  t.test('an infected file is refused however it is wrapped, and served nowhere', async (t) => {
    const stored = await storedFiles()
    for (const [name, content] of [
      ['eicar.txt', eicar],
      ['eicar.zip', await zip({ 'eicar.txt': eicar })],
      ['nested.zip', await zip({ 'inner.tar.gz': await tarGz({ 'eicar.txt': eicar }) })],
      ['padded.txt', Buffer.concat([uniqueText(1_000_000), Buffer.from(eicar)])]
    ] as const) {
      const { status, body } = await client.upload({ content, name, project: 'infected' })
      t.equal(status, 400, name)
      t.strictSame(body, { error: 'File rejected by security scan' }, name)
    }
    t.equal((await client.call('GET', '/api/files?project_id=infected')).body.pagination.total, 0)
    t.equal(await storedFiles(), stored, 'nothing is left on disk')
  })

  t.test('400 with a message that names the field', async (t) => {
    const { status, body } = await client.upload({ content: 'x', folder: '../up' })

    t.equal(status, 400)
    t.strictSame(body, { error: "folder must not contain '.' or '..'" })
  })
})

t.test('GET /api/files/:id', async (t) => {
  const {
    body: { file }
  } = await client.upload({ content: 'hello', name: 'a.md' })

  t.test('200: { file } with download_url as well', async (t) => {
    const { status, body } = await client.call('GET', `/api/files/${file.id}`)

    t.equal(status, 200)
    t.ok(Value.Check(FileResponse, body))
    t.strictSame(body.file, { ...file, download_url: `${stack.baseUrl}/files/${file.id}/download` })
  })

  t.test('url and download_url, followed as returned, return the bytes', async (t) => {
    const { url, download_url: downloadUrl } = (await client.call('GET', `/api/files/${file.id}`)).body.file
    for (const [address, headers] of [
      [url, {}],
      [downloadUrl, undefined]
    ] as const) {
      const { status, bytes } = await client.download(address, headers)
      t.equal(status, 200, address)
      t.equal(bytes.toString(), 'hello')
    }
  })

  t.test('404 File not found', async (t) => {
    const { status, body } = await client.call('GET', `/api/files/${absent}`)

    t.equal(status, 404)
    t.strictSame(body, { error: 'File not found' })
  })
})

t.test('GET /api/files/:id/download', async (t) => {
  const {
    body: { file }
  } = await client.upload({ content: '0123456789', name: 'digits.txt' })
  const address = `${stack.baseUrl}/api/files/${file.id}/download`
  const authorization = `Bearer ${stack.token}`

  t.test('200: the bytes', async (t) => {
    const { status, bytes, headers } = await client.download(address)

    t.equal(status, 200)
    t.equal(bytes.toString(), '0123456789')
    t.equal(headers.get('content-length'), '10')
    t.match(headers.get('content-disposition'), /^attachment; filename="digits.txt"/)
  })

  t.test('206 for a range, 304 for a known ETag, 416 outside', async (t) => {
    const etag = (await client.download(address)).headers.get('etag') ?? ''
    t.match(await client.download(address, { authorization, range: 'bytes=2-4' }), {
      status: 206,
      bytes: Buffer.from('234')
    })
    t.equal((await client.download(address, { authorization, 'if-none-match': etag })).status, 304)
    t.equal((await client.download(address, { authorization, range: 'bytes=10-' })).status, 416)
  })

  t.test('404 File not found', async (t) => {
    const { status, body } = await client.call('GET', `/api/files/${absent}/download`)

    t.equal(status, 404)
    t.strictSame(body, { error: 'File not found' })
  })
})

t.test('GET /api/files', async (t) => {
  for (const name of ['1.ts', '2.py', '3.md']) {
    await client.upload({ content: name, name, project: 'listed', folder: name === '3.md' ? 'docs' : '' })
  }

  t.test('200: { files, pagination }, defaults 1 and 20, newest first', async (t) => {
    const { status, body } = await client.call('GET', '/api/files?project_id=listed')

    t.equal(status, 200)
    t.ok(Value.Check(ListFilesResponse, body))
    t.strictSame(body.pagination, { page: 1, limit: 20, total: 3 })
    t.strictSame(
      body.files.map((file: { name: string }) => file.name),
      ['3.md', '2.py', '1.ts']
    )
  })

  t.test('folder, type, page and limit', async (t) => {
    for (const [query, names] of [
      ['folder=docs', ['3.md']],
      ['folder=', ['2.py', '1.ts']],
      ['type=text/typescript', ['1.ts']],
      ['type=text/*', ['3.md', '2.py', '1.ts']],
      ['type=image', []],
      ['limit=1&page=2', ['2.py']],
      ['page=4', []]
    ] as const) {
      const { body } = await client.call('GET', `/api/files?project_id=listed&${query}`)
      t.strictSame(
        body.files.map((file: { name: string }) => file.name),
        names,
        query
      )
    }
  })

  t.test('401 Unauthorized', async (t) => {
    const { status, body, headers } = await createClient(stack.baseUrl, 'wrong-token').call(
      'GET',
      '/api/files?project_id=listed'
    )

    t.equal(status, 401)
    t.strictSame(body, { error: 'Unauthorized' })
    t.equal(headers.get('www-authenticate'), 'Bearer')
  })
})

t.test('DELETE /api/files/:id', async (t) => {
  t.test('200 File deleted successfully, then 404 on every address', async (t) => {
    const {
      body: { file }
    } = await client.upload({ content: 'short-lived' })

    const { status, body } = await client.call('DELETE', `/api/files/${file.id}`)

    t.equal(status, 200)
    t.strictSame(body, { message: 'File deleted successfully' })
    for (const path of [
      `/api/files/${file.id}`,
      `/api/files/${file.id}/download`,
      `/files/${file.id}/download`,
      `/cdn/files/${file.id}`
    ]) {
      t.match(await client.call('GET', path), { status: 404, body: { error: 'File not found' } }, path)
    }
  })

  t.test('404 File not found', async (t) => {
    const { status, body } = await client.call('DELETE', `/api/files/${absent}`)

    t.equal(status, 404)
    t.strictSame(body, { error: 'File not found' })
  })
})

t.test('tokens from the operator', { skip: !isOurs && 'needs the command line' }, async (t) => {
  const {
    body: { file: foreign }
  } = await client.upload({ content: 'not yours', project: 'project-b' })
  const { token } = await admin(dataDir, 'token', 'create', '--name', 'a-only', '--project', 'project-a')
  const limited = createClient(stack.baseUrl, token)

  t.test('open their project', async (t) => {
    t.equal((await limited.upload({ content: 'mine', project: 'project-a' })).status, 201)
    t.equal((await limited.call('GET', '/api/files?project_id=project-a')).body.pagination.total, 1)
  })

  t.test("are 403 elsewhere, and cannot distinguish another project's file from a missing one", async (t) => {
    t.match(await limited.upload({ content: 'x', project: 'project-b' }), {
      status: 403,
      body: { error: 'Forbidden' }
    })
    t.equal((await limited.call('GET', '/api/files?project_id=project-b')).status, 403)
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '/download'],
      ['DELETE', '']
    ] as const) {
      const answers = await Promise.all(
        [foreign.id, absent].map(async (id) => {
          const response = await fetch(`${stack.baseUrl}/api/files/${id}${suffix}`, {
            method,
            headers: { authorization: `Bearer ${token}` }
          })
          return {
            status: response.status,
            body: await response.text(),
            length: response.headers.get('content-length')
          }
        })
      )
      t.strictSame(answers[0], answers[1], `${method} ${suffix}`)
      t.equal(answers[0]?.status, 404)
    }
  })

  t.test('stop working once revoked', async (t) => {
    await admin(dataDir, 'token', 'revoke', 'a-only')

    t.equal((await limited.call('GET', '/api/files?project_id=project-a')).status, 401)
  })
})

t.test('every error body has one key', async (t) => {
  for (const [method, path] of [
    ['GET', '/nowhere'],
    ['PATCH', '/api/files'],
    ['GET', '/api/files'],
    ['GET', '/api/files/%ff'],
    ['POST', '/api/files/upload']
  ] as const) {
    const { status, body, headers } = await client.call(method, path)
    t.ok(status >= 400, `${method} ${path}`)
    t.ok(Value.Check(ErrorResponse, body))
    t.ok(headers.get('x-request-id'))
  }
})
