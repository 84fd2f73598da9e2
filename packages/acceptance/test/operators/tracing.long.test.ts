import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { poll, startStack } from '@filewright/testing'
import { createAiClient, createClient, startTraceCollector } from '../../src/index.js'

interface Attribute {
  key: string
  value: Record<string, unknown>
}
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
  status: { code?: number }
  service: string
}
interface Exported {
  resourceSpans: Array<{ resource: { attributes: Attribute[] }; scopeSpans: Array<{ spans: Span[] }> }>
}

const spans: Span[] = []
let wire = ''
const collector = await startTraceCollector(t, (body) => {
  wire += body
  for (const { resource, scopeSpans } of (JSON.parse(body) as Exported).resourceSpans) {
    const service = String(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue)
    for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ ...span, service })
  }
})

const secrets = {
  prompt: 'canary-prompt-5517',
  code: 'canaryCode5517',
  fileName: 'canary-name-5517.txt',
  content: 'canary-content-5517',
  project: 'canary-project-5517'
}
const stack = await startStack(t, {
  env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200' }
})
const client = createClient(stack.baseUrl, stack.token)
const ai = createAiClient(stack.baseUrl, stack.token)

/** From the span of this name up to its root. */
function chainOf(name: string): Span[] {
  const leaf = spans.find((span) => span.name === name)
  const chain: Span[] = []
  for (
    let span = leaf;
    span !== undefined;
    span = spans.find(({ spanId }) => spanId === span?.parentSpanId)
  ) {
    chain.push(span)
  }
  return chain
}
const named = (chain: Span[]): string[] => chain.map(({ service, name }) => `${service}: ${name}`)

t.test('one tree from the HTTP request through the queue to the clamd call', async (t) => {
  const { status, headers } = await client.upload({
    content: secrets.content,
    name: secrets.fileName,
    project: secrets.project
  })
  t.equal(status, 201)
  const expected = [
    'filewright-scan-worker: clamd scan',
    'filewright-scan-worker: scan job',
    'filewright-gateway: scan request',
    'filewright-gateway: POST /api/files/upload'
  ]
  await poll(() => chainOf('clamd scan').length === expected.length, {
    what: 'the whole tree',
    timeoutMs: 20_000
  })

  const chain = chainOf('clamd scan')
  t.strictSame(named(chain), expected)
  t.equal(new Set(chain.map(({ traceId }) => traceId)).size, 1, 'in one trace')
  t.match(chain.at(-1)?.attributes, [
    { value: { stringValue: 'POST' } },
    { value: { stringValue: '/api/files/upload' } },
    { value: { intValue: 201 } }
  ])
  t.strictSame(named(chainOf('storage write')), [
    'filewright-gateway: storage write',
    'filewright-gateway: POST /api/files/upload'
  ])
  t.ok(
    named(chainOf('storage read')).includes('filewright-scan-worker: clamd scan'),
    'and to what clamd was sent'
  )
  t.ok(headers.get('x-request-id'))
})

t.test('one tree from the HTTP request to the model call', async (t) => {
  t.equal(
    (await ai.post('generate', { prompt: secrets.prompt, type: 'code', language: 'javascript' })).status,
    200
  )
  await ai.post('analyze', { code: `const ${secrets.code} = eval(1)\n`, language: 'javascript' })
  await poll(() => chainOf('ollama chat').length === 4, { what: 'the whole tree', timeoutMs: 20_000 })

  t.strictSame(named(chainOf('ollama chat')), [
    'filewright-inference-worker: ollama chat',
    'filewright-inference-worker: inference job',
    'filewright-gateway: inference request',
    'filewright-gateway: POST /api/ai/generate'
  ])
})

t.test('an untrusted trace is not continued, and background work is not traced', async (t) => {
  const theirs = '0af7651916cd43dd8448eb211c80319c'
  await client.call('GET', '/api/ai/models', { headers: { traceparent: `00-${theirs}-b7ad6b7169203331-01` } })
  await poll(() => spans.some(({ name }) => name === 'GET /api/ai/models'), {
    what: 'the span',
    timeoutMs: 20_000
  })

  t.notOk(spans.some(({ traceId }) => traceId === theirs))
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === '')
  t.strictSame(
    [...new Set(roots.map(({ name }) => name.split(' ')[0]))].sort(),
    ['GET', 'POST'],
    'every trace begins with a request'
  )
})

t.test('the log lines of one request have its id in the gateway and in the worker', async (t) => {
  const requestId = 'look-for-me-5517'
  const form = new FormData()
  form.set('project_id', secrets.project)
  form.set('file', new Blob(['console.log(1)']), 'a.js')
  await client.call('POST', '/api/files/upload', { body: form, headers: { 'x-request-id': requestId } })

  const linesOf = async (name: string): Promise<Array<Record<string, unknown>>> =>
    (await readFile(join(stack.dataDir, 'logs', `${name}.log`), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line.requestId === requestId)
  await poll(
    async () => (await linesOf('gateway')).length > 0 && (await linesOf('scan-worker-1')).length > 0,
    { what: 'lines of both', timeoutMs: 10_000 }
  )
  t.match(await linesOf('gateway'), [{ msg: 'answered', route: '/api/files/upload', status: 201 }])
  t.match(await linesOf('scan-worker-1'), [{ msg: 'job done', queue: 'scan', jobId: /^scan-/, ms: Number }])
})

t.test('no user data is in the traces, the metrics or any log', async (t) => {
  const logs = await Promise.all(
    ['gateway', 'scan-worker-1', 'inference-worker-1'].map(
      async (name) => await readFile(join(stack.dataDir, 'logs', `${name}.log`), 'utf8')
    )
  )
  const metrics = await (await fetch(`${stack.adminUrl}/metrics`)).text()
  const everything = [wire, metrics, ...logs].join('\n')

  t.ok(wire.length > 1_000 && metrics.length > 1_000 && everything.includes('job done'))
  for (const secret of [...Object.values(secrets), stack.token, 'Sandbox answer']) {
    t.notOk(everything.includes(secret), `nothing of ${secret}`)
  }
})
