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

t.test('CDN_DIRECT needs a store that can sign addresses', async (t) => {
  const load = (settings: Record<string, string>) =>
    loadGatewayConfig({ ...required, CDN_DIRECT: 'true', ...settings })
  const azure = { AZURE_CONTAINER: 'files', AZURE_ACCOUNT: 'acme' }
  const emulator = { GCS_BUCKET: 'files', GCS_API_ENDPOINT: 'http://gcs:4443', GCS_ANONYMOUS: 'true' }

  for (const [settings, message] of [
    [{}, /needs a bucket/],
    [{ ...azure, AZURE_SAS_TOKEN: 'sv=1&sig=x' }, /AZURE_ACCOUNT_KEY/],
    [emulator, /GCS_ANONYMOUS/],
    [{ GCS_BUCKET: 'files', CDN_DIRECT_ENDPOINT: 'https://me:secret@example.com' }, /CDN_DIRECT_ENDPOINT/],
    [{ GCS_BUCKET: 'files', CDN_DIRECT_SECONDS: '3601' }, /CDN_DIRECT_SECONDS/]
  ] as const) {
    t.throws(() => load(settings), { code: 'CONFIG_INVALID', message })
  }
  for (const settings of [
    { GCS_BUCKET: 'files' },
    { S3_BUCKET: 'files', S3_REGION: 'eu-central-1', CDN_DIRECT_ENDPOINT: 'https://files.example.com' },
    { ...azure, AZURE_ACCOUNT_KEY: 'c2VjcmV0' }
  ]) {
    t.match(load(settings), { CDN_DIRECT: true, CDN_DIRECT_SECONDS: 300 })
  }
})
