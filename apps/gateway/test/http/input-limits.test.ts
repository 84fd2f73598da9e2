import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { limits } from '@filewright/contracts'
import { startTestGateway, type InjectResponse } from '../helpers/test-gateway.js'

const gateway = await startTestGateway(t)
const token = await gateway.token('*')
gateway.onInference(async () => ({
  kind: 'generate',
  content: 'const a = 1',
  tokensUsed: 7,
  engine: 'model',
  finish: 'stop'
}))

const file = { name: 'file', filename: 'a.txt', content: 'a' }
const project = { name: 'project_id', value: 'acme' }
const repeated = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const list = async (query: string): Promise<number> => (await gateway.get(`/api/files?${query}`)).statusCode

async function generate(body: string, headers: Record<string, string> = {}): Promise<InjectResponse> {
  return await gateway.app.inject({
    method: 'POST',
    url: '/api/ai/generate',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    payload: body
  })
}

t.test('the parts of a form', async (t) => {
  const statusOf = async (...parts: Parameters<typeof gateway.upload>[0]): Promise<number> =>
    (await gateway.upload(parts)).statusCode

  t.equal(
    await statusOf(project, ...repeated(49, (i) => ({ name: `own${i}`, value: 'x' })), file),
    201,
    '50 fields'
  )
  t.equal(
    await statusOf(project, ...repeated(50, (i) => ({ name: `own${i}`, value: 'x' })), file),
    400,
    '51 fields'
  )
  t.equal(await statusOf(project, file, file), 400, 'two files')
  t.equal(
    await statusOf(project, { name: 'description', value: 'd'.repeat(limits.descriptionChars) }, file),
    201
  )
  t.equal(
    await statusOf(project, { name: 'description', value: 'd'.repeat(limits.descriptionChars + 1) }, file),
    400
  )
  t.equal(await statusOf(project, { name: 'description', value: 'd'.repeat(5_000_000) }, file), 400)
  t.equal(await statusOf(project, { name: 'folder', value: 'f'.repeat(limits.folderBytes) }, file), 201)
  t.equal(await statusOf(project, { name: 'folder', value: 'f'.repeat(limits.folderBytes + 1) }, file), 400)
  t.equal(await statusOf({ name: 'project_id', value: 'p'.repeat(limits.projectIdChars) }, file), 201)
  t.equal(await statusOf({ name: 'project_id', value: 'p'.repeat(limits.projectIdChars + 1) }, file), 400)
  t.equal(await statusOf(project, { ...file, filename: `${'n'.repeat(limits.fileNameBytes - 4)}.txt` }), 201)
  t.equal(await statusOf(project, { ...file, filename: `${'n'.repeat(limits.fileNameBytes - 3)}.txt` }), 400)
  t.equal(
    await statusOf(project, { name: 'n'.repeat(200_000), value: 'x' }, file),
    201,
    'an unknown field is ignored, however long its name'
  )
})

t.test('the query and the path', async (t) => {
  t.equal(await list(`project_id=${'p'.repeat(limits.projectIdChars)}`), 200)
  t.equal(await list(`project_id=${'p'.repeat(limits.projectIdChars + 1)}`), 400)
  t.equal(await list(`project_id=a&folder=${'f'.repeat(limits.folderBytes)}`), 200)
  t.equal(await list(`project_id=a&folder=${'f'.repeat(limits.folderBytes + 1)}`), 400)
  t.equal(await list(`project_id=a&type=${'t'.repeat(127)}/${'t'.repeat(127)}`), 200)
  t.equal(await list(`project_id=a&type=${'t'.repeat(128)}/x`), 400)
  for (const number of ['0', '-1', '1e3', '0x10', '1.5', '', '99999999999', '9'.repeat(400), '٣', 'NaN']) {
    t.strictSame(
      [
        await list(`project_id=a&page=${encodeURIComponent(number)}`),
        await list(`project_id=a&limit=${encodeURIComponent(number)}`)
      ],
      [400, 400],
      number
    )
  }
  t.equal(await list('project_id=a&page=1000000000&limit=1000000000'), 200)
  t.equal(await list('project_id=a&project_id=b'), 400, 'given twice')
  t.equal(await list('project_id[x]=a'), 400, 'no objects are made of names')
  t.equal(
    await list(`project_id=a&${repeated(3_000, (i) => `${i}=`).join('&')}`),
    200,
    'what nobody asked for is not read'
  )
  t.equal((await gateway.get(`/api/files/${'a'.repeat(1_001)}`)).statusCode, 414)
})

t.test('the size, shape and depth of JSON', async (t) => {
  const deep = (depth: number): string =>
    `{"prompt":"p","type":"code","more":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const sizes = {
    taken: `{"prompt":"p","type":"code","more":"${'x'.repeat(4_000_000)}"}`,
    refused: `{"prompt":"p","type":"code","more":"${'x'.repeat(4_194_304)}"}`
  }

  t.equal((await generate(sizes.taken)).statusCode, 200)
  t.equal((await generate(sizes.refused)).statusCode, 413)
  t.equal(
    (await generate(JSON.stringify({ prompt: 'x'.repeat(limits.promptBytes), type: 'code' }))).statusCode,
    200
  )
  t.equal(
    (await generate(JSON.stringify({ prompt: 'x'.repeat(limits.promptBytes + 1), type: 'code' }))).statusCode,
    400
  )
  for (const depth of [100, 10_000, 1_000_000]) {
    t.equal(
      (await generate(deep(depth))).statusCode,
      200,
      `unknown members are ignored, ${depth} levels deep as well`
    )
    t.equal(
      (await generate(deep(depth), { 'idempotency-key': `deep-${depth}` })).statusCode,
      200,
      'and under a key'
    )
  }
  for (const body of [
    '{"__proto__":{"admin":true},"prompt":"p","type":"code"}',
    '{"constructor":{"prototype":{}},"prompt":"p","type":"code"}',
    `${'['.repeat(2_000_000)}`
  ]) {
    t.equal((await generate(body)).statusCode, 400, body.slice(0, 20))
  }
  t.equal(
    (await generate(`{${repeated(100_000, (i) => `"k${i}":0`).join(',')},"prompt":"p","type":"code"}`))
      .statusCode,
    200
  )
})

t.test('headers: their size together, their number, and each that is read', async (t) => {
  const port = Number(new URL(await gateway.app.listen({ port: 0 })).port)
  async function statusOf(...lines: string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `${['GET /api/ai/models HTTP/1.1', 'Host: x', 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`
    )
    return (await text(socket)).slice(9, 12)
  }
  const authorization = `Authorization: Bearer ${token}`

  t.equal(await statusOf(authorization), '200')
  t.equal(await statusOf(authorization, `X: ${'y'.repeat(16_384)}`), '431')
  t.equal(await statusOf(authorization, ...repeated(3_000, (i) => `X${i}: yyy`)), '431')
  t.equal(await statusOf(`Authorization: Bearer ${'t'.repeat(513)}`), '401')
  t.equal(await statusOf(authorization, 'Authorization: Bearer other'), '401', 'neither counts')
  t.equal(
    (
      await generate('{"prompt":"p","type":"code"}', {
        'idempotency-key': 'k'.repeat(limits.idempotencyKeyChars + 1)
      })
    ).statusCode,
    400
  )
  t.match(
    (await gateway.get('/api/ai/models', { 'x-request-id': 'r'.repeat(129) })).headers['x-request-id'],
    /^[0-9A-Za-z]{22}$/
  )
})
