import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t, { type Test } from 'tap'
import type { InferenceOutcome } from '@filewright/queue'
import { AppError, createId, hashToken } from '@filewright/runtime'
import type { MultipartPart } from '@filewright/testing'
import { examples } from '../../../src/modules/docs/examples.js'
import { connectTo, headOf } from '../../helpers/raw-request.js'
import { clean, startTestGateway, type InjectResponse, type TestGateway } from '../../helpers/test-gateway.js'

const documented = await startTestGateway(t)
// `any` on purpose: the tests read the document as any client would, as JSON.
const document: any = (await documented.get('/openapi.json')).json()
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addFormat('binary', true)
ajv.addSchema(document, 'openapi')
const resolve = (node: any): any =>
  node.$ref === undefined
    ? node
    : node.$ref
        .slice(2)
        .split('/')
        .reduce((part: any, key: string) => part[key], document)
const absolute = (schema: any): any =>
  schema.$ref === undefined ? schema : { $ref: `openapi${schema.$ref}` }

type Operation = [method: string, path: string]
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.keys(item as object).map((method): Operation => [method, path])
)
const operationOf = ([method, path]: Operation): any => document.paths[path][method]

t.test('the document is valid OpenAPI 3.1', async (t) => {
  const result = await new Validator().validate(document)

  t.equal(result.valid, true, JSON.stringify(result.errors))
  t.equal(document.openapi, '3.1.0')
})

t.test("the document has the product's version", async (t) => {
  const { version } = JSON.parse(
    await readFile(new URL('../../../../../../package.json', import.meta.url), 'utf8')
  ) as { version: string }

  t.equal(document.info.version, version)
})

t.test('every request and response with a body has an example that matches its schema', async (t) => {
  for (const operation of operations) {
    const { requestBody, responses } = operationOf(operation)
    const messages = [...Object.values<any>(responses), ...(requestBody === undefined ? [] : [requestBody])]
    const contents = messages.flatMap(({ content = {} }) => Object.entries<any>(content))
    for (const [type, { schema, example, examples = {} }] of contents) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values<any>(examples).map(({ value }) => value)
      ]
      if (type === '*/*') continue
      t.ok(values.length > 0, `${operation.join(' ')} has an example of ${type}`)
      // The file itself is not text to be shown.
      for (const value of values) {
        t.ok(
          ajv.validate(absolute(schema), type === 'multipart/form-data' ? { file: '', ...value } : value),
          `${operation.join(' ')}: ${ajv.errorsText()}`
        )
      }
    }
  }
})

/** Checks one response against its documentation, and remembers that it was produced. */
const produced = new Set<string>()
function hold(t: Test, operation: Operation, status: number, answer: InjectResponse): void {
  const what = `${operation.join(' ')} ${status}`
  t.equal(answer.statusCode, status, `${what}: ${answer.body.slice(0, 100)}`)
  const response = operationOf(operation).responses[answer.statusCode]
  if (!t.ok(response, `${what} is documented`)) return
  produced.add(`${operation.join(' ')} ${answer.statusCode}`)
  for (const [name, header] of Object.entries<any>(response.headers)) {
    const { required = false, schema } = resolve(header)
    const value = answer.headers[name.toLowerCase()]
    if (value === undefined) {
      if (required) t.fail(`${what} lacks ${name}`)
    } else {
      t.ok(
        ajv.validate(schema, schema.type === 'integer' ? Number(value) : String(value)),
        `${what}: ${name}`
      )
    }
  }
  if (response.content === undefined) {
    // Node itself drops the body of a response to HEAD, which `inject` shows.
    if (operation[0] !== 'head') t.equal(answer.body, '', `${what} has no body`)
    return
  }
  const type = String(answer.headers['content-type']).split(';')[0] ?? ''
  const media = response.content[type] ?? response.content['*/*']
  if (!t.ok(media, `${what}: ${type} is documented`)) return
  const body =
    type.endsWith('json') && response.content['*/*'] === undefined ? JSON.parse(answer.body) : answer.body
  t.ok(ajv.validate(absolute(media.schema), body), `${what}: ${ajv.errorsText()}`)
}

const outcomes: Record<string, InferenceOutcome> = {
  generate: {
    kind: 'generate',
    content: 'c',
    finish: 'stop',
    engine: 'model',
    modelUsed: 'm',
    tokensUsed: 1
  },
  analyze: {
    kind: 'analyze',
    engine: 'static',
    tokensUsed: 0,
    body: { analysis: [{ type: 'warning', message: 'm', line: 1 }], score: 90, suggestions: ['s'] }
  },
  optimize: {
    kind: 'optimize',
    engine: 'static',
    tokensUsed: 0,
    body: {
      optimized_code: 'c',
      changes: [{ type: 'refactor', description: 'd', line: 1 }],
      improvements: ['i']
    }
  }
}
const bodies: Record<string, object> = {
  generate: { prompt: 'p', type: 'code' },
  analyze: { code: 'c', language: 'go' },
  'analyze/batch': { files: [{ path: 'a.go', code: 'c', language: 'go' }] },
  optimize: { code: 'c', language: 'go' }
}
const form: MultipartPart[] = [
  { name: 'project_id', value: 'docs' },
  { name: 'file', filename: 'a.txt', content: 'hello' }
]
const absent = 'A'.repeat(22)

t.test('every documented response is produced, and every produced one is documented', async (t) => {
  let fault: Error | undefined
  const failing = async <T>(work: () => Promise<T>): Promise<T> => {
    if (fault !== undefined) throw fault
    return await work()
  }
  let bucketAddress: string | null = null
  const gateway = await startTestGateway(t, {
    idleTimeoutMs: 300,
    webhookKey: 'a key for the tests',
    directSeconds: 300,
    wrapBlobs: (blobs) => ({ ...blobs, address: async () => bucketAddress }),
    wrapTokens: (tokens) => ({
      authenticate: async (token) => await failing(async () => await tokens.authenticate(token))
    }),
    wrapFiles: (files) => ({
      ...files,
      findReady: async (id) => await failing(async () => await files.findReady(id))
    }),
    wrapReceipts: (receipts) => ({
      ...receipts,
      issuer: async () => await failing(async () => await receipts.issuer())
    })
  })
  const token = `secret-${createId()}`
  const operator = {
    id: createId(),
    name: 'test',
    hash: hashToken(token),
    projects: ['docs'],
    isOperator: true
  }
  await gateway.database.tokens.create(operator)
  const call = async (
    method: string,
    url: string,
    given: Record<string, string> = {},
    payload?: string | object
  ): Promise<InjectResponse> => {
    const headers = { authorization: `Bearer ${token}`, ...given }
    return await gateway.app.inject({
      method: method.toUpperCase() as 'GET',
      url,
      headers,
      ...(payload === undefined ? {} : { payload })
    })
  }
  const id = (await gateway.upload(form, token)).json().file.id as string
  const urlOf = (path: string, fileId = id): string =>
    path.replace('{id}', fileId) +
    (path === '/api/events' ? '?project_id=docs&follow=false' : '') +
    (['/api/files', '/api/folders', '/api/trash', '/api/webhooks'].includes(path) ? '?project_id=docs' : '')

  for (const operation of operations) {
    const [method, path] = operation
    const isPublic = operationOf(operation).security?.length === 0
    const task = path.replace('/api/ai/', '')
    const work = bodies[task]
    const ask = async (headers = {}): Promise<InjectResponse> =>
      await call(method, urlOf(path), headers, work)

    if (!isPublic) hold(t, operation, 401, await ask({ authorization: 'Bearer wrong' }))
    fault = new AppError('DATABASE_UNAVAILABLE', 'down')
    hold(t, operation, 503, await ask())
    fault = new Error('nobody foresaw this')
    hold(t, operation, 500, await ask())
    fault = undefined
    if (path.includes('{id}')) {
      hold(t, operation, 400, await call(method, urlOf(path, '%ff')))
      const body = path.endsWith('/replay')
        ? examples.replay
        : method === 'patch'
          ? changeOf(path)
          : undefined
      hold(t, operation, 404, await call(method, urlOf(path, absent), {}, body))
    }
    if (path.endsWith('/download') || path.startsWith('/cdn/')) {
      hold(t, operation, 200, await ask())
      hold(t, operation, 206, await ask({ range: 'bytes=0-1' }))
      hold(t, operation, 304, await ask({ 'if-none-match': '*' }))
      hold(t, operation, 412, await ask({ 'if-match': '"other"' }))
      hold(t, operation, 416, await ask({ range: 'bytes=99-' }))
    }
    if (operation.join(' ') === 'get /cdn/files/{id}') {
      bucketAddress = 'https://bucket.example.com/file'
      hold(t, operation, 302, await ask())
      bucketAddress = null
    }
    if (work !== undefined) {
      const key = { 'idempotency-key': task }
      gateway.onInference(async () => {
        hold(t, operation, 409, await ask(key))
        return outcomes[task.replace('/batch', '')]!
      })
      hold(t, operation, 200, await ask(key))
      hold(t, operation, 200, await ask(key))
      hold(t, operation, 422, await call(method, path, key, { ...work, framework: 'x' }))
      hold(t, operation, 400, await ask({ 'idempotency-key': 'a b' }))
      hold(t, operation, 400, await call(method, path, {}, {}))
      hold(
        t,
        operation,
        413,
        await call(method, path, { 'content-type': 'application/json' }, 'x'.repeat(5 * 1024 * 1024))
      )
      hold(t, operation, 415, await call(method, path, { 'content-type': 'application/xml' }, '<x/>'))
      for (const [code, status] of [
        ['MODEL_UNAVAILABLE', 503],
        ['DEADLINE_EXCEEDED', 504]
      ] as const) {
        gateway.onInference(async () => {
          throw new AppError(code, 'no answer')
        })
        hold(t, operation, status, await ask())
      }
    }
  }

  const generate: Operation = ['post', '/api/ai/generate']
  gateway.onInference(async () => outcomes['generate']!)
  hold(
    t,
    generate,
    200,
    await call('post', '/api/ai/generate', { accept: 'text/event-stream' }, bodies['generate'])
  )
  hold(t, ['get', '/api/ai/models'], 200, await call('get', '/api/ai/models'))
  hold(t, ['get', '/api/service'], 200, await call('get', '/api/service'))
  hold(t, ['get', '/api/files/{id}/receipt'], 200, await call('get', `/api/files/${id}/receipt`))
  const keysPath = '/.well-known/filewright-keys.json'
  hold(t, ['get', keysPath], 200, await call('get', keysPath))
  hold(t, ['get', '/api/files'], 200, await call('get', '/api/files?project_id=docs'))
  hold(t, ['get', '/api/files'], 200, await call('get', '/api/files?project_id=docs&limit=1'))
  hold(t, ['get', '/api/files'], 400, await call('get', '/api/files'))
  hold(t, ['get', '/api/files'], 403, await call('get', '/api/files?project_id=other'))
  hold(t, ['get', '/api/files/{id}'], 200, await call('get', `/api/files/${id}`))
  const detailed = { accept: 'application/vnd.filewright+json' }
  hold(t, ['get', '/api/files'], 200, await call('get', '/api/files?project_id=docs', detailed))
  hold(t, ['get', '/api/files/{id}'], 200, await call('get', `/api/files/${id}`, detailed))
  const change: Operation = ['patch', '/api/files/{id}']
  const json = { 'content-type': 'application/json' }
  hold(t, change, 200, await call('patch', `/api/files/${id}`, {}, { name: 'b.txt' }))
  hold(t, change, 200, await call('patch', `/api/files/${id}`, detailed, { folder: 'x' }))
  hold(t, change, 400, await call('patch', `/api/files/${id}`, {}, {}))
  hold(t, change, 413, await call('patch', `/api/files/${id}`, json, 'x'.repeat(20_000)))
  hold(t, change, 415, await call('patch', `/api/files/${id}`, { 'content-type': 'text/plain' }, 'x'))
  hold(t, change, 408, await fallSilent(t, gateway, change, 'application/json', '{', { method: 'PATCH' }))
  const history = await call('get', '/api/generations')
  hold(t, ['get', '/api/generations'], 200, history)
  const recorded = `/api/generations/${history.json().generations[0].id}`
  hold(t, ['get', '/api/generations/{id}'], 200, await call('get', recorded))
  hold(t, ['get', '/api/generations'], 400, await call('get', '/api/generations?after=x'))
  hold(t, ['get', '/api/generations/{id}'], 404, await call('get', `/api/generations/${createId()}`))
  hold(t, ['get', '/api/generations/usage'], 200, await call('get', '/api/generations/usage'))
  const zip: Operation = ['post', '/api/files/zip']
  hold(t, zip, 200, await call('post', '/api/files/zip', {}, { project_id: 'docs' }))
  hold(t, zip, 400, await call('post', '/api/files/zip', {}, {}))
  hold(t, zip, 403, await call('post', '/api/files/zip', {}, { project_id: 'other' }))
  hold(t, zip, 404, await call('post', '/api/files/zip', {}, { project_id: 'docs', folder: 'none' }))
  hold(t, zip, 413, await call('post', '/api/files/zip', json, 'x'.repeat(1024 * 1024 + 1)))
  hold(t, zip, 415, await call('post', '/api/files/zip', { 'content-type': 'text/plain' }, 'x'))
  hold(t, zip, 408, await fallSilent(t, gateway, zip, 'application/json', '{'))
  hold(t, ['get', '/api/projects'], 200, await call('get', '/api/projects'))
  hold(t, ['get', '/api/projects'], 400, await call('get', '/api/projects?after=%00'))
  hold(t, ['get', '/api/folders'], 200, await call('get', '/api/folders?project_id=docs'))
  hold(t, ['get', '/api/folders'], 400, await call('get', '/api/folders'))
  hold(t, ['get', '/api/folders'], 403, await call('get', '/api/folders?project_id=other'))

  const upload: Operation = ['post', '/api/files/upload']
  const send = async (parts: MultipartPart[], key = {}): Promise<InjectResponse> =>
    await gateway.upload(parts, token, key)
  const key = { 'idempotency-key': 'upload' }
  gateway.onScan(async () => {
    hold(t, upload, 409, await send(form, key))
    return clean
  })
  hold(t, upload, 201, await send(form, key))
  hold(t, upload, 201, await send(form, key))
  hold(
    t,
    upload,
    422,
    await send(form.toSpliced(1, 1, { name: 'file', filename: 'b.txt', content: 'x' }), key)
  )
  hold(t, upload, 400, await send([]))
  hold(t, upload, 403, await send(form.toSpliced(0, 1, { name: 'project_id', value: 'other' })))
  gateway.onScan(async () => ({ verdict: 'infected', signature: 'Eicar', engine: 'test/1' }))
  hold(t, upload, 400, await send(form))
  gateway.onScan(async () => {
    throw new AppError('QUEUE_UNAVAILABLE', 'down')
  })
  hold(t, upload, 503, await send(form))
  const half = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf'
  hold(t, upload, 408, await fallSilent(t, gateway, upload, 'multipart/form-data; boundary=b', half))
  await Promise.all(
    operations
      .filter(([method, path]) => method === 'post' && path.startsWith('/api/ai/'))
      .map(async (operation) =>
        hold(t, operation, 408, await fallSilent(t, gateway, operation, 'application/json', '{'))
      )
  )
  hold(t, ['delete', '/api/files/{id}'], 200, await call('delete', `/api/files/${id}`))
  hold(t, ['get', '/api/trash'], 200, await call('get', '/api/trash?project_id=docs&limit=1'))
  const restore: Operation = ['post', '/api/trash/{id}/restore']
  hold(t, restore, 200, await call('post', `/api/trash/${id}/restore`))
  hold(t, restore, 200, await call('post', `/api/trash/${id}/restore`, detailed))
  await call('delete', `/api/files/${id}`)
  for (const method of ['get', 'delete']) {
    hold(t, [method, '/api/trash'], 400, await call(method, '/api/trash'))
    hold(t, [method, '/api/trash'], 403, await call(method, '/api/trash?project_id=other'))
  }
  hold(t, ['delete', '/api/trash/{id}'], 200, await call('delete', `/api/trash/${id}`))
  hold(t, ['delete', '/api/trash'], 200, await call('delete', '/api/trash?project_id=docs'))
  const withdrawn =
    (await gateway.database.files.list({ projectId: 'docs', page: 1, limit: 1 })).files[0]?.id ?? ''
  await gateway.database.files.markTrashed(withdrawn)
  const found = { engine: 'test/2', signature: 'Eicar', at: new Date() }
  await gateway.database.files.markQuarantined(withdrawn, found, 'stored')
  hold(t, restore, 410, await call('post', `/api/trash/${withdrawn}/restore`))
  gateway.onScan(async () => clean)
  const gone = (await send(form)).json().file.id as string
  await gateway.database.files.markQuarantined(gone, found, 'stored')
  for (const operation of operations.filter(([, path]) =>
    /files\/\{id\}(\/download|\/receipt)?$/.test(path)
  )) {
    const [method, path] = operation
    if (method === 'get' || method === 'head') hold(t, operation, 410, await call(method, urlOf(path, gone)))
  }
  hold(t, ['get', '/api/recalls'], 200, await call('get', '/api/recalls?project_id=docs'))
  hold(t, ['get', '/api/recalls'], 400, await call('get', '/api/recalls?since=yesterday'))
  hold(t, ['get', '/api/recalls'], 403, await call('get', '/api/recalls?project_id=other'))

  await holdWebhooks(t, call, gateway)
  await holdTokens(t, call, gateway, { id: operator.id, token })

  const strict = await startTestGateway(t, { limits: { perMinute: 1 } })
  for (const operation of operations.filter((operation) => operationOf(operation).security?.length !== 0)) {
    const [method, path] = operation
    const headers = { authorization: `Bearer ${await strict.token('*')}` }
    const ask = async (): Promise<InjectResponse> =>
      await strict.app.inject({ method: method.toUpperCase() as 'GET', url: urlOf(path, absent), headers })
    await ask()
    hold(t, operation, 429, await ask())
  }

  const expected = operations.flatMap((operation) =>
    Object.keys(operationOf(operation).responses).map((status) => `${operation.join(' ')} ${status}`)
  )
  t.strictSame(
    expected.filter((one) => !produced.has(one)),
    [],
    'nothing is documented that is not produced'
  )
})

const createWebhook: Operation = ['post', '/api/webhooks']
const hook = { project_id: 'docs', url: 'https://127.0.0.1:8443/hook', events: ['file.created'] }
const changeOf = (path: string): object =>
  path.startsWith('/api/webhooks') ? { enabled: true } : { name: 'a.txt' }

/** A gateway without WEBHOOK_KEY, on the same database. */
async function withoutKey(t: Test): Promise<(path: string) => Promise<InjectResponse>> {
  const gateway = await startTestGateway(t)
  const headers = { authorization: `Bearer ${await gateway.token('*')}` }
  return async (path) =>
    await gateway.app.inject({
      method: 'POST',
      url: `/api/webhooks${path}`,
      headers,
      payload: path === '' ? hook : {}
    })
}

type Call = (
  method: string,
  url: string,
  headers?: Record<string, string>,
  payload?: string | object
) => Promise<InjectResponse>

async function holdWebhooks(t: Test, call: Call, gateway: TestGateway): Promise<void> {
  const create = async (more = {}): Promise<InjectResponse> =>
    await call('post', '/api/webhooks', {}, { ...hook, ...more })
  const created = await create()
  hold(t, createWebhook, 201, created)
  const id = created.json().webhook.id as string
  hold(t, createWebhook, 400, await create({ url: 'ftp://example.com' }))
  hold(t, createWebhook, 403, await create({ project_id: 'other' }))
  for (let count = 1; count < 20; count++) await create()
  hold(t, createWebhook, 403, await create())
  hold(t, ['get', '/api/webhooks'], 200, await call('get', '/api/webhooks?project_id=docs'))
  hold(t, ['get', '/api/webhooks'], 400, await call('get', '/api/webhooks'))
  hold(t, ['get', '/api/webhooks'], 403, await call('get', '/api/webhooks?project_id=other'))

  const stream: Operation = ['get', '/api/events']
  hold(t, stream, 200, await call('get', '/api/events?project_id=docs&follow=false'))
  hold(t, stream, 400, await call('get', '/api/events'))
  hold(t, stream, 403, await call('get', '/api/events?project_id=other'))

  const one = (suffix: string): string => `/api/webhooks/{id}${suffix}`
  const at = (suffix: string): string => `/api/webhooks/${id}${suffix}`
  hold(t, ['get', one('')], 200, await call('get', at('')))
  hold(t, ['patch', one('')], 200, await call('patch', at(''), {}, { enabled: true }))
  hold(t, ['post', one('/rotate')], 200, await call('post', at('/rotate')))
  hold(t, ['get', one('/deliveries')], 200, await call('get', at('/deliveries')))
  hold(t, ['post', one('/replay')], 202, await call('post', at('/replay'), {}, examples.replay))
  const writing: Operation[] = [
    createWebhook,
    ['patch', one('')],
    ['post', one('/rotate')],
    ['post', one('/replay')]
  ]
  for (const operation of writing) {
    const [method, path] = operation
    const url = path.replace('{id}', id)
    const json = { 'content-type': 'application/json' }
    hold(t, operation, 413, await call(method, url, json, 'x'.repeat(20_000)))
    hold(t, operation, 415, await call(method, url, { 'content-type': 'text/plain' }, 'x'))
    hold(
      t,
      operation,
      408,
      await fallSilent(t, gateway, operation, 'application/json', '{', { method: method.toUpperCase() })
    )
  }
  const off = await withoutKey(t)
  hold(t, createWebhook, 501, await off(''))
  hold(t, ['post', one('/rotate')], 501, await off(`/${id}/rotate`))
  hold(t, ['delete', one('')], 200, await call('delete', at('')))
}

async function holdTokens(
  t: Test,
  call: Call,
  gateway: TestGateway,
  { id: own, token }: { id: string; token: string }
): Promise<void> {
  const create: Operation = ['post', '/api/tokens']
  const list: Operation = ['get', '/api/tokens']
  const revoke: Operation = ['delete', '/api/tokens/{id}']
  const user = { authorization: `Bearer ${await gateway.token('*')}` }
  const created = await call('post', '/api/tokens', {}, examples.createToken)
  hold(t, create, 201, created)
  hold(t, create, 400, await call('post', '/api/tokens', {}, {}))
  hold(t, create, 403, await call('post', '/api/tokens', user, examples.createToken))
  hold(t, create, 413, await call('post', '/api/tokens', jsonType, 'x'.repeat(300_000)))
  hold(t, create, 415, await call('post', '/api/tokens', { 'content-type': 'text/plain' }, 'x'))
  hold(t, create, 408, await fallSilent(t, gateway, create, 'application/json', '{', { token }))
  hold(t, list, 200, await call('get', '/api/tokens'))
  hold(t, list, 400, await call('get', '/api/tokens?after=x'))
  hold(t, list, 403, await call('get', '/api/tokens', user))
  const path = `/api/tokens/${created.json().token.id as string}`
  hold(t, revoke, 403, await call('delete', path, user))
  hold(t, revoke, 200, await call('delete', path))
  hold(t, revoke, 400, await call('delete', `/api/tokens/${own}`))
}

const jsonType = { 'content-type': 'application/json' }

/** A client that stops in the middle of its body. */
async function fallSilent(
  t: Test,
  gateway: TestGateway,
  [, path]: Operation,
  contentType: string,
  begun: string,
  { method = 'POST', token }: { method?: string; token?: string } = {}
): Promise<InjectResponse> {
  const socket = await connectTo(t, gateway)
  const headers = { 'Content-Type': contentType, 'Content-Length': 1000 }
  socket.write(headOf(path, token ?? (await gateway.token('*')), headers).replace(/^POST/, method) + begun)
  const [data] = await once(socket, 'data')
  const [head = '', body = ''] = String(data).split('\r\n\r\n')
  const answered = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)])
  )
  return { statusCode: Number(head.split(' ')[1]), headers: answered, body } as unknown as InjectResponse
}

t.test('the pages', async (t) => {
  const get = async (url: string): Promise<InjectResponse> => await documented.app.inject({ url })

  t.test(
    'serve the document and the reference without a token, and load nothing from other origins',
    async (t) => {
      for (const [url, type] of [
        ['/openapi.json', 'application/json'],
        ['/docs', 'text/html'],
        ['/docs/', 'text/html'],
        ['/docs/start.js', 'text/javascript'],
        ['/docs/swagger-ui.css', 'text/css'],
        ['/docs/swagger-ui-bundle.js', 'text/javascript']
      ] as const) {
        const response = await get(url)
        t.equal(response.statusCode, 200, url)
        t.match(response.headers['content-type'], type)
      }
      const page = await get('/docs')
      t.match(page.headers['content-security-policy'], /default-src 'none'/)
      t.notMatch(page.body, /https?:\/\//)
    }
  )

  t.test('have no other files and no other methods', async (t) => {
    for (const url of ['/docs/package.json', '/docs/..%2fpackage.json', '/docs/index.html']) {
      t.equal((await get(url)).statusCode, 404, url)
    }
    t.equal((await documented.app.inject({ method: 'POST', url: '/docs' })).statusCode, 405)
  })
})
