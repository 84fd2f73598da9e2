import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import type { InferenceOutcome, WindowCount } from '@filewright/queue'
import { AppError } from '@filewright/runtime'
import { poll, type MultipartPart } from '@filewright/testing'
import { createLocalWindows } from '../../../src/modules/limits/local-windows.js'
import { clean, startTestGateway, type InjectResponse, type TestGateway } from '../../helpers/test-gateway.js'

const tooMany = { error: 'Too many requests, try again later' }
const form: MultipartPart[] = [
  { name: 'project_id', value: 'acme' },
  { name: 'file', filename: 'a.txt', content: 'x' }
]
const generated: InferenceOutcome = {
  kind: 'generate',
  content: 'c',
  finish: 'stop',
  engine: 'model',
  modelUsed: 'm',
  tokensUsed: 1
}

const list = async (gateway: TestGateway, token: string): Promise<InjectResponse> =>
  await gateway.app.inject({ url: '/api/files?project_id=a', headers: { authorization: `Bearer ${token}` } })
const generate = async (gateway: TestGateway, token: string): Promise<InjectResponse> =>
  await gateway.app.inject({
    method: 'POST',
    url: '/api/ai/generate',
    headers: { authorization: `Bearer ${token}` },
    payload: { prompt: 'p', type: 'code' }
  })

t.test('a token whose statements wait for each other gets 429 with Retry-After, never 503', async (t) => {
  const gateway = await startTestGateway(t, {
    wrapFiles: (files) => ({
      ...files,
      list: async () => {
        throw new AppError('TOKEN_BUSY', 'scripted', { retryable: true })
      }
    })
  })

  const response = await gateway.get('/api/files?project_id=acme')

  t.equal(response.statusCode, 429)
  t.strictSame(response.json(), { error: 'Too many requests, try again later' })
  t.equal(response.headers['retry-after'], '1')
})

t.test('a token', async (t) => {
  const gateway = await startTestGateway(t, { limits: { perMinute: 5, aiPerMinute: 2 } })
  gateway.onInference(async () => generated)

  t.test('receives its remaining requests, and above the limit a 429 with the time to wait', async (t) => {
    const token = await gateway.token('*')
    for (let i = 1; i <= 5; i++) {
      const response = await list(gateway, token)
      t.equal(response.statusCode, 200)
      t.match(response.headers, { 'ratelimit-limit': '5', 'ratelimit-remaining': String(5 - i) })
    }

    const refused = await list(gateway, token)

    t.equal(refused.statusCode, 429)
    t.strictSame(refused.json(), tooMany)
    t.match(refused.headers, { 'ratelimit-limit': '5', 'ratelimit-remaining': '0' })
    t.ok(Number(refused.headers['retry-after']) > 0 && Number(refused.headers['retry-after']) <= 60)
    t.equal(refused.headers['retry-after'], refused.headers['ratelimit-reset'])
    t.equal((await list(gateway, await gateway.token('*'))).statusCode, 200, 'another token is not concerned')
  })

  t.test('has a lower limit on the AI POSTs, which the other routes do not share', async (t) => {
    const token = await gateway.token('*')
    for (let i = 0; i < 2; i++) t.equal((await generate(gateway, token)).statusCode, 200)

    const refused = await generate(gateway, token)

    t.equal(refused.statusCode, 429)
    t.equal(refused.headers['ratelimit-limit'], '2')
    t.match((await list(gateway, token)).headers, { 'ratelimit-limit': '5', 'ratelimit-remaining': '1' })
  })
})

t.test('shared counts decide while available; otherwise the gateway uses its own', async (t) => {
  let shared: WindowCount[] | null = [{ count: 99, resetMs: 1_500 }]
  const gateway = await startTestGateway(t, {
    limits: { perMinute: 3 },
    counter: { hit: async () => shared }
  })
  const token = await gateway.token('*')

  const refused = await list(gateway, token)
  t.strictSame([refused.statusCode, refused.headers['retry-after']], [429, '2'])

  shared = null
  t.strictSame(
    [
      (await list(gateway, token)).statusCode,
      (await list(gateway, token)).statusCode,
      (await list(gateway, token)).statusCode
    ],
    [200, 200, 429]
  )
})

t.test('with limits turned off, nothing is counted', async (t) => {
  const gateway = await startTestGateway(t, {
    counter: {
      hit: async () => {
        throw new Error('counted')
      }
    }
  })

  const response = await list(gateway, await gateway.token('*'))

  t.equal(response.statusCode, 200)
  t.equal(response.headers['ratelimit-limit'], undefined)
})

t.test('requests in flight', async (t) => {
  const gateway = await startTestGateway(t, { limits: { uploads: 2, ai: 1 } })
  const gates: Array<() => void> = []
  const gate = async (): Promise<void> => await new Promise((resolve) => gates.push(resolve))
  const open = (): void => {
    for (const go of gates.splice(0)) go()
  }
  gateway.onScan(async () => {
    await gate()
    return clean
  })

  t.test('are limited per token, and a new one may start when another ends', async (t) => {
    const token = await gateway.token('*')
    const running = [gateway.upload(form, token), gateway.upload(form, token)]
    await poll(async () => gates.length === 2, { what: 'two uploads under way' })

    const refused = await gateway.upload(form, token)
    t.strictSame([refused.statusCode, refused.json(), refused.headers['retry-after']], [429, tooMany, '1'])
    t.equal((await list(gateway, token)).statusCode, 200, 'other requests go on')

    open()
    t.strictSame(
      (await Promise.all(running)).map(({ statusCode }) => statusCode),
      [201, 201]
    )
    const next = gateway.upload(form, token)
    await poll(async () => gates.length === 1, { what: 'the next upload' })
    open()
    t.equal((await next).statusCode, 201)
  })

  t.test('free their slot when their client disconnects', async (t) => {
    const token = await gateway.token('*')
    let aborted = false
    gateway.onInference(
      async (_payload, { signal }) =>
        await new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            aborted = true
            reject(signal.reason)
          })
          gates.push(() => {})
        })
    )
    await gateway.app.listen({ port: 0 })
    const socket = connect((gateway.app.server.address() as AddressInfo).port)
    await once(socket, 'connect')
    const body = '{"prompt":"p","type":"code"}'
    socket.write(
      `POST /api/ai/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
    await poll(async () => gates.length === 1, { what: 'the generation under way' })
    t.equal((await generate(gateway, token)).statusCode, 429)

    socket.destroy()
    await poll(async () => aborted, { what: 'the disconnect' })
    gateway.onInference(async () => generated)
    await poll(async () => (await generate(gateway, token)).statusCode === 200, { what: 'room' })
  })

  t.test(
    'free their slot when their client disconnected before they started, or while they waited for another response',
    async (t) => {
      const token = await gateway.token('*')
      const port = (gateway.app.server.address() as AddressInfo).port
      gateway.onScan(async () => clean)
      const id = await gateway.store({ content: Buffer.alloc(5_000_000, 'x') })
      const head = `POST /api/ai/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
      gateway.onInference(async () => generated)
      for (let round = 0; round < 10; round++) {
        const early = connect(port)
        await once(early, 'connect')
        await new Promise((resolve) => early.write(`${head}Content-Length: 100\r\n\r\n`, resolve))
        early.destroy()

        const queued = connect(port)
        await once(queued, 'connect')
        queued.write(`GET /cdn/files/${id} HTTP/1.1\r\nHost: x\r\n\r\n${head}Content-Length: 2\r\n\r\n{}`)
        await once(queued, 'data')
        queued.destroy()
      }

      await poll(async () => (await generate(gateway, token)).statusCode === 200, { what: 'room' })
    }
  )
})

t.test('an upload whose client disconnected keeps its slot until it is cleaned up', async (t) => {
  let cleanUp = (): void => {}
  const mayCleanUp = new Promise<void>((resolve) => {
    cleanUp = resolve
  })
  let cleaning = 0
  const gateway = await startTestGateway(t, {
    limits: { uploads: 1 },
    wrapFiles: (files) => ({
      ...files,
      withdraw: async (...args) => {
        cleaning++
        await mayCleanUp
        return await files.withdraw(...args)
      }
    })
  })
  const token = await gateway.token('*')
  await gateway.app.listen({ port: 0 })
  const socket = connect((gateway.app.server.address() as AddressInfo).port)
  await once(socket, 'connect')
  socket.write(
    `POST /api/files/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
      'Content-Length: 9999\r\n\r\n--b\r\nContent-Disposition: form-data; name="project_id"\r\n\r\nacme\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nsome text that never ends'
  )
  await poll(async () => (await gateway.filesOnDisk()).length > 0, { what: 'the upload under way' })

  socket.destroy()
  await poll(async () => cleaning > 0, { what: 'the clean-up' })

  t.equal((await gateway.upload(form, token)).statusCode, 429)
  cleanUp()
  await poll(async () => (await gateway.upload(form, token)).statusCode === 201, { what: 'room' })
})

t.test('wrong tokens from one address are 429 above the limit, and valid ones still work', async (t) => {
  const gateway = await startTestGateway(t, { limits: { authFailures: 3 } })
  const good = await gateway.token('*')

  const tried = await Promise.all(
    Array.from({ length: 3 }, async (_, i) => (await list(gateway, `wrong-${i}`)).statusCode)
  )
  t.strictSame(tried, [401, 401, 401])
  const refused = await list(gateway, 'wrong-again')

  t.strictSame([refused.statusCode, refused.json(), refused.headers['retry-after']], [429, tooMany, '60'])
  t.equal((await list(gateway, good)).statusCode, 200)
  t.equal(
    (await gateway.app.inject({ url: '/api/files' })).statusCode,
    401,
    'no token at all costs no look-up'
  )
})

t.test('a local window counts from its first hit, ends, and does not grow without bound', async (t) => {
  let now = 0
  const windows = createLocalWindows(100, () => now)

  t.strictSame(
    [windows.hit('a'), windows.hit('a'), windows.hit('b')],
    [
      { count: 1, resetMs: 100 },
      { count: 2, resetMs: 100 },
      { count: 1, resetMs: 100 }
    ]
  )
  now = 99
  t.strictSame(windows.hit('a'), { count: 3, resetMs: 1 })
  now = 100
  t.strictSame(windows.hit('a'), { count: 1, resetMs: 100 })

  for (let i = 0; i < 50_000; i++) windows.hit(`caller-${i}`)
  t.equal(windows.hit('a').count, 1, 'forgotten, not kept for ever')
})
