import { connect } from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { trustedProxies } from '@filewright/domain'
import { AppError, hashToken } from '@filewright/runtime'
import { toPublicError } from '../../src/http/error-map.js'
import { startTestGateway } from '../helpers/test-gateway.js'

const absent = 'A'.repeat(22)
const routes = [
  ['POST', '/api/files/upload'],
  ['GET', '/api/files'],
  ['GET', `/api/files/${absent}`],
  ['GET', `/api/files/${absent}/download`],
  ['GET', `/files/${absent}/download`],
  ['DELETE', `/api/files/${absent}`]
] as const

t.test('authentication', async (t) => {
  const gateway = await startTestGateway(t)
  const good = await gateway.token('*')
  const expired = await gateway.token('*')
  await gateway.database.tokens.create({
    id: 'old',
    name: 'old',
    hash: hashToken('an-expired-token'),
    projects: ['*'],
    expiresAt: new Date(0)
  })
  await gateway.database.tokens.create({
    id: 'revoked',
    name: 'revoked',
    hash: hashToken('a-revoked-token'),
    projects: ['*']
  })
  await gateway.database.tokens.revoke('revoked', new Date())

  t.test('answers 401 on every endpoint for every bad token', async (t) => {
    for (const [method, url] of routes) {
      for (const authorization of [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        `Basic ${good}`,
        good,
        `Bearer ${good}x`,
        `Bearer ${good} x`,
        'Bearer an-expired-token',
        'Bearer a-revoked-token',
        `Bearer ${'x'.repeat(600)}`,
        'Bearer \u00e9'
      ]) {
        const response = await gateway.app.inject({
          method,
          url,
          headers: authorization === undefined ? {} : { authorization }
        })
        t.equal(response.statusCode, 401, `${method} ${url} ${authorization}`)
        t.strictSame(response.json(), { error: 'Unauthorized' })
        t.equal(response.headers['www-authenticate'], 'Bearer')
      }
    }
  })

  t.test('accepts the scheme in any case', async (t) => {
    t.equal(
      (
        await gateway.app.inject({
          url: '/api/files?project_id=a',
          headers: { authorization: `bearer ${expired}` }
        })
      ).statusCode,
      200
    )
  })

  t.test('refuses two tokens instead of choosing one', async (t) => {
    const lines = [
      'GET /api/files?project_id=a HTTP/1.1',
      'Host: x',
      'Connection: close',
      `Authorization: Bearer ${good}`
    ]

    t.match(await raw(t, await gateway.app.listen({ port: 0 }), lines), /^HTTP\/1\.1 200 /)
    t.match(
      await raw(t, gateway.app.listeningOrigin, [...lines, 'authorization: Bearer another']),
      /^HTTP\/1\.1 401 /
    )
  })

  t.test('happens before any byte of a body is requested', async (t) => {
    const answer = await raw(t, gateway.app.listeningOrigin, [
      'POST /api/files/upload HTTP/1.1',
      'Host: x',
      'Authorization: Bearer wrong',
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000',
      'Expect: 100-continue'
    ])

    t.match(answer, /^HTTP\/1\.1 401 /)
  })
})

t.test('every response', async (t) => {
  const gateway = await startTestGateway(t)

  t.test('has a request id: the given one when it is valid, otherwise a new one', async (t) => {
    t.equal(
      (await gateway.get('/api/files', { 'x-request-id': 'trace-1.a_b' })).headers['x-request-id'],
      'trace-1.a_b'
    )
    for (const bad of ['has space', 'x'.repeat(200), '<script>', '']) {
      t.match(
        (await gateway.get('/api/files', { 'x-request-id': bad })).headers['x-request-id'],
        /^[0-9A-Za-z]{22}$/,
        bad
      )
    }
    t.ok((await gateway.app.inject({ url: '/nowhere' })).headers['x-request-id'])
  })

  t.test('to an unknown path is 404 with one key', async (t) => {
    for (const url of ['/index.html', '/api', '/api/nothing', '/api/v1/files', '/cdn/files']) {
      const response = await gateway.get(url)
      t.equal(response.statusCode, 404, url)
      t.strictSame(response.json(), { error: 'Not found' })
    }
  })

  t.test('to a wrong method on a known path is 405 with Allow', async (t) => {
    for (const [method, url, allow] of [
      ['PUT', '/api/files', 'GET, HEAD'],
      ['GET', '/api/files/upload', 'POST'],
      ['POST', `/api/files/${absent}`, 'GET, HEAD, PATCH, DELETE'],
      ['GET', `/api/trash/${absent}`, 'DELETE'],
      ['DELETE', `/api/files/${absent}/download`, 'GET, HEAD'],
      ['POST', `/cdn/files/${absent}`, 'GET, HEAD']
    ] as const) {
      const response = await gateway.app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${await gateway.token('*')}` }
      })
      t.equal(response.statusCode, 405, `${method} ${url}`)
      t.equal(response.headers['allow'], allow)
      t.strictSame(response.json(), { error: 'Method not allowed' })
    }
  })

  t.test('to a malformed address is JSON', async (t) => {
    const response = await gateway.get('/api/files/%ff')

    t.equal(response.statusCode, 400)
    t.strictSame(response.json(), { error: 'Bad request' })
    t.ok(response.headers['x-request-id'])
  })

  t.test('to broken HTTP is JSON, and closes the connection', async (t) => {
    const address = await gateway.app.listen({ port: 0 })
    for (const [lines, status] of [
      [['NONSENSE'], 400],
      [['GET / HTTP/1.1', 'Host: x', `X: ${'y'.repeat(20_000)}`], 431],
      [['GET / HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Transfer-Encoding: chunked'], 400]
    ] as const) {
      const answer = await raw(t, address, [...lines])
      t.match(
        answer,
        new RegExp(`^HTTP/1\\.1 ${status} .*Connection: close\\r\\n\\r\\n\\{"error":"[^"]+"\\}$`, 's')
      )
    }
  })
})

t.test('requests that Node would answer itself also get JSON with a request id', async (t) => {
  const gateway = await startTestGateway(t)
  const address = await gateway.app.listen({ port: 0 })
  for (const [lines, status] of [
    [['GET /api/files HTTP/1.1'], 400],
    [['CONNECT other.example:443 HTTP/1.1', 'Host: other.example:443'], 405],
    [['GET /api/files HTTP/1.1', 'Host: x', 'Expect: the-unexpected'], 401],
    [['GET /api/files HTTP/1.0'], 401]
  ] as const) {
    const answer = await raw(t, address, [...lines])
    t.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), lines.join(' | '))
    t.match(answer, /\r\nx-request-id: /i)
    t.match(answer, /\r\n\r\n\{"error":"[^"]+"\}$/)
  }
})

t.test('a request with two hosts, a list of hosts or an invalid host is 400', async (t) => {
  const gateway = await startTestGateway(t)
  const address = await gateway.app.listen({ port: 0 })
  const ask = async (version: string, ...hosts: string[]): Promise<string> => {
    const lines = hosts.map((host) => `Host:${host}`)
    return await raw(t, address, [`GET /openapi.json HTTP/${version}`, ...lines, 'Connection: close'])
  }

  for (const hosts of [
    [' a.example', ' b.example'],
    [' a.example', ' a.example'],
    [' a.example', ''],
    [' a.example, b.example'],
    [' a.example b.example'],
    [' a@b.example'],
    [' a.example/b'],
    [' a.example:80:81'],
    [' a.example:x'],
    [' [::1']
  ]) {
    t.match(await ask('1.1', ...hosts), /^HTTP\/1\.1 400 .*\{"error":"Bad request"\}$/s, hosts.join(' | '))
    t.match(await ask('1.0', ...hosts), /^HTTP\/1\.1 400 /, hosts.join(' | '))
  }
  for (const host of [
    ' a.example',
    ' a.example:3000',
    ' 127.0.0.1:3000',
    ' [::1]:3000',
    ' bücher.example',
    ' a_b.example',
    ''
  ]) {
    t.match(await ask('1.1', host), /^HTTP\/1\.1 200 /, host)
  }
})

t.test('a URL that is too long is 414, not a 500', async (t) => {
  const gateway = await startTestGateway(t)

  for (const url of [`/cdn/files/${'a'.repeat(1_500)}`, `/api/files/${'a'.repeat(1_500)}`]) {
    const response = await gateway.get(url)
    t.strictSame([response.statusCode, response.json()], [414, { error: 'Address too long' }])
  }
})

t.test('garbage sent during a response ends the connection and adds nothing to the response', async (t) => {
  const gateway = await startTestGateway(t)
  const id = await gateway.store({ content: Buffer.alloc(20_000_000, 'x') })
  const socket = connect(Number(new URL(await gateway.app.listen({ port: 0 })).port))
  t.teardown(() => {
    socket.destroy()
  })
  let received = ''
  socket.on('data', (data) => {
    received += String(data)
  })
  socket.write(`GET /cdn/files/${id} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await once(socket, 'data')

  socket.write('\u0001garbage\r\n\r\n')
  await once(socket, 'close')

  t.equal(received.match(/HTTP\/1\.1/g)?.length, 1)
})

t.test('only the configured number of proxies is trusted', async (t) => {
  const trusted = (setting: string, hop: number): unknown => {
    const proxies = trustedProxies(setting)
    return typeof proxies === 'function' ? proxies('198.51.100.7', hop) : proxies
  }
  t.strictSame(
    [trusted('true', 0), trusted('true', 1), trusted('2', 1), trusted('2', 2)],
    [true, false, true, false]
  )
  t.strictSame([trusted('false', 0), trusted('10.0.0.0/8, ::1', 0)], [false, '10.0.0.0/8, ::1'])
})

t.test('an internal failure', async (t) => {
  const gateway = await startTestGateway(t, {
    wrapFiles: (files) => ({
      ...files,
      findReady: async () => {
        throw new Error('select * from secrets failed')
      },
      list: async () => {
        throw new AppError('DATABASE_UNAVAILABLE', 'connection refused to 10.0.0.1')
      }
    })
  })

  t.test('is 500 without detail when it is unexpected', async (t) => {
    const response = await gateway.get(`/api/files/${absent}`)

    t.equal(response.statusCode, 500)
    t.strictSame(response.json(), { error: 'Internal server error' })
  })

  t.test('is 503 with Retry-After when a dependency is down', async (t) => {
    const response = await gateway.get('/api/files?project_id=a')

    t.equal(response.statusCode, 503)
    t.strictSame(response.json(), { error: 'Service temporarily unavailable, try again later' })
    t.ok(response.headers['retry-after'])
  })
})

t.test("Fastify's errors keep their status and lose their message", async (t) => {
  t.match(toPublicError(Object.assign(new Error('secret'), { statusCode: 413 })), {
    status: 413,
    sentence: 'Request body too large'
  })
  t.match(toPublicError(Object.assign(new Error('secret'), { statusCode: 418 })), {
    status: 500,
    sentence: 'Internal server error'
  })
  t.match(toPublicError(null), { status: 500 })
})

/** Sends the head of a request and returns the first response, whatever it is. */
async function raw(t: Test, address: string, lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(address).port))
  t.teardown(() => {
    socket.destroy()
  })
  await once(socket, 'connect')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [data] = await once(socket, 'data')
  return String(data)
}
