import type { StackFacts } from '../../src/stack-file.js'

/** Facts of a stack that does not run. */
export const STACK_FACTS: StackFacts = {
  baseUrl: 'http://localhost:3000',
  listenUrl: 'http://127.0.0.1:3000',
  adminUrl: 'http://127.0.0.1:3001',
  databaseUrl: 'postgresql://x',
  redisUrl: 'redis://:secret@127.0.0.1:1',
  clamd: { socket: '/tmp/c' },
  ollamaUrl: 'http://127.0.0.1:2',
  store: { BLOB_DIR: '/data/blobs' },
  quotas: {},
  webhooks: {},
  probeUrls: { 'scan-worker-1': 'http://127.0.0.1:3' },
  dataDir: '/data',
  socketDir: '/tmp/filewright-x'
}
