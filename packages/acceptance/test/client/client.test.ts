import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import {
  BadRequestError,
  Filewright,
  NotFoundError,
  readTrustedKeys,
  UnauthorizedError,
  verifyReceipt
} from '@filewright/client'
import { deployedService, shareStack } from '@filewright/testing'
import { sha256, uniqueText } from '../../src/index.js'
import { eicar } from '../../src/samples.js'

const stack = deployedService() ?? (await shareStack(t))
const asked = new Set<string>()
const client = new Filewright({
  baseUrl: stack.baseUrl,
  token: stack.token,
  fetch: async (address, init) => {
    const { pathname } = new URL(String(address))
    asked.add(
      `${(init?.method ?? 'GET').toLowerCase()} ${pathname.replace(/\/(files|trash|webhooks|tokens|generations)\/(?!upload|zip|usage)[^/]+/, '/$1/{id}')}`
    )
    return await fetch(address, init)
  }
})

t.test('an uploaded file is listed, described, found and downloaded, until it is deleted', async (t) => {
  const content = uniqueText(300_000)
  const path = join(t.testdir({}), 'a "quoted" nämé.txt')
  await writeFile(path, content)

  const { id, name } = await client.files.upload(path, {
    projectId: 'client',
    folder: 'a/b',
    description: 'why'
  })

  t.equal(name, 'a "quoted" nämé.txt')
  t.match(await client.files.get(id), {
    folder: 'a/b',
    description: 'why',
    sha256: sha256(content),
    size: 300_000
  })
  t.match(await client.files.list({ projectId: 'client', search: 'QUOTED' }), {
    files: [{ id }],
    pagination: { total: 1 }
  })
  const projects = await client.projects()
  t.match(
    projects.filter((project) => project.id === 'client'),
    [{ id: 'client', files: 1, bytes: 300_000 }]
  )
  t.match(await client.folders({ projectId: 'client', folder: 'a' }), [{ name: 'b', files: 1 }])
  const keys = readTrustedKeys(JSON.stringify(await client.receiptKeys()))
  const receipt = verifyReceipt(JSON.stringify(await client.files.receipt(id)), keys)
  t.match(receipt, { fileId: id, sha256: sha256(content), size: 300_000 })
  for await (const recall of client.recalls({ projectId: 'client' })) t.not(recall.id, id)
  const download = await client.files.download(id)
  t.equal(download.name, name)
  t.equal(sha256(Buffer.from(await download.bytes())), sha256(content))

  t.match(await client.ai.history({ limit: 1 }), { generations: Array })
  t.match(await client.ai.usage(), { days: 30, usage: Array })
  let progress = 0
  const zip = await client.files.zip({
    projectId: 'client',
    folder: 'a',
    onProgress: (bytes) => {
      progress = bytes
    }
  })
  const archive = Buffer.from(await new Response(zip.body).arrayBuffer())
  t.equal(zip.name, 'a.zip')
  t.equal(progress, archive.length)
  t.ok(archive.includes('b/a _quoted_ nämé.txt') && archive.includes(content))
  await t.rejects(client.files.zip({ projectId: 'client', files: ['A'.repeat(22)] }), NotFoundError)

  t.match(await client.files.change(id, { name: 'b.txt' }), { id, name: 'b.txt', folder: 'a/b' })
  t.match(await client.files.change(id, { folder: '' }), { id, name: 'b.txt', folder: '' })

  await client.files.delete(id)
  await t.rejects(client.files.get(id), NotFoundError)

  t.match(await client.trash.list({ projectId: 'client' }), {
    files: [{ id, name: 'b.txt', folder: '' }],
    pagination: { total: 1 }
  })
  t.match(await client.trash.restore(id), { id, sha256: sha256(content) })
  t.match(await client.trash.restore(id), { id }, 'again')
  await client.files.delete(id)
  const trashed: string[] = []
  for await (const file of client.trash.iterate({ projectId: 'client', limit: 1 })) trashed.push(file.id)
  t.strictSame(trashed, [id])
  await client.trash.delete(id)
  await t.rejects(client.trash.restore(id), NotFoundError)
  t.equal(await client.trash.empty({ projectId: 'client' }), 0)
})

const isDeployment = deployedService() !== undefined && 'a deployment sends webhooks to public addresses only'
t.test(
  'an operator creates, lists and revokes a token',
  { skip: deployedService() !== undefined && 'its token may not be an operator' },
  async (t) => {
    const { id, secret } = await client.tokens.create({
      name: 'made',
      projects: ['client'],
      expires_in_days: 1
    })
    const { tokens } = await client.tokens.list({ limit: 1 })
    t.match(tokens, [{ id, name: 'made', projects: ['client'], revoked_at: null }])
    const made = new Filewright({ baseUrl: stack.baseUrl, token: secret })
    t.match(await made.service(), { token: { name: 'made', is_operator: false } })

    await client.tokens.revoke(id)

    await t.rejects(made.service(), UnauthorizedError)
  }
)

t.test('events reach a webhook and a stream', { skip: isDeployment }, async (t) => {
  const url = 'http://127.0.0.1:1029/nobody-listens'
  const { webhooks } = client
  const projectId = 'client-events'
  const created = await webhooks.create({ project_id: projectId, url, events: ['file.created'] })
  t.match(created.secret, /^whsec_/)
  t.match(await webhooks.list({ projectId }), [{ id: created.id, url }])
  t.match(await webhooks.change(created.id, { description: 'mine' }), { description: 'mine' })
  t.match(await webhooks.get(created.id), { id: created.id, description: 'mine' })
  t.not((await webhooks.rotate(created.id)).secret, created.secret)
  const ending = new AbortController()
  const stream = client.events({ projectId, after: 'evt_0_0', signal: ending.signal })
  const { id } = await client.files.upload(new Blob(['x']), { projectId, name: 'x.txt' })

  // Other tests use the same token, so its generations are also in the stream.
  let value = (await stream.next()).value
  while (value?.type.startsWith('generation.')) value = (await stream.next()).value
  t.match(value, { type: 'file.created', data: { file_id: id, project_id: projectId } })
  ending.abort()
  t.equal(await webhooks.replay(created.id, { event_id: value?.id ?? '' }), 1)
  t.match((await webhooks.deliveries(created.id))[0], { event_id: value?.id, type: 'file.created' })
  await webhooks.delete(created.id)
  await t.rejects(webhooks.get(created.id), NotFoundError)
})

t.test('malware is refused with its code', async (t) => {
  const error = await client.files
    .upload(new Blob([eicar]), { projectId: 'client', name: 'e.txt' })
    .catch((error: unknown) => error)

  t.ok(error instanceof BadRequestError)
  t.match(error, { code: 'malware', message: 'File rejected by security scan' })
})

t.test('the AI endpoints answer', async (t) => {
  t.ok((await client.ai.models()).length > 0)
  const generation = client.ai.generate({ prompt: 'a queue', type: 'code', language: 'python' })
  let text = ''
  for await (const token of generation) text += token
  t.ok(text.length > 0)
  t.match(await generation, { type: 'code' })
  const { id, kind } = await client.ai.recorded((await generation).id)
  t.strictSame([id, kind], [(await generation).id, 'generate'])
  t.ok((await client.ai.analyze({ code: 'eval(x)', language: 'javascript' })).analysis.length > 0)
  const files = [
    { path: 'a.js', code: 'eval(x)', language: 'javascript' },
    { path: 'b.js', code: 'export const one = 1\n', language: 'javascript' }
  ]
  t.match(await client.ai.analyzeBatch({ files }), {
    files: [
      { path: 'a.js', analysis: [{ line: 1 }] },
      { path: 'b.js', analysis: [], score: 100 }
    ]
  })
  const code =
    'export function sum (list) {\n  var total = 0\n  for (var i = 0; i < list.length; i++) { total += list[i] }\n  return total\n}'
  t.ok((await client.ai.optimize({ code, language: 'javascript' })).changes.length > 0)
})

t.test('the service reports its status', async (t) => {
  // The sandbox replaces models.
  t.match(await client.service(), { status: /^(?:ok|degraded)$/ })
})

t.test('the methods cover exactly the documented paths', { skip: isDeployment }, async (t) => {
  const document = (await (await fetch(`${stack.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, object>
  }
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`)
  )
  // This client does not use the other addresses of the same bytes, or HEAD.
  const ofClient = documented.filter(
    (operation) => / \/(api|\.well-known)\//.test(operation) && !operation.startsWith('head ')
  )

  t.strictSame([...asked].sort(), ofClient.sort())
})
