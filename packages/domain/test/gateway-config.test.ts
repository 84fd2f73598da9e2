import t from 'tap'
import { loadGatewayConfig } from '../src/gateway-config.js'

const required = { DATABASE_URL: 'postgresql://x', REDIS_URL: 'redis://x', BLOB_DIR: 'blobs' }

t.test('addresses follow the port unless set', async (t) => {
  t.match(loadGatewayConfig({ ...required, PORT: '8080' }), {
    BASE_URL: 'http://localhost:8080',
    CDN_URL: 'http://localhost:8080/cdn'
  })
  t.match(loadGatewayConfig({ ...required, BASE_URL: 'https://files.example.com/' }), {
    BASE_URL: 'https://files.example.com',
    CDN_URL: 'https://files.example.com/cdn'
  })
  t.match(loadGatewayConfig({ ...required, CDN_URL: 'https://cdn.example.com/' }), {
    CDN_URL: 'https://cdn.example.com'
  })
})

t.test('signed CDN addresses need a key', async (t) => {
  t.throws(() => loadGatewayConfig({ ...required, CDN_SIGNED: 'true' }), {
    code: 'CONFIG_INVALID',
    message: /CDN_SIGNING_KEY/
  })
  t.match(loadGatewayConfig({ ...required, CDN_SIGNED: 'true', CDN_SIGNING_KEY: 'k'.repeat(16) }), {
    CDN_SIGNED: true
  })
})
