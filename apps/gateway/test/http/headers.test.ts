import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { closedHeaders } from '@filewright/runtime'
import { startTestGateway, type InjectResponse } from '../helpers/test-gateway.js'

const absent = 'A'.repeat(22)
const gateway = await startTestGateway(t)
const id = await gateway.store({ name: 'a.html', content: '<script>alert(1)</script>' })
const picture = await gateway.store({ name: 'a.txt', content: 'a picture of words' })
const asUser = { authorization: `Bearer ${await gateway.token('*')}` }
gateway.onInference(async (_payload, { onProgress }) => {
  onProgress?.({ text: 'const a = 1', at: 0, tokensUsed: 1 })
  return { kind: 'generate', content: 'const a = 1', tokensUsed: 7, engine: 'model', finish: 'stop' }
})

async function send(
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  headers: Record<string, string> = {},
  payload?: string
): Promise<InjectResponse> {
  return await gateway.app.inject({
    method,
    url,
    headers: { ...asUser, ...headers },
    ...(payload === undefined ? {} : { payload })
  })
}
const json = { 'content-type': 'application/json' }

/** The server's name and version help only an attacker. */
function hasNoBanner(headers: Record<string, unknown>): boolean {
  return ['server', 'x-powered-by', 'via'].every((name) => headers[name] === undefined)
}

t.test('API responses deny browsers and caches, whatever their status', async (t) => {
  const answers: Array<[status: number, what: string, answer: Promise<InjectResponse>]> = [
    [200, 'a list', send('GET', '/api/files?project_id=acme')],
    [200, 'information', send('GET', `/api/files/${id}`)],
    [200, 'the models', send('GET', '/api/ai/models')],
    [
      200,
      'a generation',
      send('POST', '/api/ai/generate', json, JSON.stringify({ prompt: 'p', type: 'code' }))
    ],
    [
      200,
      'a stream of events',
      send(
        'POST',
        '/api/ai/generate',
        { ...json, accept: 'text/event-stream' },
        JSON.stringify({ prompt: 'p', type: 'code' })
      )
    ],
    [
      201,
      'an upload',
      gateway.upload([
        { name: 'project_id', value: 'acme' },
        { name: 'file', filename: 'b.txt', content: 'b' }
      ])
    ],
    [400, 'a bad field', send('GET', '/api/files')],
    [400, 'a bad AI request', send('POST', '/api/ai/generate', json, '{}')],
    [400, 'an address that does not decode', send('GET', '/api/files/%ff')],
    [401, 'no token', send('GET', '/api/files', { authorization: '' })],
    [
      403,
      'a foreign project',
      send('GET', '/api/files?project_id=acme', { authorization: `Bearer ${await gateway.token('other')}` })
    ],
    [404, 'no such file', send('GET', `/api/files/${absent}`)],
    [404, 'no such file on the CDN', send('GET', `/cdn/files/${absent}`)],
    [404, 'no such route', send('GET', '/nowhere')],
    [405, 'a wrong method', send('PUT', '/api/files')],
    [405, 'a wrong method on a page that may be kept', send('PUT', '/docs')],
    [412, 'a failed condition', send('GET', `/cdn/files/${id}`, { 'if-match': '"other"' })],
    [413, 'a body that is too large', send('POST', '/api/ai/analyze', json, `"${'x'.repeat(5_000_000)}"`)],
    [414, 'an address that is too long', send('GET', `/api/files/${'a'.repeat(1_500)}`)],
    [415, 'a type nobody reads', send('POST', '/api/ai/analyze', { 'content-type': 'text/csv' }, 'a,b')],
    [416, 'a range past the end', send('GET', `/cdn/files/${id}`, { range: 'bytes=999-' })]
  ]
  for (const [status, what, answer] of answers) {
    const { statusCode, headers } = await answer
    t.equal(statusCode, status, what)
    t.match(headers, closedHeaders, what)
    t.ok(hasNoBanner(headers), what)
  }
})

t.test('a file is not cached by shared caches, and executes nothing where it is shown', async (t) => {
  const sandboxed = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'referrer-policy': 'no-referrer'
  }
  const etag = String((await send('GET', `/cdn/files/${id}`)).headers.etag)
  for (const headers of [{}, { range: 'bytes=0-3' }, { 'if-none-match': etag }] as Array<
    Record<string, string>
  >) {
    for (const method of ['GET', 'HEAD'] as const) {
      const own = await send(method, `/api/files/${id}/download`, headers)
      t.match(
        own.headers,
        { ...sandboxed, 'cache-control': 'private, no-cache', 'cross-origin-resource-policy': 'same-origin' },
        `${method} ${own.statusCode}`
      )
      const shared = await send(method, `/cdn/files/${id}`, headers)
      t.match(
        shared.headers,
        {
          ...sandboxed,
          'cache-control': 'public, max-age=300',
          'cross-origin-resource-policy': 'cross-origin'
        },
        `${method} ${shared.statusCode}`
      )
      t.ok(hasNoBanner(own.headers) && hasNoBanner(shared.headers))
    }
  }
  t.match(
    (await send('GET', `/cdn/files/${id}`)).headers,
    { 'content-disposition': /^attachment; / },
    'a page is not shown at all'
  )
  t.match((await send('GET', `/cdn/files/${picture}`)).headers, {
    'content-disposition': /^inline; /,
    ...sandboxed
  })
})

t.test('the reference page runs its own scripts and nothing else', async (t) => {
  for (const url of ['/docs', '/docs/start.js', '/docs/swagger-ui.css', '/openapi.json']) {
    const { statusCode, headers } = await gateway.app.inject({ url })
    t.equal(statusCode, 200, url)
    t.match(
      headers,
      {
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': /^default-src 'none'; .*frame-ancestors 'none'/
      },
      url
    )
    t.notMatch(headers['content-security-policy'], 'unsafe', url)
  }

  const page = await gateway.app.inject({ url: '/docs' })
  const [, sources = ''] = /script-src ([^;]*);/.exec(String(page.headers['content-security-policy'])) ?? []
  const scripts = [...page.body.matchAll(/<script src="([^"]+)" integrity="([^"]+)">/g)]
  t.equal(scripts.length, page.body.match(/<script/g)?.length)
  for (const [, url = '', integrity] of scripts) {
    const { rawPayload } = await gateway.app.inject({ url })
    t.equal(integrity, `sha256-${createHash('sha256').update(rawPayload).digest('base64')}`, url)
  }
  t.equal(sources, scripts.map(([, , integrity]) => `'${integrity}'`).join(' '), 'by what is in them alone')
})

t.test('a response to invalid HTTP has the same restrictive headers', async (t) => {
  const port = Number(new URL(await gateway.app.listen({ port: 0 })).port)
  for (const head of [
    'NONSENSE',
    'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}`
  ]) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`${head}\r\n\r\n`)
    const answer = await text(socket)

    for (const [name, value] of Object.entries(closedHeaders)) {
      t.ok(answer.includes(`\r\n${name}: ${value}\r\n`), `${head.slice(0, 8)}: ${name}`)
    }
    t.notMatch(answer, /\r\n(server|x-powered-by|via):/i)
  }
})
