import t from 'tap'
import { openRedis } from '../src/redis-address.js'
import { parsePlace } from '../src/redis-place.js'

t.test('reads names, IPv4 and IPv6, with and without a port', async (t) => {
  t.strictSame(parsePlace('redis-1', 6379), { host: 'redis-1', port: 6379 })
  t.strictSame(parsePlace('10.0.0.1:7000', 6379), { host: '10.0.0.1', port: 7000 })
  t.strictSame(parsePlace('[::1]:26380', 26379), { host: '::1', port: 26380 })
})

t.test('an invalid address is an error that names the setting', async (t) => {
  for (const address of [
    'redis+sentinel://127.0.0.1:26379',
    'redis+sentinel://127.0.0.1:x/main',
    'redis+sentinel://127.0.0.1:70000/main',
    'redis+sentinel://a,/main',
    'redis+cluster://127.0.0.1:6379,',
    'redis+cluster://127.0.0.1:70000'
  ]) {
    t.throws(() => openRedis(address, { lazyConnect: true }), /^REDIS_URL/, address)
  }
})
