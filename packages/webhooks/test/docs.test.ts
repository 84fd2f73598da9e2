import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import {
  createAddressPolicy,
  createSecret,
  sendWebhook,
  signedHeaders,
  type SendResult
} from '../src/index.js'

const workspace = fileURLToPath(new URL('../../', import.meta.url))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

t.test('the receiver in the documentation accepts signed requests and refuses all others', async (t) => {
  const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? []
  t.ok(code.trim().split('\n').length <= 14)
  // In the folder from which its imports resolve.
  const file = `${workspace}dist/receiver-of-the-documentation.mjs`
  writeFileSync(file, code)
  t.teardown(() => rmSync(file))
  const [secret, port] = [createSecret(), await freePort()]
  const receiver = spawn(process.execPath, [file], {
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) }
  })
  t.teardown(() => receiver.kill())
  const body = JSON.stringify({
    type: 'file.created',
    timestamp: new Date().toISOString(),
    data: { name: 'a.txt' }
  })
  const send = async (signedWith: string): Promise<SendResult> =>
    await sendWebhook({
      url: `http://127.0.0.1:${port}/`,
      headers: signedHeaders({ id: 'evt_1_2', at: new Date(), body }, [signedWith]),
      body,
      policy: createAddressPolicy({ allowHttp: true, allowNetworks: ['127.0.0.0/8'] }),
      resolve: async () => [],
      signal: new AbortController().signal
    })
  let result = await send(secret)
  while (result.error === 'ECONNREFUSED') {
    await new Promise((resolve) => setTimeout(resolve, 20))
    result = await send(secret)
  }

  t.equal(result.status, 204)
  t.equal((await send(createSecret())).status, 400)
})
