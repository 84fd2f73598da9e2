import t, { type Test } from 'tap'
import { startProbeServer } from '../src/index.js'

async function probe (t: Test, notReady: () => Promise<string | null> | string | null) {
  const server = await startProbeServer({ host: '127.0.0.1', port: 0, notReady })
  t.teardown(async () => { await server.close() })
  return async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`)
    return { status: response.status, body: await response.json() }
  }
}

t.test('ready while nothing is missing, and live in any case', async (t) => {
  const get = await probe(t, () => null)

  t.strictSame(await get('/health/ready'), { status: 200, body: { status: 'ok' } })
  t.strictSame(await get('/health/live'), { status: 200, body: { status: 'ok' } })
})

t.test('503 with the reason while something is missing', async (t) => {
  const get = await probe(t, async () => 'no scanner')

  t.strictSame(await get('/health/ready'), { status: 503, body: { status: 'unavailable', reason: 'no scanner' } })
  t.equal((await get('/health/live')).status, 200)
})

t.test('503 when the check itself throws, and its message stays inside', async (t) => {
  const get = await probe(t, () => { throw new Error('password=hunter2') })

  const { status, body } = await get('/health/ready')

  t.equal(status, 503)
  t.notMatch(JSON.stringify(body), 'hunter2')
})

t.test('404 for any other path', async (t) => {
  const get = await probe(t, () => null)

  t.equal((await get('/')).status, 404)
})
