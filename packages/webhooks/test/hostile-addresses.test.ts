import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import {
  addressPolicyOf,
  createAddressPolicy,
  hostOf,
  parseEndpointUrl,
  RefusedUrlError,
  resolveAllowed,
  sendWebhook,
  type Resolve
} from '../src/index.js'

/** With http allowed, so that no address is refused for its scheme alone. */
const policy = createAddressPolicy({ allowHttp: true })

/** The responses of a hostile name server. */
const zone: Record<string, string[]> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mixed6.example': ['93.184.216.34', 'fe80::1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'empty.example': [],
  'garbage.example': ['not-an-address'],
  'zone.example': ['fe80::1%eth0'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1', '::1'],
  'app.localhost': ['127.0.0.1'],
  redis: ['172.18.0.5'],
  unix: ['10.0.0.9'],
  'kubernetes.default.svc': ['10.96.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'good.example': ['93.184.216.34']
}
const resolve: Resolve = async (name) => zone[name] ?? []

const hostile = [
  // Loopback, in every way that parsers accept.
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0x7f.1/',
  'http://127.0.0.1./',
  'http://%31%32%37.0.0.1/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://localhost/',
  'http://localhost./',
  'http://app.localhost/',
  'http://LOCALHOST/',
  // Unspecified, private, shared, link-local, multicast, reserved.
  'http://0.0.0.0/',
  'http://0/',
  'http://[::]/',
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.254/',
  'http://192.168.1.1/',
  'http://192.168.0.257/',
  'http://100.64.0.1/',
  'http://100.127.255.254/',
  'http://169.254.0.1/',
  'http://192.0.0.1/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://192.88.99.1/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[100::1]/',
  // Addresses at which clouds serve credentials.
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://[fd00:ec2::254]/',
  'http://metadata.google.internal/',
  // IPv4 inside IPv6.
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::1]/',
  'http://[::ffff:0:127.0.0.1]/',
  // Names whose server lies, or changes its mind.
  'http://loopback.example/',
  'http://loopback6.example/',
  'http://mixed.example/',
  'http://mixed6.example/',
  'http://metadata.example/',
  'http://mapped.example/',
  'http://nat64.example/',
  'http://empty.example/',
  'http://garbage.example/',
  'http://zone.example/',
  'http://127.0.0.1.nip.example/',
  'http://redis:6379/',
  'http://kubernetes.default.svc/',
  // Credentials, schemes, sockets, ports, names.
  'http://user:secret@good.example/',
  'http://user@good.example/',
  'http://@good.example/',
  'http://good.example@127.0.0.1/',
  'http://good.example\\@127.0.0.1/',
  'http://good.example:80@127.0.0.1/',
  'file:///etc/passwd',
  'ftp://good.example/',
  'gopher://127.0.0.1:6379/_INFO',
  'unix:///var/run/docker.sock',
  'http://unix:/var/run/docker.sock:/containers/json',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  '//good.example/',
  'good.example/hook',
  'http:///hook',
  'http://good.example:22/',
  'http://good.example:25/',
  'http://good.example:0/',
  'http://good.example:65536/',
  'http://good.example:-1/',
  `http://${'a'.repeat(64)}.example/`,
  `http://${'abcdefg.'.repeat(40)}example/`,
  `http://good.example/${'x'.repeat(3_000)}`,
  'http://good.example/\r\nX-Injected: 1',
  'http://good.example/ HTTP/1.1',
  'http://good\u3002example/',
  'http://\uff11\uff12\uff17.0.0.1/',
  'http://good.example/#fragment',
  'http://-bad.example/',
  'http://a..b/',
  ''
]

t.test('hostile addresses are refused when an endpoint is created', async (t) => {
  t.ok(hostile.length >= 60)
  for (const text of hostile) {
    const check = async (): Promise<string[]> => {
      const url = parseEndpointUrl(text, policy)
      return await resolveAllowed(hostOf(url), policy, resolve)
    }
    await t.rejects(check(), RefusedUrlError, text.slice(0, 80))
  }
  t.strictSame(
    await resolveAllowed(hostOf(parseEndpointUrl('http://good.example/', policy)), policy, resolve),
    ['93.184.216.34']
  )
})

t.test('hostile addresses are refused at delivery, without a connection', async (t) => {
  let connections = 0
  const server = createServer((_request, response) => response.end())
  server.on('connection', () => connections++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo

  for (const text of hostile) {
    // The same hosts at the port of a server that would answer.
    for (const url of [text, text.replace(/^http:\/\/([^/\\:@]+|\[[^\]]+\])\//, `http://$1:${port}/`)]) {
      const { status, error } = await sendWebhook({
        url,
        headers: {},
        body: '{}',
        policy,
        resolve,
        signal: new AbortController().signal
      })
      t.equal(status, null, url.slice(0, 80))
      t.match(error, /^the URL must/, url.slice(0, 80))
    }
  }
  t.equal(connections, 0)
})

t.test('a name is resolved once: the address that was checked is the one that is called', async (t) => {
  const server = createServer((request, response) => response.end(request.headers.host))
  await once(server.listen(0, '127.0.0.2'), 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  let lookups = 0
  // The second answer would be another machine of the same network.
  const rebinding: Resolve = async () => [lookups++ === 0 ? '127.0.0.2' : '127.0.0.1']

  const result = await sendWebhook({
    url: `http://rebinding.example:${port}/`,
    headers: {},
    body: '{}',
    policy: createAddressPolicy({ allowHttp: true, allowNetworks: ['127.0.0.2/32'] }),
    resolve: rebinding,
    signal: new AbortController().signal
  })

  t.match(result, { status: 200, response: `rebinding.example:${port}` })
  t.equal(lookups, 1)
})

t.test('http is refused unless the operator allows it; a private network, too', async (t) => {
  const strict = createAddressPolicy()
  t.throws(() => parseEndpointUrl('http://good.example/', strict), /https/)
  t.throws(() => parseEndpointUrl('https://10.1.2.3/', strict), RefusedUrlError)
  const intranet = createAddressPolicy({ allowNetworks: ['10.1.0.0/16', 'fd00::/8'] })
  for (const url of ['https://10.1.2.3/', 'https://[fd00::1]:8443/x?y=z', 'https://good.example:8443/']) {
    t.equal(parseEndpointUrl(url, intranet).href, url)
  }
  t.throws(() => parseEndpointUrl('https://10.2.0.1/', intranet), RefusedUrlError)
  for (const network of ['10.0.0.0', '10.0.0.0/33', 'x/8', '::/129', '10.0.0.0/8/8x']) {
    t.throws(() => createAddressPolicy({ allowNetworks: [network] }), { code: 'CONFIG_INVALID' }, network)
  }
})

t.test('WEBHOOK_ALLOW_PRIVATE opens loopback and private networks by http, and nothing else', (t) => {
  const settings = { WEBHOOK_ALLOW_HTTP: false, WEBHOOK_ALLOW_NETWORKS: '' }
  const closed = addressPolicyOf({ ...settings, WEBHOOK_ALLOW_PRIVATE: false })
  const open = addressPolicyOf({ ...settings, WEBHOOK_ALLOW_PRIVATE: true })
  for (const address of ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '[::1]', '[fd12::1]']) {
    t.throws(() => parseEndpointUrl(`http://${address}:8080/hook`, closed), RefusedUrlError, address)
    t.throws(() => parseEndpointUrl(`https://${address}:8443/hook`, closed), RefusedUrlError, address)
    t.ok(parseEndpointUrl(`http://${address}:8080/hook`, open), address)
  }
  for (const address of [
    '169.254.169.254',
    '[fd00:ec2::254]',
    '168.63.129.16',
    '0.0.0.0',
    '224.0.0.1',
    '[fe80::1]'
  ]) {
    t.throws(() => parseEndpointUrl(`http://${address}/`, open), RefusedUrlError, address)
  }
  t.end()
})
