import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { assertPortFree, pickPrivatePort, urlHost } from '../src/ports.js'

t.test('a port in use is reported in one sentence that names the setting', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo

  await t.rejects(assertPortFree('127.0.0.1', port, 'PORT'), {
    message: `Port ${port} on 127.0.0.1 is in use by another program: stop it, or set PORT to a free port.`
  })
})

t.test('an address that this machine does not have is reported in one sentence', async (t) => {
  await t.rejects(assertPortFree('192.0.2.1', 4000, 'PORT'), {
    message: /^Cannot listen on 192\.0\.2\.1, port 4000: .*\.$/
  })
})

t.test('a free port passes', async (t) => {
  await t.resolves(assertPortFree('127.0.0.1', await pickPrivatePort(), 'PORT'))
})

t.test('private ports are below the ephemeral range', async (t) => {
  for (let i = 0; i < 20; i++) {
    const port = await pickPrivatePort()
    t.ok(port >= 12_000 && port < 32_000, String(port))
  }
})

t.test('a listen address is turned into one to connect to', async (t) => {
  t.strictSame(['0.0.0.0', '::', '::1', 'localhost'].map(urlHost), [
    '127.0.0.1',
    '[::1]',
    '[::1]',
    'localhost'
  ])
})
