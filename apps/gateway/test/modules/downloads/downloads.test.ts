import { connect } from 'node:net'
import { once } from 'node:events'
import t from 'tap'
import { startTestGateway, type TestGateway } from '../../helpers/test-gateway.js'

t.test('text stored before charsets were detected is served as UTF-8', async (t) => {
  const gateway = await startTestGateway(t, {
    wrapFiles: (files) => ({
      ...files,
      findReady: async (id) => {
        const file = await files.findReady(id)
        return file === null ? null : { ...file, charset: null }
      }
    })
  })
  const id = await gateway.store({ content: 'hello' })

  const response = await gateway.get(`/api/files/${id}/download`)

  t.equal(response.headers['content-type'], 'text/plain; charset=utf-8')
})

t.test('a download', async (t) => {
  const gateway = await startTestGateway(t)
  const content = Buffer.from('0123456789')
  const id = await gateway.store({ name: 'naïve – \\"file\\".txt', content })

  for (const url of [`/api/files/${id}/download`, `/files/${id}/download`]) {
    t.test(`returns the bytes with safe headers at ${url.replace(id, ':id')}`, async (t) => {
      const response = await gateway.get(url)

      t.equal(response.statusCode, 200)
      t.strictSame(response.rawPayload, content)
      t.match(response.headers, {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': '10',
        'content-disposition':
          'attachment; filename="na_ve _ \\"file\\".txt"; filename*=UTF-8\'\'na%C3%AFve%20%E2%80%93%20%22file%22.txt',
        etag: '"84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"',
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'"
      })
      t.ok(response.headers['last-modified'])
    })
  }

  t.test('names the charset of text that is not UTF-8, or none where it is unknown', async (t) => {
    const russian = Buffer.from(
      'f0d2c9d7c5d420cdc9d22c20cbcbc1cb20c4c5ccc1203f20fcd4cf20d2d5d3d3cbc9ca20d4c5cbd3d420d720cbcfc4c9d2cfd7cbc5',
      'hex'
    )
    const cases: Array<[string, Buffer, string]> = [
      ['a.txt', Buffer.from('\ufeffhello', 'utf16le'), 'text/plain; charset=utf-16'],
      ['a.txt', russian, 'text/plain; charset=koi8-r'],
      ['a.txt', Buffer.from('caf\xe9', 'latin1'), 'text/plain'],
      ['a.py', Buffer.from('# coding: koi8-r\n"caf\xe9"', 'latin1'), 'text/x-python; charset=koi8-r'],
      ['a.py', Buffer.from('print("é")'), 'text/x-python; charset=utf-8'],
      ['a.sql', russian, 'application/sql']
    ]
    for (const [name, content, type] of cases) {
      const id = await gateway.store({ name, content })
      for (const url of [`/api/files/${id}/download`, `/cdn/files/${id}`]) {
        const response = await gateway.get(url)
        t.equal(response.headers['content-type'], type, name)
        t.strictSame(response.rawPayload, content)
      }
    }
  })

  t.test('works over real HTTP whatever the file name is, with GET and HEAD', async (t) => {
    const address = await gateway.app.listen({ port: 0 })
    for (const name of ['Größe.pdf', 'été.txt', 'données été 🎉.txt', '日本語.txt', 'ñandú.md', '100%.txt']) {
      const url = `${address}/cdn/files/${await gateway.store({ name })}`
      for (const method of ['GET', 'HEAD']) {
        const response = await fetch(url, { method })
        t.equal(response.status, 200, `${method} ${name}`)
        t.match(response.headers.get('content-disposition'), `filename*=UTF-8''${encodeURIComponent(name)}`)
      }
    }
  })

  t.test('names the file in both parameters, escaped only where the name needs it', async (t) => {
    for (const [name, plain, encoded] of [
      ['report_v1.2-final.txt', 'report_v1.2-final.txt', 'report_v1.2-final.txt'],
      ['my report.txt', 'my report.txt', 'my%20report.txt'],
      ['50%41.txt', '50%41.txt', '50%2541.txt'],
      ["it's.txt", "it's.txt", 'it%27s.txt'],
      ['é.txt', '_.txt', '%C3%A9.txt']
    ]) {
      const response = await gateway.get(`/api/files/${await gateway.store({ name: name ?? '' })}/download`)
      t.equal(
        response.headers['content-disposition'],
        `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
      )
    }
  })

  t.test('answers HEAD with the same headers and no body', async (t) => {
    const authorization = `Bearer ${await gateway.token('*')}`
    const head = await gateway.app.inject({
      method: 'HEAD',
      url: `/api/files/${id}/download`,
      headers: { authorization }
    })
    const get = await gateway.app.inject({ url: `/api/files/${id}/download`, headers: { authorization } })

    t.equal(head.statusCode, 200)
    t.equal(head.rawPayload.length, 0)
    for (const name of [
      'content-type',
      'content-length',
      'content-disposition',
      'etag',
      'last-modified',
      'accept-ranges'
    ]) {
      t.equal(head.headers[name], get.headers[name], name)
    }
  })

  t.test('serves one range as 206', async (t) => {
    for (const [range, body, contentRange] of [
      ['bytes=0-3', '0123', 'bytes 0-3/10'],
      ['bytes=4-', '456789', 'bytes 4-9/10'],
      ['bytes=-3', '789', 'bytes 7-9/10'],
      ['bytes=8-100', '89', 'bytes 8-9/10'],
      ['Bytes=8-99999999999999999999', '89', 'bytes 8-9/10'],
      ['bytes=-100', '0123456789', 'bytes 0-9/10']
    ] as const) {
      const response = await gateway.get(`/api/files/${id}/download`, { range })
      t.equal(response.statusCode, 206, range)
      t.equal(response.body, body, range)
      t.equal(response.headers['content-range'], contentRange)
      t.equal(response.headers['content-length'], String(body.length))
    }
  })

  t.test('answers 416 with the size for a range outside the file', async (t) => {
    for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=9999999999999999999-', 'bytes=-0']) {
      const response = await gateway.get(`/api/files/${id}/download`, { range })
      t.equal(response.statusCode, 416, range)
      t.equal(response.headers['content-range'], 'bytes */10')
      t.strictSame(response.json(), { error: 'Range not satisfiable' })
    }
  })

  t.test('serves the whole file for ranges it does not understand', async (t) => {
    for (const range of ['bytes=0-1,3-4', 'lines=1-2', 'bytes=5-2', 'bytes=-', 'bytes=a-b']) {
      const response = await gateway.get(`/api/files/${id}/download`, { range })
      t.equal(response.statusCode, 200, range)
      t.equal(response.body, content.toString())
    }
  })

  t.test('honours If-None-Match, If-Modified-Since, If-Match and If-Range', async (t) => {
    const { etag, 'last-modified': modified } = (await gateway.get(`/api/files/${id}/download`))
      .headers as Record<string, string>
    const old = new Date(0).toUTCString()
    for (const [headers, status] of [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `W/${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-modified-since': modified }, 304],
      [{ 'if-modified-since': old }, 200],
      [{ 'if-modified-since': 'nonsense' }, 200],
      [{ 'if-match': etag }, 200],
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-unmodified-since': old }, 412],
      [{ 'if-unmodified-since': modified }, 200],
      [{ 'if-range': etag, range: 'bytes=0-1' }, 206],
      [{ 'if-range': '"other"', range: 'bytes=0-1' }, 200],
      [{ 'if-range': modified, range: 'bytes=0-1' }, 206],
      [{ 'if-range': old, range: 'bytes=0-1' }, 200]
    ] as Array<[Record<string, string>, number]>) {
      const response = await gateway.get(`/api/files/${id}/download`, headers)
      t.equal(response.statusCode, status, JSON.stringify(headers))
      if (status === 304) {
        t.match(
          response.headers,
          { etag, 'content-disposition': /^attachment; filename=/ },
          'the name may be new'
        )
      }
    }
  })

  t.test('of an empty file is empty', async (t) => {
    const empty = await gateway.store({ name: 'empty.txt', content: '' })

    const response = await gateway.get(`/api/files/${empty}/download`)

    t.equal(response.statusCode, 200)
    t.equal(response.headers['content-length'], '0')
    t.equal(response.rawPayload.length, 0)
  })

  t.test('prevents file names from injecting headers', async (t) => {
    for (const name of ['a";x="b.txt', "it's.txt", '%0d%0aX-Evil: 1.txt', '日本語.txt', 'a;b=c.txt']) {
      const hostile = await gateway.store({ name: name.replaceAll('"', '\\"') })
      const response = await gateway.get(`/api/files/${hostile}/download`)
      t.equal(response.statusCode, 200, name)
      t.notOk(response.headers['x-evil'])
      t.match(response.headers['content-disposition'], /^attachment; filename=/)
    }
  })
})

t.test('a file damaged on disk is never sent completely', async (t) => {
  const gateway = await startTestGateway(t)
  const content = Buffer.alloc(700_000, 'a')
  const id = await gateway.store({ name: 'big.txt', content })
  content[123_456] = 98
  await gateway.overwriteOnDisk(id, content)
  const address = await gateway.app.listen({ port: 0 })

  for (const headers of [{}, { range: 'bytes=0-' }, { range: 'bytes=0-699999' }]) {
    await t.rejects(async () => {
      const response = await fetch(`${address}/cdn/files/${id}`, {
        headers: headers as Record<string, string>
      })
      await response.arrayBuffer()
    }, JSON.stringify(headers))
  }
})

t.test('a range of a truncated file closes the connection instead of stalling it', async (t) => {
  const gateway = await startTestGateway(t)
  const content = Buffer.alloc(300_000, 'a')
  const id = await gateway.store({ name: 'big.txt', content })
  await gateway.overwriteOnDisk(id, content.subarray(0, 150_000))
  const address = await gateway.app.listen({ port: 0 })

  await t.rejects(async () => {
    const response = await fetch(`${address}/cdn/files/${id}`, { headers: { range: 'bytes=10-299999' } })
    await response.arrayBuffer()
  })
})

t.test(
  'a file deleted between its row and its bytes is 404; a lost one is an error that is not cached',
  async (t) => {
    const deleted: string[] = []
    const gateway: TestGateway = await startTestGateway(t, {
      wrapBlobs: (blobs) => ({
        ...blobs,
        open: async (key, options) => {
          for (const id of deleted) if (key.includes(id)) await gateway.database.files.markDeleting(id)
          await blobs.remove(key)
          return await blobs.open(key, options)
        }
      })
    })
    deleted.push(await gateway.store())
    const lost = await gateway.store()

    t.match(await gateway.get(`/cdn/files/${deleted[0]}`), {
      statusCode: 404,
      body: '{"error":"File not found"}'
    })
    const response = await gateway.get(`/cdn/files/${lost}`)
    t.equal(response.statusCode, 500)
    t.equal(response.headers['cache-control'], 'no-store')
    for (const header of ['etag', 'last-modified', 'content-disposition']) {
      t.notOk(response.headers[header], header)
    }
  }
)

t.test('a client that stops reading is disconnected', async (t) => {
  const gateway = await startTestGateway(t, { idleTimeoutMs: 300 })
  const id = await gateway.store({ name: 'big.txt', content: Buffer.alloc(20_000_000, 'a') })
  const address = await gateway.app.listen({ port: 0 })
  const socket = connect(Number(new URL(address).port))
  await once(socket, 'connect')
  socket.pause()

  socket.write(`GET /cdn/files/${id} HTTP/1.1\r\nHost: x\r\n\r\n`)

  const connections = async (): Promise<number> =>
    await new Promise((resolve) => {
      gateway.app.server.getConnections((_error, count) => resolve(count))
    })
  while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  t.pass('the gateway closed the connection')
  socket.destroy()
})
