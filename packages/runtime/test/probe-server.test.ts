import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { closedHeaders, startProbeServer, type HealthReport, type ProbeServerOptions } from '../src/index.js'

const well: HealthReport = { status: 'ok', checks: { redis: { state: 'ok', age_seconds: 1 } } }

async function probe(
  t: Test,
  report: ProbeServerOptions['health']['report'],
  more: Partial<ProbeServerOptions> = {}
) {
  const server = await startProbeServer({ host: '127.0.0.1', port: 0, health: { report }, ...more })
  t.teardown(async () => await server.close())
  return async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init)
    const text = await response.text()
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      headers: Object.fromEntries(response.headers),
      text,
      body: text.startsWith('{') ? (JSON.parse(text) as unknown) : null
    }
  }
}

t.test('ready, with the whole report, while no dependency is missing; live in any case', async (t) => {
  const get = await probe(t, () => well)

  t.match(await get('/health/ready'), { status: 200, body: well })
  t.match(await get('/health/ready?verbose'), { status: 200, body: well })
  t.match(await get('/health/live'), { status: 200, body: { status: 'ok' } })
})

t.test('503 only when a gated dependency is missing; degraded is still 200', async (t) => {
  const reports = {
    start: { ...well, status: 'degraded' as const },
    ready: { ...well, status: 'unavailable' as const, reason: 'redis: gone' }
  }
  const get = await probe(t, (gate = 'ready') => reports[gate])

  t.match(await get('/health/ready'), { status: 503, body: { status: 'unavailable', reason: 'redis: gone' } })
  t.match(await get('/health/startup'), { status: 200, body: { status: 'degraded' } })
  t.equal((await get('/health/live')).status, 200)
})

t.test('metrics are served unchanged, and 500 without detail when they cannot be collected', async (t) => {
  const get = await probe(t, () => well, {
    metrics: async () => ({ contentType: 'text/plain', text: 'up 1\n' })
  })
  t.match(await get('/metrics'), { status: 200, type: 'text/plain', text: 'up 1\n' })

  const broken = await probe(t, () => well, {
    metrics: async () => {
      throw new Error('password=hunter2')
    }
  })
  const { status, text } = await broken('/metrics')
  t.equal(status, 500)
  t.notMatch(text, 'hunter2')
})

t.test('404 for any other path, 405 for any other method, unless the handler takes it', async (t) => {
  const get = await probe(t, () => well, {
    handle: (path, _request, response) => {
      if (path !== '/own') return false
      response.end('mine')
      return true
    }
  })

  t.equal((await get('/')).status, 404)
  t.equal((await get('/metrics')).status, 404)
  t.equal((await get('/health/live', { method: 'POST' })).status, 405)
  t.match(await get('/own', { method: 'POST' }), { status: 200, text: 'mine' })
})

t.test('every page denies browsers and caches', async (t) => {
  const get = await probe(t, () => well, {
    metrics: async () => ({ contentType: 'text/plain', text: 'up 1\n' })
  })

  for (const path of ['/health/live', '/health/ready', '/metrics', '/nowhere']) {
    t.match((await get(path)).headers, closedHeaders, path)
  }
})

t.test('only requests with a known host name are answered', async (t) => {
  const report = () => well
  const handle: ProbeServerOptions['handle'] = (path, _request, response) => {
    if (path !== '/own') return false
    response.end('mine')
    return true
  }
  const metrics = async () => ({ contentType: 'text/plain', text: 'up 1\n' })
  const server = await startProbeServer({
    host: '127.0.0.1',
    port: 0,
    hosts: 'gateway, ops.example',
    health: { report },
    handle,
    metrics
  })
  t.teardown(async () => await server.close())
  const ask = async (...lines: string[]): Promise<string> => {
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    const answer = text(socket)
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
    return await answer
  }

  for (const path of ['/health/live', '/health/startup', '/health/ready', '/metrics', '/own']) {
    for (const host of [
      '127.0.0.1',
      'localhost:3001',
      '10.1.2.3:3001',
      '[::1]:3001',
      'gateway:3001',
      'OPS.example'
    ]) {
      t.match(await ask(`GET ${path} HTTP/1.1`, `Host: ${host}`), /^HTTP\/1\.1 200 /, `${host} ${path}`)
    }
    t.match(
      await ask(`GET ${path} HTTP/1.1`, 'Host: rebound.example'),
      /^HTTP\/1\.1 421 [^]*ADMIN_HOSTS/,
      path
    )
    t.match(
      await ask(`GET ${path} HTTP/1.1`, 'Host: gateway', 'Host: rebound.example'),
      /^HTTP\/1\.1 400 /,
      path
    )
    t.match(
      await ask(`GET ${path} HTTP/1.0`),
      /^HTTP\/1\.1 200 /,
      `${path}: no browser, but some load balancers`
    )
  }
})
