import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { startTestGateway } from '../../helpers/test-gateway.js'

t.test('the console', async (t) => {
  const { app } = await startTestGateway(t)
  const page = await app.inject({ url: '/' })
  const files = [...page.body.matchAll(/(?:src|href)="\.\/(console\/[^"]+)"/g)].map(
    ([, path]) => `/${path ?? ''}`
  )

  t.test('is a page at the root that is not cached and needs no token', async (t) => {
    t.equal(page.statusCode, 200)
    t.match(page.headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    t.equal(files.length, 3)
    t.equal((await app.inject({ method: 'HEAD', url: '/' })).statusCode, 200)
    t.match((await app.inject({ method: 'POST', url: '/' })).json(), { error: 'Method not allowed' })
  })

  t.test('runs only scripts with the nonce of this response', async (t) => {
    const policy = String(page.headers['content-security-policy'])
    const [, nonce = ''] = /script-src 'nonce-([\w-]{22})';/.exec(policy) ?? []

    t.equal(page.body.split(`nonce="${nonce}"`).length, 3, 'the script and the style sheet')
    t.match(policy, /^default-src 'none'; .*frame-ancestors 'none'/)
    t.notMatch(policy, /unsafe|\*|https?:|style-src[^;]*'self'|script-src[^;]*'self'/)
    t.not(
      (await app.inject({ url: '/' })).headers['content-security-policy'],
      policy,
      'another number each time'
    )
  })

  t.test('has files that may be cached forever, compressed for clients that accept it', async (t) => {
    for (const url of files) {
      const plain = await app.inject({ url })
      t.match(
        plain.headers,
        { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' },
        url
      )
      const compressed = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })
      t.equal(compressed.headers['content-encoding'], 'gzip')
      t.equal(gunzipSync(compressed.rawPayload).toString(), plain.body, url)
    }
  })

  t.test('has no other files', async (t) => {
    for (const name of ['page.json', 'licenses.txt', 'console-AAAAAAAA.js', '..%2fpackage.json', 'x']) {
      const answer = await app.inject({ url: `/console/${name}` })
      t.equal(answer.statusCode, 404, name)
      t.strictSame(answer.json(), { error: 'Not found' })
    }
  })
})

t.test('behind a proxy with a path, the page uses that path', async (t) => {
  const { app } = await startTestGateway(t, { baseUrl: 'https://example.com/storage' })

  t.match((await app.inject({ url: '/' })).body, / src="\/storage\/console\/console-\w+\.js"/)
})

t.test('without a console, the root is 404 like any unknown path', async (t) => {
  const { app } = await startTestGateway(t, { hasConsole: false })

  for (const url of ['/', '/console/x.js']) {
    const answer = await app.inject({ url })
    t.equal(answer.statusCode, 404)
    t.strictSame(answer.json(), { error: 'Not found' })
  }
})
