import t from 'tap'
import type { AddressOptions, BlobStore } from '@filewright/blob-store'
import { AppError, type Clock } from '@filewright/runtime'
import { createAddresses } from '../../../src/modules/files/addresses.js'
import { startTestGateway } from '../../helpers/test-gateway.js'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

t.test('the CDN origin', async (t) => {
  const gateway = await startTestGateway(t)
  const id = await gateway.store({ name: 'dot.png', content: png })

  t.test('needs no token and may be cached', async (t) => {
    const response = await gateway.app.inject({ url: `/cdn/files/${id}` })

    t.equal(response.statusCode, 200)
    t.strictSame(response.rawPayload, png)
    t.match(response.headers, {
      'cache-control': 'public, max-age=300',
      'content-type': 'image/png',
      etag: /^"[0-9a-f]{64}"$/
    })
  })

  t.test('answers HEAD and ranges', async (t) => {
    t.equal(
      (await gateway.app.inject({ method: 'HEAD', url: `/cdn/files/${id}` })).headers['content-length'],
      String(png.length)
    )
    t.equal(
      (await gateway.app.inject({ url: `/cdn/files/${id}`, headers: { range: 'bytes=0-3' } })).statusCode,
      206
    )
  })

  t.test(
    'shows raster images, plain text and PDF inline, and everything else as an attachment',
    async (t) => {
      for (const [name, content, disposition] of [
        ['dot.png', png, 'inline'],
        ['a.txt', 'text', 'inline'],
        ['a.pdf', '%PDF-1.4\n%%EOF\n', 'inline'],
        ['a.html', '<!doctype html><p>hi', 'attachment'],
        ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>', 'attachment'],
        ['a.js', 'alert(1)', 'attachment']
      ] as const) {
        const response = await gateway.app.inject({
          url: `/cdn/files/${await gateway.store({ name, content })}`
        })
        t.match(response.headers['content-disposition'], new RegExp(`^${disposition};`), name)
      }
    }
  )

  t.test('is 404 for a missing file', async (t) => {
    const response = await gateway.app.inject({ url: `/cdn/files/${'A'.repeat(22)}` })

    t.equal(response.statusCode, 404)
    t.strictSame(response.json(), { error: 'File not found' })
    t.equal(response.headers['cache-control'], 'no-store', 'a 404 must not stay in a cache for minutes')
  })
})

t.test('a signed CDN', async (t) => {
  const gateway = await startTestGateway(t, { signing: { key: 'a key of some length', ttlSeconds: 60 } })
  const id = await gateway.store()
  const { url } = (await gateway.get(`/api/files/${id}`)).json().file
  const { search } = new URL(url)

  t.equal(
    (await gateway.app.inject({ url: `/cdn/files/${id}${search}` })).statusCode,
    200,
    'the address as handed out'
  )
  for (const query of [
    '',
    '?expires=99999999999',
    `${search}x`,
    search.replace(/expires=\d+/, 'expires=99999999999'),
    `${search}&expires=1`
  ]) {
    t.equal((await gateway.app.inject({ url: `/cdn/files/${id}${query}` })).statusCode, 404, query)
  }
})

t.test('a signed address stops working when it expires', async (t) => {
  let now = 1_000_000
  const clock: Clock = { now: () => new Date(now) }
  const addresses = createAddresses({
    baseUrl: 'http://b',
    cdnUrl: 'http://c',
    clock,
    signing: { key: 'k'.repeat(16), ttlSeconds: 60 }
  })
  const query = Object.fromEntries(new URL(addresses.cdn('id')).searchParams)

  t.equal(addresses.secondsLeft('id', query), 60)
  t.equal(addresses.secondsLeft('other', query), 0)
  now += 59_500
  t.equal(addresses.secondsLeft('id', query), 0.5)
  now += 1_500
  t.ok(addresses.secondsLeft('id', query) <= 0)
})

t.test(
  'no cache keeps a file longer than its signed address is valid, whatever range was requested',
  async (t) => {
    const ways: Array<[status: number, headers: Record<string, string>]> = [
      [200, {}],
      [206, { range: 'bytes=0-1' }],
      [304, { 'if-none-match': '*' }]
    ]
    for (const [ttlSeconds, longest] of [
      [20, 20],
      [3_000, 300]
    ] as const) {
      const gateway = await startTestGateway(t, { signing: { key: 'a key of some length', ttlSeconds } })
      const id = await gateway.store()
      const { search, searchParams } = new URL((await gateway.get(`/api/files/${id}`)).json().file.url)
      for (const [status, headers] of ways) {
        const response = await gateway.app.inject({ url: `/cdn/files/${id}${search}`, headers })
        const left = Number(searchParams.get('expires')) - Date.now() / 1_000
        const kept = String(response.headers['cache-control'])
        const [, maxAge] = /^public, max-age=(\d+), must-revalidate$/.exec(kept) ?? []

        t.equal(response.statusCode, status)
        // Time has passed since the response, so a second of tolerance.
        t.ok(Number(maxAge) <= longest && Number(maxAge) <= left + 1, `${status}: ${maxAge} of ${left}`)
        t.ok(Number(maxAge) >= Math.min(longest, Math.floor(left)) - 1, `${status}: ${maxAge} of ${left}`)
      }
    }
  }
)

t.test('executable types are plain text on the CDN, and keep their type with a token', async (t) => {
  const gateway = await startTestGateway(t)
  const script = 'document.title = "é"\n'
  const sheet = '<?xml version="1.0"?><xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>'
  for (const [name, content, type] of [
    ['a.js', script, 'text/javascript'],
    ['a.mjs', script, 'text/javascript'],
    ['a.cjs', script, 'text/javascript'],
    ['a.jsx', script, 'text/jsx'],
    ['a.css', 'a { color: red } /* é */', 'text/css'],
    ['a.xsl', sheet, 'application/xslt+xml']
  ] as const) {
    const id = await gateway.store({ name, content })
    const safe = { 'x-content-type-options': 'nosniff', 'content-disposition': /^attachment; / }

    t.equal((await gateway.get(`/api/files/${id}`)).json().file.type, type, name)
    t.match((await gateway.get(`/api/files/${id}/download`)).headers, { ...safe, 'content-type': type }, name)
    for (const headers of [{}, { range: 'bytes=0-1' }]) {
      const shared = await gateway.get(`/cdn/files/${id}`, headers)
      t.match(shared.headers, { ...safe, 'content-type': 'text/plain; charset=utf-8' }, name)
    }
  }
})

/** A folder that signs addresses, and records what for. */
function withAddresses(asked: Array<AddressOptions & { key: string }>): (blobs: BlobStore) => BlobStore {
  return (blobs) => ({
    ...blobs,
    address: async (key, options) => {
      asked.push({ key, ...options })
      return `https://bucket.test/${key}?signature=x`
    }
  })
}

t.test('with CDN_DIRECT, the public address leads to the bucket', async (t) => {
  const asked: Array<AddressOptions & { key: string }> = []
  const gateway = await startTestGateway(t, { directSeconds: 120, wrapBlobs: withAddresses(asked) })
  const id = await gateway.store({ name: 'dot.png', content: png })
  const script = await gateway.store({ name: 'a.js', content: 'alert(1)' })
  const url = `/cdn/files/${id}`

  t.test('for as long as the settings say', async (t) => {
    const response = await gateway.get(url)

    t.equal(response.statusCode, 302)
    t.match(response.headers, {
      location: /^https:\/\/bucket\.test\/\w+\/\w+\?signature=x$/,
      'cache-control': 'private, max-age=60',
      'access-control-allow-origin': '*'
    })
    t.equal(response.body, '')
    t.match(asked.at(-1), {
      seconds: 120,
      contentType: 'image/png',
      contentDisposition: /^inline; filename="dot.png"/,
      cacheControl: 'private, max-age=120'
    })
  })

  t.test('with the type and disposition that the gateway would send', async (t) => {
    t.equal((await gateway.get(`/cdn/files/${script}`)).statusCode, 302)
    t.match(asked.at(-1), { contentType: /^text\/plain/, contentDisposition: /^attachment;/ })
  })

  t.test('also for a range, which the client sends on', async (t) => {
    t.equal((await gateway.get(url, { range: 'bytes=0-3' })).statusCode, 302)
    t.equal((await gateway.get(url, { range: 'bytes=9999-' })).statusCode, 416)
  })

  t.test('but not for a client that has the file, for HEAD, or with a token', async (t) => {
    const head = await gateway.app.inject({ method: 'HEAD', url })
    const etag = String(head.headers.etag)

    t.equal(head.statusCode, 200)
    t.equal(head.headers['content-length'], String(png.length))
    t.equal((await gateway.get(url, { 'if-none-match': etag })).statusCode, 304)
    t.strictSame((await gateway.get(`/api/files/${id}/download`)).rawPayload, png)
  })

  t.test(
    'but not with a condition that the bucket would compare with an ETag and a date of its own',
    async (t) => {
      const { etag = '', 'last-modified': date = '' } = (await gateway.app.inject({ method: 'HEAD', url }))
        .headers
      const header = String(etag)
      const before = asked.length

      t.equal((await gateway.get(url, { 'if-match': header })).statusCode, 200)
      t.equal((await gateway.get(url, { 'if-match': '"other"' })).statusCode, 412)
      t.equal((await gateway.get(url, { 'if-unmodified-since': date })).statusCode, 200)
      t.equal((await gateway.get(url, { range: 'bytes=0-3', 'if-range': header })).statusCode, 206)
      t.equal((await gateway.get(url, { range: 'bytes=0-3', 'if-range': '"other"' })).statusCode, 200)
      t.equal(asked.length, before)
    }
  )

  t.test('and never for a deleted file', async (t) => {
    const authorization = `Bearer ${await gateway.token('*')}`
    await gateway.app.inject({ method: 'DELETE', url: `/api/files/${id}`, headers: { authorization } })
    const before = asked.length

    t.equal((await gateway.get(url)).statusCode, 404)
    t.equal(asked.length, before)
  })
})

t.test('an address of the bucket does not outlive the signed address that led to it', async (t) => {
  const asked: Array<AddressOptions & { key: string }> = []
  const gateway = await startTestGateway(t, {
    directSeconds: 300,
    signing: { key: 'a key of some length', ttlSeconds: 20 },
    wrapBlobs: withAddresses(asked)
  })
  const id = await gateway.store()
  const { search } = new URL((await gateway.get(`/api/files/${id}`)).json().file.url)

  t.equal((await gateway.get(`/cdn/files/${id}`)).statusCode, 404, 'unsigned')
  t.equal((await gateway.get(`/cdn/files/${id}${search}`)).statusCode, 302)
  t.ok((asked.at(-1)?.seconds ?? 300) <= 20)
})

t.test('the gateway sends the file itself if the bucket signs no address', async (t) => {
  for (const address of [
    async () => null,
    async () => {
      throw new AppError('STORAGE_UNAVAILABLE', 'no credentials')
    }
  ]) {
    const gateway = await startTestGateway(t, {
      directSeconds: 120,
      wrapBlobs: (blobs) => ({ ...blobs, address })
    })
    const id = await gateway.store({ name: 'dot.png', content: png })
    const response = await gateway.get(`/cdn/files/${id}`)

    t.equal(response.statusCode, 200)
    t.strictSame(response.rawPayload, png)
    t.equal(response.headers['cache-control'], 'public, max-age=300')
  }
})
