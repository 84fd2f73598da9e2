import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import {
  createAddressPolicy,
  createSecret,
  createSecretBox,
  sendWebhook,
  signedHeaders,
  type SendResult
} from '../src/index.js'

const policy = createAddressPolicy({ allowHttp: true, allowNetworks: ['127.0.0.0/8'] })

async function sendTo(
  t: Test,
  listener: RequestListener,
  {
    body = '{}',
    timeoutMs = 60_000,
    headers = {} as Record<string, string>,
    signal = new AbortController().signal
  } = {}
): Promise<SendResult> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hook`
  return await sendWebhook({ url, headers, body, policy, resolve: async () => [], signal, timeoutMs })
}

t.test('receivers of two other projects verify a delivery, with either secret of a rotation', async (t) => {
  const [old, current] = [createSecret(), createSecret()]
  let verified = 0
  const body = JSON.stringify({
    type: 'file.created',
    timestamp: '2026-11-18T12:00:00.000Z',
    data: { name: 'ü €' }
  })
  const headers = signedHeaders({ id: 'evt_1_2', at: new Date(), body }, [current, old])

  await sendTo(
    t,
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const received = Buffer.concat(chunks).toString()
        const sent = request.headers as Record<string, string>
        for (const secret of [old, current]) {
          for (const webhook of [new StandardWebhook(secret), new SvixWebhook(secret)]) {
            verified++
            t.strictSame(webhook.verify(received, sent), JSON.parse(body))
            t.throws(() => webhook.verify(received.replace('€', '$'), sent), 'changed')
          }
        }
        t.throws(() => new StandardWebhook(createSecret()).verify(received, sent), 'another secret')
        response.end()
      })
    },
    { body, headers }
  )
  t.equal(verified, 4)
})

t.test('a response is read up to its first kilobyte, and terminal control codes are removed', async (t) => {
  const endless = await sendTo(t, (_request, response) => {
    response.statusCode = 500
    const more = (): void => {
      while (response.write(`\u001b[2J\u0000${'x'.repeat(1_000)}`));
      response.once('drain', more)
    }
    more()
  })

  t.match(endless, { status: 500, error: null })
  t.equal(endless.response?.length, 1_024)
  t.notOk(['\u0000', '\u001b'].some((code) => endless.response?.includes(code)))
})

t.test('a redirect is not followed, whatever its target', async (t) => {
  let requests = 0
  const result = await sendTo(t, (_request, response) => {
    requests++
    response.writeHead(307, { location: '/elsewhere' }).end('moved')
  })

  t.match(result, { status: 307, response: 'moved' })
  t.equal(requests, 1)
})

t.test(
  'an endpoint that never responds, disconnects or sends too many headers gives no status',
  async (t) => {
    t.match(await sendTo(t, () => {}, { timeoutMs: 50 }), { status: null, error: 'no response in time' })
    t.match(await sendTo(t, (request) => request.socket.destroy()), { status: null, error: 'ECONNRESET' })
    const large = await sendTo(t, (_request, response) => {
      response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end()
    })
    t.match(large, { status: null, error: 'HPE_HEADER_OVERFLOW' })
    t.match(await sendTo(t, () => {}, { body: 'x'.repeat(65_537) }), {
      status: null,
      error: 'the event is too large'
    })
  }
)

t.test('an endpoint that switches protocols gives no status, and the attempt ends', async (t) => {
  const result = await sendTo(t, (_request, { socket }) => {
    socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  })
  t.match(result, { status: null, error: 'the connection ended without a response' })
})

t.test('a body that never ends does not change the status that came before it', async (t) => {
  const result = await sendTo(
    t,
    (_request, response) => {
      response.writeHead(202)
      response.write('partial')
    },
    { timeoutMs: 500 }
  )
  t.match(result, { status: 202, response: 'partial' })
})

t.test('a job that is cancelled is not a failed delivery', async (t) => {
  const ending = new AbortController()
  await t.rejects(
    sendTo(t, () => ending.abort(new Error('stopped')), { signal: ending.signal }),
    { message: 'stopped' }
  )
})

t.test('a secret is readable only with its key and for its endpoint; keys can be changed', async (t) => {
  const secret = createSecret()
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const before = createSecretBox('an old key of the operator')
  const sealed = before.seal(secret, 'endpoint-1')
  t.notMatch(sealed, secret.slice(6))
  t.not(sealed, before.seal(secret, 'endpoint-1'))

  t.equal(
    createSecretBox('a new key of the operator, an old key of the operator').open(sealed, 'endpoint-1'),
    secret
  )
  for (const open of [
    () => createSecretBox('a new key of the operator').open(sealed, 'endpoint-1'),
    () => before.open(sealed, 'endpoint-2'),
    () => before.open('', 'endpoint-1'),
    () => before.open(`A${sealed.slice(1)}`, 'endpoint-1') && before.open(`B${sealed.slice(1)}`, 'endpoint-1')
  ]) {
    t.throws(open, { code: 'WEBHOOK_KEY_MISMATCH' })
  }
  t.throws(() => createSecretBox('short'), { code: 'CONFIG_INVALID' })
})
