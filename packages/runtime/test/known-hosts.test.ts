import t from 'tap'
import { countHostHeaders, createKnownHosts } from '../src/index.js'

t.test('literal addresses, localhost and the listening address are known without being listed', async (t) => {
  const isKnown = createKnownHosts({ names: '', listensOn: 'Admin.internal' })

  for (const host of [
    '127.0.0.1',
    '127.0.0.1:3001',
    '10.0.0.7:80',
    '[::1]',
    '[fe80::1]:3001',
    'localhost',
    'LOCALHOST:3001',
    'localhost.',
    'admin.internal:1',
    undefined
  ]) {
    t.ok(isKnown(host), String(host))
  }
})

t.test('other names are known only when listed, and as a whole', async (t) => {
  const isKnown = createKnownHosts({ names: 'gateway, ops.example.com:8443,', listensOn: '0.0.0.0' })

  for (const host of ['gateway', 'gateway:3001', 'ops.example.com', 'Ops.Example.com.:1']) {
    t.ok(isKnown(host), host)
  }
  for (const host of [
    'rebound.example',
    'example.com',
    'xgateway',
    'gateway.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a.localhost',
    '',
    ' ',
    'gateway,evil.example',
    'evil.example@gateway',
    'gateway/evil',
    'gateway evil',
    '[evil]',
    'gateway:x',
    '2130706433',
    '0x7f.1'
  ]) {
    t.notOk(isKnown(host), host)
  }
})

t.test('a star matches any name', async (t) => {
  t.ok(createKnownHosts({ names: 'gateway,*', listensOn: '::' })('anything.example'))
})

t.test('every Host header is counted, whatever its case, and a missing value is not', async (t) => {
  t.equal(countHostHeaders({ rawHeaders: ['Host', 'a', 'X', 'host', 'HOST', 'b'] }), 2)
  t.equal(countHostHeaders({ rawHeaders: ['X', 'host'] }), 0)
})
